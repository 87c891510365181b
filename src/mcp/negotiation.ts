// In which form a client is answered, and whether it speaks a version of the protocol that is spoken here. The SDK
// answers only clients that list both media types; the specification leaves the choice to the server, and programs
// that take just one of them are answered in that one.
import { ErrorCode, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js'
import type { FastifyRequest } from 'fastify'
import { parseQualityValues } from '../http/quality-values.ts'
import { toLine } from './text.ts'

export type AnswerForm = 'json' | 'stream'

/** JSON where the client takes it, else a stream of events; undefined if it takes neither. */
export function formFor(accept: string | undefined): AnswerForm | undefined {
  if (accept === undefined || accept.trim() === '') return 'json'
  const weights = parseQualityValues(accept)
  // RFC 9110 §12.5.1: the most specific range counts.
  const takes = (kind: string, type: string): boolean =>
    (weights.get(type) ?? weights.get(`${kind}/*`) ?? weights.get('*/*') ?? 0) > 0
  if (takes('application', 'application/json')) return 'json'
  return takes('text', 'text/event-stream') ? 'stream' : undefined
}

/** What the SDK expects of every client. */
export const ACCEPT_OF_SDK = 'application/json, text/event-stream'

export const NOT_ACCEPTABLE = errorBody(
  null,
  -32000,
  'The answer is application/json or text/event-stream; the Accept header excludes both.',
)

// A client that does not initialize names its version with each request, in a header or within the message.
const VERSION_HEADER = 'mcp-protocol-version'
const VERSION_META = 'io.modelcontextprotocol/protocolVersion'
const NAME_CHARACTERS_MAX = 40

/** The error for a version that is not spoken here, which names those that are; undefined if there is none. */
export function refuseVersion({ headers, body }: Pick<FastifyRequest, 'headers' | 'body'>) {
  const messages = Array.isArray(body) ? body : [body]
  // An unknown version of `initialize` is answered with one to continue with.
  if (messages.some(message => fieldOf(message, 'method') === 'initialize')) return undefined
  const named = [
    headers[VERSION_HEADER],
    ...messages.map(message => fieldOf(fieldOf(fieldOf(message, 'params'), '_meta'), VERSION_META)),
  ]
  const unknown = named.find(
    version => typeof version === 'string' && !SUPPORTED_PROTOCOL_VERSIONS.includes(version),
  )
  if (typeof unknown !== 'string') return undefined
  const requested = toLine(unknown, NAME_CHARACTERS_MAX)
  const id = fieldOf(body, 'id')
  return errorBody(
    typeof id === 'string' || typeof id === 'number' ? id : null,
    ErrorCode.InvalidParams,
    `Unsupported protocol version ${requested}. Supported: ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')}.`,
    { supported: SUPPORTED_PROTOCOL_VERSIONS, requested },
  )
}

/** The client's value is of any shape. */
const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined

function errorBody(id: string | number | null, code: number, message: string, data?: object) {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } }
}
