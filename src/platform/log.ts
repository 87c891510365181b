// The log: one JSON object a line on standard error, so that standard output stays free for answers.
import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions, symbols } from 'pino'

export type Log = Logger

// A system call for each line would be a tenth of a read, so lines wait for others: for so long, or for so many bytes.
const WAIT_MS_MAX = 50
const WAIT_BYTES_MAX = 8 * 1024
const WARN = 40

/** Warnings and errors are written at once, with what waits; the rest also when the process exits. */
function openStandardError(): DestinationStream {
  const stream = destination({ fd: 2, sync: true, minLength: WAIT_BYTES_MAX })
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    stream.flush()
  }
  process.on('exit', () => stream.flushSync())
  const lines = {
    // pino sets `lastLevel` before it writes.
    [symbols.needsMetadataGsym]: true,
    lastLevel: 0,
    write(line: string) {
      stream.write(line)
      if (lines.lastLevel >= WARN) flush()
      else timer ??= setTimeout(flush, WAIT_MS_MAX).unref()
    },
  }
  return lines
}

let standardError: DestinationStream | undefined
const getStandardError = (): DestinationStream => (standardError ??= openStandardError())

// What may never reach a log, wherever it hangs. Pino compiles these paths once.
const SECRET = [
  'authorization',
  'cookie',
  'token',
  'password',
  'secret',
  'secretAccessKey',
  'adminToken',
  'databaseUrl',
]
const REDACTED = SECRET.flatMap(name => [name, `*.${name}`, `*.*.${name}`])

/** A log of `level` and above. `to` is for tests; by default standard error. */
export const createLog = (level: string, to: DestinationStream = getStandardError()): Log =>
  pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      redact: { paths: REDACTED, censor: '[hidden]' },
    },
    to,
  )
