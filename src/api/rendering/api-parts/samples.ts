// A request in the languages that most readers use.

import { isObject, listOf, textOf } from '../../../base/objects.ts'
import { isNumber } from '../../../base/written-numbers.ts'
import type { ApiDocument, Operation, Parameter } from '../openapi/document.ts'
import { exampleRequest } from '../openapi/example.ts'

export type Sample = { readonly name: string; readonly text: string }

type Request = {
  readonly method: string
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Body | undefined
}

type Body =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'form'; readonly value: readonly (readonly [string, string])[] }

/** @param root the part that `document` was read from */
export function samplesOf(root: unknown, document: ApiDocument, operation: Operation): Sample[] {
  const request = requestOf(root, document, operation)
  const curl = { name: 'curl', text: inCurl(request) }
  // A form with files takes more than a line in other languages.
  if (request.body?.kind === 'form') return [curl]
  return [
    curl,
    { name: 'JavaScript', text: inJavaScript(request) },
    { name: 'Python', text: inPython(request) },
    { name: 'Go', text: inGo(request) },
  ]
}

function requestOf(root: unknown, document: ApiDocument, operation: Operation): Request {
  const { method, path, parameters } = operation
  const { headers, query } = signingIn(root)
  const example = ({ examples: [first], schema, name }: Parameter) =>
    asText(first?.value ?? exampleRequest(document, schema, name))
  const filled = path.replace(/\{([^{}]*)\}/g, (whole, name: string) => {
    const parameter = parameters.find(each => each.where === 'path' && each.name === name)
    const schema = document.resolve(parameter?.schema)
    const given =
      parameter?.examples[0]?.value ??
      (isObject(schema) ? (schema.example ?? listOf(schema.examples)[0]) : undefined)
    return given === undefined ? whole : encoded(asText(given))
  })
  const required = parameters.filter(({ isRequired }) => isRequired)
  const pairs = [
    ...required
      .filter(({ where }) => where === 'query')
      .map(parameter => [parameter.name, example(parameter)] as const),
    ...query,
  ].map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
  const body = bodyOf(document, operation)
  const type = operation.body?.contentType ?? 'application/json'
  return {
    method,
    url: `${serverOf(root, document)}${filled}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`,
    headers: [
      ...headers,
      ...required
        .filter(({ where }) => where === 'header')
        .map(parameter => [parameter.name, example(parameter)] as const),
      ...(body === undefined || body.kind === 'form' ? [] : [['Content-Type', type] as const]),
    ].map(([name, value]) => [oneLine(name), oneLine(value)] as const),
    body,
  }
}

/** The first server, with the default values of its variables. */
function serverOf(root: unknown, { baseUrl }: ApiDocument): string {
  const [server] = isObject(root) ? listOf(root.servers) : []
  const variables = isObject(server) && isObject(server.variables) ? server.variables : {}
  return baseUrl.replace(/\{([^{}]*)\}/g, (whole, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined
    return isObject(variable) && typeof variable.default === 'string' ? variable.default : whole
  })
}

function bodyOf(document: ApiDocument, { body }: Operation): Body | undefined {
  if (body === undefined || (body.schema === undefined && body.example === undefined)) return undefined
  const value = body.example ?? exampleRequest(document, body.schema)
  const type = body.contentType ?? 'application/json'
  if (/^multipart\//.test(type))
    return {
      kind: 'form',
      value: Object.entries(isObject(value) ? value : {}).map(([name, one]) => [name, asText(one)] as const),
    }
  if (/^application\/x-www-form-urlencoded/.test(type) && isObject(value))
    return {
      kind: 'text',
      value: Object.entries(value)
        .map(([name, one]) => `${encoded(name)}=${encoded(asText(one))}`)
        .join('&'),
    }
  return /json/.test(type) ? { kind: 'json', value } : { kind: 'text', value: asText(value) }
}

/** How the first alternative of its security signs in. */
function signingIn(root: unknown) {
  const headers: (readonly [string, string])[] = []
  const query: (readonly [string, string])[] = []
  for (const { scheme } of schemesOf(root)) {
    const type = textOf(scheme.type)
    const name = textOf(scheme.name)
    if (type === 'apiKey' && scheme.in === 'query') query.push([name, 'YOUR_API_KEY'])
    else if (type === 'apiKey' && scheme.in === 'cookie') headers.push(['Cookie', `${name}=YOUR_API_KEY`])
    else if (type === 'apiKey') headers.push([name, 'YOUR_API_KEY'])
    else if (type === 'http' && /^basic$/i.test(textOf(scheme.scheme)))
      headers.push(['Authorization', 'Basic YOUR_CREDENTIALS'])
    else headers.push(['Authorization', 'Bearer YOUR_TOKEN'])
  }
  return { headers, query }
}

/** The schemes of the first alternative of the part's security, by name. */
export function schemesOf(root: unknown): { name: string; scheme: Record<string, unknown> }[] {
  if (!isObject(root)) return []
  const [item] = Object.values(isObject(root.paths) ? root.paths : {})
  const operation = Object.values(isObject(item) ? item : {}).find(
    value => isObject(value) && !Array.isArray(value),
  )
  const [first] = listOf((isObject(operation) ? operation.security : undefined) ?? root.security)
  const components = isObject(root.components) ? root.components : {}
  const schemes = isObject(components.securitySchemes) ? components.securitySchemes : {}
  return Object.keys(isObject(first) ? first : {}).flatMap(name => {
    const scheme = Object.hasOwn(schemes, name) ? schemes[name] : undefined
    return isObject(scheme) ? [{ name, scheme }] : []
  })
}

function inCurl({ method, url, headers, body }: Request): string {
  const lines = [
    `${method === 'GET' ? 'curl' : `curl -X ${method}`} ${quoted(url)}`,
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
  ]
  if (body?.kind === 'form')
    for (const [name, value] of body.value) lines.push(`-F ${quoted(`${name}=${value}`)}`)
  else if (body !== undefined)
    lines.push(`-d ${quoted(body.kind === 'json' ? pretty(body.value) : body.value)}`)
  return lines.join(' \\\n  ')
}

function inJavaScript({ method, url, headers, body }: Request): string {
  const fields = [
    `  method: ${literal(method)},`,
    ...(headers.length === 0
      ? []
      : [
          '  headers: {',
          ...headers.map(([name, value]) => `    ${literal(name)}: ${literal(value)},`),
          '  },',
        ]),
    ...(body === undefined ? [] : [`  body: ${bodyInJavaScript(body)},`]),
  ]
  const isPlain = method === 'GET' && fields.length === 1
  return `const response = await fetch(${literal(url)}${isPlain ? '' : `, {\n${fields.join('\n')}\n}`})
const data = await response.json()`
}

const bodyInJavaScript = (body: Body): string =>
  body.kind === 'json' ? `JSON.stringify(${indented(pretty(body.value), '  ')})` : literal(String(body.value))

function inPython({ method, url, headers, body }: Request): string {
  const fields = [
    `    ${literal(method)},`,
    `    ${literal(url)},`,
    ...(headers.length === 0
      ? []
      : [
          '    headers={',
          ...headers.map(([name, value]) => `        ${literal(name)}: ${literal(value)},`),
          '    },',
        ]),
    ...(body === undefined
      ? []
      : [
          body.kind === 'json'
            ? `    json=${indented(python(body.value, ''), '    ')},`
            : `    data=${literal(String(body.value))},`,
        ]),
  ]
  return `import requests\n\nresponse = requests.request(\n${fields.join('\n')}\n)\ndata = response.json()`
}

function python(value: unknown, indent: string): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (isNumber(value)) return String(value)
  const inner = `${indent}    `
  const among = (items: readonly string[], [open, close]: readonly [string, string]): string =>
    items.length === 0
      ? open + close
      : `${open}\n${items.map(item => `${inner}${item},\n`).join('')}${indent}${close}`
  if (Array.isArray(value))
    return among(
      value.map(one => python(one, inner)),
      ['[', ']'],
    )
  if (isObject(value))
    return among(
      Object.entries(value).map(([name, one]) => `${literal(name)}: ${python(one, inner)}`),
      ['{', '}'],
    )
  return typeof value === 'string' ? literal(value) : String(value)
}

function inGo({ method, url, headers, body }: Request): string {
  const sent = body === undefined ? 'nil' : 'body'
  const text = body?.kind === 'json' ? pretty(body.value) : String(body?.value ?? '')
  return [
    ...(body === undefined ? [] : [`body := strings.NewReader(${goText(text)})`]),
    `request, err := http.NewRequest(${literal(method)}, ${literal(url)}, ${sent})`,
    'if err != nil {',
    '\tlog.Fatal(err)',
    '}',
    ...headers.map(([name, value]) => `request.Header.Set(${literal(name)}, ${literal(value)})`),
    'response, err := http.DefaultClient.Do(request)',
  ].join('\n')
}

const goText = (text: string): string =>
  text.includes('`') || text.includes('\r') ? literal(text) : `\`${text.toWellFormed()}\``

const pretty = (value: unknown): string => JSON.stringify(value ?? null, null, 2)
/** A JSON string is also a string in JavaScript, Python and Go if it is well-formed. */
const literal = (text: string): string => JSON.stringify(text.toWellFormed())
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
const indented = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`)
const oneLine = (text: string): string => text.replace(/\s+/g, ' ')
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())
export const asText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null)
