// Asks the server that holds the folder to run a command (control.ts). Loads no server code, so that asking stays
// cheap.
import { statSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256 } from '../base/canonical.ts'
import { Failure } from '../base/errors.ts'
import { request } from '../base/node-http.ts'
import { type CommandContext, interrupted } from './command-context.ts'
import type { CommandName, OptionsOf, ResultOf } from './commands.ts'
import type { Progress } from './progress.ts'

// A socket path may have at most 107 bytes on Linux and 103 on macOS.
const SOCKET_PATH_BYTES_MAX = 100

/** In the folder, or, if its path is too long for a socket, in the system's folder for temporary files. */
export function socketPath(home: string): string {
  const path = join(home, 'control.sock')
  if (Buffer.byteLength(path) <= SOCKET_PATH_BYTES_MAX) return path
  return join(tmpdir(), `octavo-${process.getuid?.() ?? 0}-${sha256(home).slice(0, 16)}.sock`)
}

/** One line of an answer. */
export type Line =
  | { readonly progress: Progress }
  | { readonly result: unknown }
  | { readonly failure: Pick<Failure, 'kind' | 'code' | 'message'> }

/** Whether a server listens on the socket of this folder. */
export async function isServing(home: string): Promise<boolean> {
  const path = socketPath(home)
  // In a shared folder somebody else may have made it: nothing is sent to a socket that is not ours.
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

/** Runs a command in the server that holds this folder; aborting `signal` ends the command there. */
export async function runRemotely<Name extends CommandName>(
  home: string,
  command: Name,
  options: OptionsOf<Name>,
  { emit, signal }: CommandContext,
): Promise<ResultOf<Name>> {
  try {
    for await (const line of ask(home, JSON.stringify({ command, options }), signal)) {
      if ('progress' in line) emit(line.progress)
      // The result of the requested command.
      else if ('result' in line) return line.result as ResultOf<Name>
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
    for (const text of lines) yield JSON.parse(text)
  }
}
