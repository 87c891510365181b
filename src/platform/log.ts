// The log: one JSON object a line on standard error, so that standard output stays free for answers.
import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from 'pino'

export type Log = Logger

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

/** A log of `level` and above. `to` is for tests; by default standard error, written at once. */
export const createLog = (level: string, to: DestinationStream = destination({ fd: 2, sync: true })): Log =>
  pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      redact: { paths: REDACTED, censor: '[hidden]' },
    },
    to,
  )
