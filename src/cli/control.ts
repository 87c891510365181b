// The door for the operator's own commands while the server runs: a socket in OCTAVO_HOME that only its owner may
// open. The embedded database has one process, so `octavo token` and `octavo import` ask that process to do it.
import { rmSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sha256 } from '../base/canonical.ts'
import { Failure } from '../base/errors.ts'
import type { Services } from '../http/context.ts'
import { type CommandName, commands, type Hold, interrupted } from './commands.ts'
import type { Progress } from './progress.ts'

// The address of a socket is at most 107 bytes on Linux and 103 on macOS.
const SOCKET_PATH_BYTES_MAX = 100
const BODY_BYTES_MAX = 64 * 1024
// Imports are ended before; what is left to do is to tell so.
const ANSWER_MS_MAX = 5_000

/** Below the folder, or, where its path is too long for a socket, below the system's folder for temporary files. */
export function socketPath(home: string): string {
  const path = join(home, 'control.sock')
  if (Buffer.byteLength(path) <= SOCKET_PATH_BYTES_MAX) return path
  return join(tmpdir(), `octavo-${process.getuid?.() ?? 0}-${sha256(home).slice(0, 16)}.sock`)
}

/** One line of an answer. */
type Line =
  | { readonly progress: Progress }
  | { readonly result: unknown }
  | { readonly failure: Pick<Failure, 'kind' | 'code' | 'message'> }

export async function startControl(services: Services): Promise<{ stop(): Promise<void> }> {
  const path = socketPath(services.config.home)
  rmSync(path, { force: true })
  const answers = new Set<Promise<void>>()
  const server = createServer((incoming, reply) => {
    const answering = answer(services, incoming, reply).finally(() => answers.delete(answering))
    answers.add(answering)
  })
  const before = process.umask(0o177)
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(path, resolve)
    })
  } finally {
    process.umask(before)
  }
  server.unref()
  return {
    /** Takes no new command and waits for those under way, which tell their callers how they ended. */
    async stop() {
      const closed = new Promise(resolve => server.close(resolve))
      const isOver = Promise.allSettled(answers)
      await Promise.race([isOver, sleep(ANSWER_MS_MAX, undefined, { ref: false })])
      server.closeAllConnections()
      await closed
    },
  }
}

async function answer(services: Services, incoming: IncomingMessage, reply: ServerResponse): Promise<void> {
  const write = (line: Line) => void reply.write(`${JSON.stringify(line)}\n`)
  reply.setHeader('content-type', 'application/x-ndjson')
  // Whoever asked and left, by Ctrl-C for instance, wants it no more.
  const abort = new AbortController()
  reply.on('close', () => abort.abort())
  try {
    const { command, options } = JSON.parse(await readBody(incoming)) as {
      command: CommandName
      options: never
    }
    const run = commands[command]
    if (run === undefined)
      throw new Failure('invalid', 'command_unknown', `This server knows no command ${command}.`)
    const hold: Hold = { emit: progress => write({ progress }), signal: abort.signal }
    write({ result: await run(services, options, hold) })
  } catch (error) {
    if (!(error instanceof Failure)) services.log.error({ err: error }, 'a command failed')
    const { kind, code, message } =
      error instanceof Failure ? error : new Failure('unavailable', 'bug', String(error))
    write({ failure: { kind, code, message } })
  }
  reply.end()
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of incoming) {
    bytes += (chunk as Buffer).length
    if (bytes > BODY_BYTES_MAX)
      throw new Failure('too_large', 'command_too_large', 'The command is too long.')
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Whether a server listens on the socket of this folder. */
export async function isServing(home: string): Promise<boolean> {
  const path = socketPath(home)
  // In a shared folder somebody else may have made it: a socket that is not ours is told nothing.
  const status = statSync(path, { throwIfNoEntry: false })
  if (status === undefined || (process.getuid !== undefined && status.uid !== process.getuid())) return false
  return new Promise(resolve => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

/** Runs a command in the server that has this folder; when `signal` is aborted, that server is told to end it. */
export async function runRemotely<T>(
  home: string,
  command: CommandName,
  options: unknown,
  { emit, signal }: Hold,
): Promise<T> {
  try {
    for await (const line of ask(home, JSON.stringify({ command, options }), signal)) {
      if ('progress' in line) emit(line.progress)
      else if ('result' in line) return line.result as T
      else throw new Failure(line.failure.kind, line.failure.code, line.failure.message)
    }
  } catch (error) {
    if (error instanceof Failure) throw error
    if (signal.aborted) throw interrupted(error)
    throw serverGone(error)
  }
  throw serverGone()
}

const serverGone = (cause?: unknown) =>
  new Failure('unavailable', 'server_gone', 'The server ended before it had answered.', cause)

async function* ask(home: string, body: string, signal: AbortSignal): AsyncGenerator<Line> {
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = request({ socketPath: socketPath(home), method: 'POST', path: '/', signal }, resolve)
    outgoing.once('error', reject)
    outgoing.end(body)
  })
  let rest = ''
  for await (const chunk of incoming.setEncoding('utf8')) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const text of lines) yield JSON.parse(text) as Line
  }
}
