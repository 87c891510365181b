// PgBouncer in transaction mode before the PostgreSQL of the tests.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { freePorts } from './ports.ts'

const PROGRAM = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find(path => existsSync(path))
const LOOK_MS = 50

export const noPgBouncer = PROGRAM === undefined && 'pgbouncer is not installed'

export interface Pooler {
  /** The address of this database through it. */
  readonly url: string
  /** Ends all of its connections to the server, as a restart of the server does. */
  dropSessions(): Promise<void>
  close(): Promise<void>
}

export async function startPgBouncer(direct: string, settings: readonly string[] = []): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-pgbouncer-'))
  const [port = 0] = await freePorts(1)
  const { hostname, port: serverPort, username, password, pathname } = new URL(direct)
  const host = decodeURIComponent(hostname === '' ? '/var/run/postgresql' : hostname)
  const server = [
    ...[
      `host=${host}`,
      `port=${serverPort === '' ? 5432 : serverPort}`,
      `user=${decodeURIComponent(username)}`,
    ],
    ...(password === '' ? [] : [`password=${decodeURIComponent(password)}`]),
  ].join(' ')
  const config = join(folder, 'pgbouncer.ini')
  writeFileSync(
    config,
    [
      ...['[databases]', `* = ${server}`, '[pgbouncer]', 'pool_mode = transaction', 'auth_type = any'],
      ...['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir =', 'default_pool_size = 5'],
      ...['max_client_conn = 200', 'admin_users = octavo', ...settings],
    ].join('\n'),
  )
  chmodSync(folder, 0o755)
  const child = spawn(PROGRAM ?? '', [...asOther(), config], { stdio: 'ignore' })
  const url = `postgres://octavo@127.0.0.1:${port}${pathname}`
  try {
    await isReady(url, child)
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
  return {
    url,
    dropSessions: () => endSessions(direct),
    async close() {
      const ended = new Promise(resolve => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** It refuses to run as root. */
function asOther(): string[] {
  if (process.getuid?.() !== 0) return []
  for (const user of ['postgres', 'nobody'])
    try {
      execFileSync('id', [user], { stdio: 'ignore' })
      return ['-u', user]
    } catch {
      // The next one.
    }
  return []
}

async function isReady(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    const client = new Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}`, { cause: error })
      await sleep(LOOK_MS)
    }
  }
}

async function endSessions(direct: string): Promise<void> {
  const client = new Client({ connectionString: direct, application_name: 'test' })
  await client.connect()
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'octavo'`,
  )
  await client.end()
}
