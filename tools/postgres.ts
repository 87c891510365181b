// Which PostgreSQL the tests may use, if any.
import { userInfo } from 'node:os'
import pg from 'pg'

const CONNECT_MS_MAX = 1500

export type Postgres =
  | { readonly url: string; readonly version: string }
  | { readonly url?: undefined; readonly why: string }

// Where Debian has the socket of its server, and then where every server answers. Bytes that go through a socket of the
// file system take less of a processor.
const HOSTS = [encodeURIComponent('/var/run/postgresql'), '127.0.0.1:5432']

/** The servers to try: the named one, or those a machine for development usually has. */
const candidates = (named: string | undefined): string[] =>
  named !== undefined && named !== ''
    ? [named]
    : HOSTS.flatMap(host =>
        [...new Set(['root', 'postgres', userInfo().username])].map(
          user => `postgres://${encodeURIComponent(user)}@${host}/postgres`,
        ),
      )

/** The first server that answers and lets us create databases, or why there is none. `named` is a connection URL. */
export async function findPostgres(named: string | undefined): Promise<Postgres> {
  const reasons: string[] = []
  for (const url of candidates(named)) {
    const answer = await ask(url)
    if (answer.url !== undefined) return answer
    if (!reasons.includes(answer.why)) reasons.push(answer.why)
  }
  return { why: reasons.join('; ') }
}

async function ask(url: string): Promise<Postgres> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS_MAX })
  // A connection that breaks later fails the waiting query; without a listener it would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ version: string; may: boolean }>(
      `select current_setting('server_version') as version, rolcreatedb or rolsuper as may
       from pg_roles where rolname = current_user`,
    )
    const { version = '', may = false } = rows[0] ?? {}
    return may
      ? { url, version: version.split(' ')[0] as string }
      : { why: `${nameOf(url)} may not create databases` }
  } catch (error) {
    return {
      why: `${nameOf(url)}: ${error instanceof Error && error.message !== '' ? error.message : 'no answer'}`,
    }
  } finally {
    await client.end().catch(() => {})
  }
}

/** The address of a server without its password. */
export function nameOf(url: string): string {
  try {
    const { username, host, pathname } = new URL(url)
    return `${decodeURIComponent(username)}@${decodeURIComponent(host)}${pathname}`
  } catch {
    return 'the given address'
  }
}
