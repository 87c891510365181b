// The log: one JSON object per line on standard error, so that standard output stays free for answers.
import { type DestinationStream, type Logger, pino, symbols } from 'pino'
import { now } from '../base/clock.ts'
import { writeLines } from './log-file.ts'

export type Log = Logger

// A system call for each line would take a tenth of a read, so lines are buffered up to this time and this many
// characters.
const WAIT_MS_MAX = 50
const WAIT_CHARACTERS_MAX = 8 * 1024
const WARN = 40
const STANDARD_ERROR = 2

/** Warnings and errors are written at once, together with buffered lines; the rest also at exit. */
function openStandardError(): DestinationStream {
  let waiting = ''
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const lines = waiting
    waiting = ''
    if (lines !== '') writeLines(STANDARD_ERROR, lines)
  }
  process.on('exit', flush)
  const toStream = {
    // pino sets `lastLevel` before it writes.
    [symbols.needsMetadataGsym]: true,
    lastLevel: 0,
    write(line: string) {
      waiting += line
      if (toStream.lastLevel >= WARN || waiting.length >= WAIT_CHARACTERS_MAX) flush()
      else timer ??= setTimeout(flush, WAIT_MS_MAX).unref()
    },
  }
  return toStream
}

let standardError: DestinationStream | undefined
const getStandardError = (): DestinationStream => (standardError ??= openStandardError())

// Fields that may never reach a log, at any depth. Pino compiles these paths once.
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

let spelledMs = 0
let spelled = ''

/** Formatted once per millisecond, in which many requests may end. */
function isoTime(): string {
  const time = now()
  if (time.getTime() !== spelledMs) {
    spelledMs = time.getTime()
    spelled = `,"time":"${time.toISOString()}"`
  }
  return spelled
}

/** A log of `level` and above. `to` is for tests; by default standard error. */
export const createLog = (level: string, to: DestinationStream = getStandardError()): Log =>
  pino(
    {
      level,
      base: null,
      timestamp: isoTime,
      redact: { paths: REDACTED, censor: '[hidden]' },
    },
    to,
  )
