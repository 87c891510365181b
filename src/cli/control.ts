// The socket in OCTAVO_HOME for the operator's commands while the server runs; only its owner may open it. The
// embedded database allows one process, so `octavo token` and `octavo import` ask that process to do the work
// (remote.ts).
import { rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../base/errors.ts'
import { createServer } from '../base/node-http.ts'
import type { Services } from '../http/context.ts'
import type { CommandContext } from './command-context.ts'
import { type CommandName, commands } from './commands.ts'
import { type Line, socketPath } from './remote.ts'

const BODY_BYTES_MAX = 64 * 1024
// By now imports have ended; only their results are left to send.
const ANSWER_MS_MAX = 5_000

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
    /** Accepts no new command and waits for running ones, which report their results to their callers. */
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
  // A caller that disconnects, by Ctrl-C for instance, cancels its command.
  const abort = new AbortController()
  reply.on('close', () => abort.abort())
  try {
    // The same program wrote it, in `remote.ts`.
    const { command, options } = JSON.parse(await readBody(incoming)) as {
      command: CommandName
      options: never
    }
    const run = commands[command]
    if (run === undefined)
      throw new Failure('invalid', 'command_unknown', `This server knows no command ${command}.`)
    const context: CommandContext = { emit: progress => write({ progress }), signal: abort.signal }
    write({ result: await run(services, options, context) })
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
    // A request without an encoding gives buffers.
    const buffer = chunk as Buffer
    bytes += buffer.length
    if (bytes > BODY_BYTES_MAX)
      throw new Failure('too_large', 'command_too_large', 'The command is too long.')
    chunks.push(buffer)
  }
  return Buffer.concat(chunks).toString('utf8')
}
