// A curl command that works once its variables are set: path parameters and the token are shell variables.
import type { ApiDocument, Operation, Parameter } from '../../api/rendering/openapi/document.ts'
import { exampleRequest } from '../../api/rendering/openapi/example.ts'

export const TOKEN_VARIABLE = 'OCTAVO_TOKEN'

/** `spaceId` → `SPACE_ID`, `page-path` → `PAGE_PATH`. */
export const variableOf = (parameter: string): string =>
  parameter
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^(\d)/, '_$1')
    .toUpperCase()

// What fits next to the text of a page; if the first line is longer, the address gets its own line.
const LINE_LENGTH = 56

/** What an example adds to an operation's command, quoted for the shell. */
interface Extra {
  readonly query?: readonly string[]
  readonly options?: readonly string[]
}

export function curlOf(document: ApiDocument, operation: Operation, extra: Extra = {}): string {
  const { method, body } = operation
  const sent = body?.schema === undefined && body?.example === undefined ? undefined : bodyOf(document, body)
  const command = method === 'GET' ? 'curl' : `curl -X ${method}`
  const address = `"${addressOf(document, operation, extra.query ?? [])}"`
  const isLong = command.length + address.length > LINE_LENGTH
  const lines = [
    ...(isLong ? [command, address] : [`${command} ${address}`]),
    ...(operation.signIn === 'none' ? [] : [`-H "Authorization: Bearer $${TOKEN_VARIABLE}"`]),
    ...(sent === undefined
      ? []
      : [
          `-H "Content-Type: ${inDoubleQuotes(body?.contentType ?? 'application/json')}"`,
          `-d '${inSingleQuotes(sent)}'`,
        ]),
    ...(extra.options ?? []),
  ]
  return lines.join(' \\\n  ')
}

function bodyOf(document: ApiDocument, body: NonNullable<Operation['body']>): string {
  const value = body.example ?? exampleRequest(document, body.schema)
  return typeof value === 'string' && !/json/.test(body.contentType ?? '')
    ? value
    : (JSON.stringify(value, null, 2) ?? '')
}

function addressOf(document: ApiDocument, { path, parameters }: Operation, extra: readonly string[]): string {
  const filled = path
    .split(/(\{[^{}]*\})/)
    .map(part => (part.startsWith('{') ? `$${variableOf(part.slice(1, -1))}` : inDoubleQuotes(part)))
  const required = parameters.filter(parameter => parameter.where === 'query' && parameter.isRequired)
  const query = [...required.map(pair(document)), ...extra]
  return (
    inDoubleQuotes(document.baseUrl) + filled.join('') + (query.length === 0 ? '' : `?${query.join('&')}`)
  )
}

const pair =
  (document: ApiDocument) =>
  ({ name, schema, examples: [first] }: Parameter): string => {
    const value = first?.value ?? exampleRequest(document, schema, name)
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
    return `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(text.toWellFormed())}`
  }

/** Characters that are special to a shell, between double and between single quotes. */
const inDoubleQuotes = (text: string): string =>
  text.replace(/[\\"$`]/g, character => `\\${character}`).replace(/\s+/g, ' ')
const inSingleQuotes = (text: string): string => text.replaceAll("'", `'\\''`)
