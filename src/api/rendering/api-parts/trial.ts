// What a reader's browser needs to send an operation itself: the parts of a request, which the page's script turns into
// a form. None of it passes through this server.
import { isObject, listOf, textOf } from '../../../base/objects.ts'
import type { ApiDocument, Operation } from '../openapi/document.ts'
import { exampleRequest } from '../openapi/example.ts'
import { asText, schemesOf } from './samples.ts'

export type Trial = {
  readonly method: string
  readonly path: string
  /** Addresses with their variables filled in, one for each choice. */
  readonly servers: readonly string[]
  readonly signIns: readonly SignIn[]
  readonly parameters: readonly TrialParameter[]
  readonly body?: { readonly type: string; readonly text: string; readonly isRequired: boolean }
}

type SignIn =
  | { readonly kind: 'header' | 'query'; readonly label: string; readonly name: string }
  | { readonly kind: 'basic' | 'bearer'; readonly label: string }

type TrialParameter = {
  readonly name: string
  readonly where: 'path' | 'query' | 'header'
  readonly isRequired: boolean
  /** Several values, one per line; `comma` sends them as one. */
  readonly list?: 'repeated' | 'comma'
  readonly choices?: readonly string[]
  readonly value: string
}

const SERVERS_MAX = 20
const SERVERS_READ_MAX = 100
/** The length of an address and of a variable's choice: authors write them for people. */
const ADDRESS_CHARACTERS_MAX = 1_000
const VARIABLE_CHARACTERS_MAX = 200
/** RFC 1035 §2.3.4. Hosts go into a header. */
const HOST_CHARACTERS_MAX = 253
const CHOICES_MAX = 100
const BODY_CHARACTERS_MAX = 20_000
const VALUE_CHARACTERS_MAX = 1_000

/**
 * Undefined if the specification does not let readers send it (`x-hideTryItPanel`), or if none of its servers has an
 * absolute address. `root` is the part that `document` was read from.
 */
export function trialOf(root: unknown, document: ApiDocument, operation: Operation): Trial | undefined {
  // Browsers do not send TRACE.
  if (!isObject(root) || root['x-try'] !== true || operation.method === 'TRACE') return undefined
  // Anything else at the beginning would be read as part of the server's name.
  if (!operation.path.startsWith('/')) return undefined
  const servers = serversOf(root)
  if (servers.length === 0) return undefined
  const body = bodyOf(document, operation)
  return {
    ...{ method: operation.method, path: operation.path, servers },
    signIns: schemesOf(root).flatMap(({ name, scheme }) => signInOf(name, scheme)),
    parameters: operation.parameters.flatMap(({ name, where, isRequired, isExploded, schema, examples }) => {
      if (where !== 'path' && where !== 'query' && where !== 'header') return []
      const shape = document.resolve(schema)
      const isList = isObject(shape) && shape.type === 'array'
      const list = !isList ? undefined : where === 'query' && isExploded ? 'repeated' : 'comma'
      const choices = isObject(shape) ? listOf(shape.enum).slice(0, CHOICES_MAX).map(asText) : []
      return {
        ...{ name, where, isRequired },
        ...(list === undefined ? {} : { list }),
        ...(choices.length === 0 || isList ? {} : { choices }),
        value: isList
          ? ''
          : firstValue(isRequired, () => examples[0]?.value ?? exampleRequest(document, schema, name)),
      }
    }),
    ...(body === undefined ? {} : { body }),
  }
}

/** What the page may connect to. */
export const originsOf = ({ servers }: Trial): string[] => [
  ...new Set(servers.map(server => new URL(server).origin)),
]

// An asterisk, a semicolon or a blank would allow more than one host in a policy.
const HOST = /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d+)?$/
const isHost = (host: string): boolean => host.length <= HOST_CHARACTERS_MAX && HOST.test(host)

function serversOf(root: Readonly<Record<string, unknown>>): string[] {
  const found = new Set<string>()
  for (const server of listOf(root.servers).slice(0, SERVERS_READ_MAX)) {
    for (const address of addressesOf(server)) {
      const url = URL.parse(address)
      if (url === null || !/^https?:$/.test(url.protocol) || !isHost(url.host)) continue
      if (url.username !== '' || url.password !== '') continue
      if (found.size < SERVERS_MAX) found.add((address.split(/[?#]/, 1)[0] ?? '').replace(/(?<!\/)\/+$/, ''))
    }
  }
  return [...found]
}

/** One address for each choice of its variables; none if a variable has neither choices nor a default. */
function addressesOf(server: unknown): string[] {
  if (!isObject(server)) return []
  const variables = isObject(server.variables) ? server.variables : {}
  let addresses = [textOf(server.url)].filter(isShort)
  for (const [name, variable] of Object.entries(variables)) {
    if (!addresses.some(address => address.includes(`{${name}}`))) continue
    const values = choicesOf(variable)
    addresses = addresses
      .flatMap(address =>
        address.includes(`{${name}}`)
          ? values.map(value => address.replaceAll(`{${name}}`, () => value))
          : [address],
      )
      .filter(isShort)
      .slice(0, SERVERS_MAX)
  }
  return addresses.filter(address => !/[{}]/.test(address))
}

const isShort = (address: string): boolean => address.length <= ADDRESS_CHARACTERS_MAX

function choicesOf(variable: unknown): string[] {
  if (!isObject(variable)) return []
  const values = [variable.default, ...listOf(variable.enum).slice(0, SERVERS_MAX)]
  return [...new Set(values)].filter(
    (value): value is string => typeof value === 'string' && value.length <= VARIABLE_CHARACTERS_MAX,
  )
}

function signInOf(name: string, scheme: Readonly<Record<string, unknown>>): SignIn[] {
  const type = textOf(scheme.type)
  const key = textOf(scheme.name)
  if (type === 'apiKey' && (scheme.in === 'header' || scheme.in === 'query'))
    return [{ kind: scheme.in, label: `API key (${key})`, name: key }]
  // Scripts cannot set cookies, or certificates, for another site.
  if (type === 'apiKey' || type === 'mutualTLS') return []
  if (type === 'http' && /^basic$/i.test(textOf(scheme.scheme))) return [{ kind: 'basic', label: name }]
  return [{ kind: 'bearer', label: type === 'http' ? 'Token' : `Token (${name})` }]
}

function firstValue(isRequired: boolean, example: () => unknown): string {
  if (!isRequired) return ''
  return asText(example()).slice(0, VALUE_CHARACTERS_MAX)
}

function bodyOf(document: ApiDocument, { body, method }: Operation): Trial['body'] {
  // Browsers do not send a body with these.
  if (body === undefined || method === 'GET' || method === 'HEAD') return undefined
  const value = body.example ?? (body.schema === undefined ? '' : exampleRequest(document, body.schema))
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null, null, 2)
  return {
    type: body.contentType ?? 'application/json',
    text: text.length > BODY_CHARACTERS_MAX ? '' : text,
    isRequired: body.isRequired,
  }
}
