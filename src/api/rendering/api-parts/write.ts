// A part of an API description as Markdown, for paper and for programs: what draw.ts shows, in tables and fences, with
// nothing folded away and no form.

import { isObject, textOf } from '../../../base/objects.ts'
import { asMarkdown } from '../../../compute/specification-outline.ts'
import { plainWords } from '../../../engines/markdown/render/render.ts'
import { inOneLine } from '../../../engines/markdown/syntax/syntax.ts'
import { reasonOf } from '../openapi/badges.ts'
import {
  type ApiDocument,
  type Content,
  type Operation,
  type Parameter,
  type Reply,
  readDocument,
} from '../openapi/document.ts'
import { exampleReply, exampleRequest } from '../openapi/example.ts'
import { parameterText, WHERES } from '../openapi/fields.ts'
import { type Shape, shapeOf } from '../openapi/shape.ts'
import { accessOf, type PartStyle, rootOf } from './draw.ts'
import { samplesOf } from './samples.ts'

/** Rows of one table. */
const ROWS_MAX = 200
/** The length of an example; a longer one is cut. */
const EXAMPLE_CHARACTERS_MAX = 10_000
const CELL_CHARACTERS_MAX = 2_000
const TITLE = '###'

/** @param parts one for an operation or a webhook, one for each schema */
export function writePart(
  parts: readonly unknown[],
  { kind, isHeadless }: Pick<PartStyle, 'kind' | 'isHeadless'>,
): string {
  if (kind === 'schemas') return blocks(parts.map(part => writeSchema(part, isHeadless)))
  const root = rootOf(parts[0], kind)
  const document = readDocument(root)
  const [operation] = document.operations
  return operation === undefined ? '' : writeOperation(root, document, operation, kind, isHeadless)
}

const blocks = (all: readonly (string | false | undefined)[]): string =>
  all.filter(block => block !== '' && block !== false && block !== undefined).join('\n\n')

function writeOperation(
  root: unknown,
  document: ApiDocument,
  operation: Operation,
  kind: 'operation' | 'webhook',
  isHeadless: boolean,
): string {
  const { method, path, body, parameters, replies, summary, description } = operation
  const title = summary || (kind === 'webhook' ? path : '')
  const access = kind === 'operation' ? accessOf(root, document) : undefined
  const curl = kind === 'operation' ? samplesOf(root, document, operation)[0]?.text : undefined
  return blocks([
    title !== '' && !isHeadless && `${TITLE} ${plainWords(title)}`,
    code(`${method} ${path}`),
    operation.isDeprecated && '*Deprecated*',
    !isHeadless && asMarkdown(description),
    access !== undefined && plainWords(access),
    curl !== undefined && fence('sh', curl),
    ...WHERES.map(([where, name]) => {
      const found = parameters.filter(parameter => parameter.where === where)
      return found.length > 0 && blocks([`**${name}**`, table(parameterRows(document, found))])
    }),
    body !== undefined &&
      blocks([
        `**Request body**${body.isRequired ? '' : ' (optional)'}${body.contentType === undefined ? '' : `, ${code(body.contentType)}`}`,
        asMarkdown(body.description),
        body.schema !== undefined && writeShape(shapeOf(document, body.schema), true),
        kind === 'webhook' && (body.schema !== undefined || body.example !== undefined)
          ? writeExamples(body, () => exampleRequest(document, body.schema))
          : writeNamed(body),
        ...writeOthers(document, body, true),
      ]),
    ...replies.map(reply => writeReply(document, reply)),
    isObject(root) &&
      root['x-cut'] === true &&
      'This refers to more than can be shown here: some of its schemas are named without what they hold.',
  ])
}

function writeReply(document: ApiDocument, reply: Reply): string {
  const { status, description, headers, schema, contentType } = reply
  const reason = reasonOf(status)
  const hasBody = schema !== undefined || reply.example !== undefined
  return blocks([
    `**Response ${plainWords(status)}**${reason === '' ? '' : ` ${reason}`}${contentType === undefined ? '' : `, ${code(contentType)}`}`,
    asMarkdown(description) !== reason && asMarkdown(description),
    headers.length > 0 &&
      table(
        headers.map(({ name, description: words }) => [
          code(name),
          'header',
          words.slice(0, CELL_CHARACTERS_MAX),
        ]),
      ),
    schema !== undefined && writeShape(shapeOf(document, schema), false),
    hasBody && writeExamples(reply, () => exampleReply(document, schema)),
    ...writeOthers(document, reply, false),
  ])
}

/** Those of the description by their names, else one. */
const writeExamples = (content: Partial<Content>, made: () => unknown): string =>
  content.named === undefined ? example(content.example ?? made()) : writeNamed(content)

const writeNamed = ({ named = [] }: Partial<Content>): string =>
  blocks(named.map(({ title, value }) => `*${plainWords(title)}*\n\n${example(value)}`))

/** The same body in other content types. */
const writeOthers = (
  document: ApiDocument,
  { others = [] }: Partial<Content>,
  isRequest: boolean,
): string[] =>
  others.map(content =>
    blocks([
      `Or as ${code(content.contentType)}:`,
      content.schema !== undefined && writeShape(shapeOf(document, content.schema), isRequest),
      content.named === undefined
        ? content.example !== undefined && example(content.example)
        : writeNamed(content),
    ]),
  )

function writeSchema(part: unknown, isHeadless: boolean): string {
  const document = readDocument(part)
  const name = isObject(part) ? textOf(part['x-schema']) : ''
  const schema = document.schemas.get(name)
  const shape = shapeOf(document, schema, name)
  return blocks([
    !isHeadless && `${TITLE} ${plainWords(name)}`,
    asMarkdown(shape.description),
    writeShape({ ...shape, description: '' }, false),
    example(exampleReply(document, schema)),
  ])
}

type Row = readonly [name: string, type: string, description: string]

/** A whole body: a line with its type, then its fields; nested fields have full names. */
function writeShape(shape: Shape, isRequest: boolean): string {
  const isPlain = shape.fields.length === 0 && shape.options.length === 0
  const saysMore = isPlain || shape.model !== undefined || shape.type.startsWith('array')
  const rows = [...rowsOf(shape, shape.type.startsWith('array') ? '[].' : '', isRequest)]
  return blocks([
    saysMore && typeOf(shape),
    isPlain && asMarkdown(shape.description),
    isPlain && valuesOf(shape),
    rows.length > 0 && table(rows),
  ])
}

function* rowsOf(shape: Shape, prefix: string, isRequest: boolean): Generator<Row> {
  for (const { name, isRequired, shape: inner } of shape.fields) {
    const presence = isRequest ? isRequired && 'required' : !isRequired && 'may be absent'
    yield [code(`${prefix}${name}`), typeOf(inner, presence), wordsOf(inner)]
    yield* rowsOf(inner, `${prefix}${name}${inner.type.startsWith('array') ? '[]' : ''}.`, isRequest)
  }
  for (const [index, option] of shape.options.entries()) {
    yield [index === 0 ? '*either*' : '*or*', typeOf(option), wordsOf(option)]
    yield* rowsOf(option, prefix, isRequest)
  }
}

const parameterRows = (document: ApiDocument, parameters: readonly Parameter[]): Row[] =>
  parameters.map(({ name, isRequired, isDeprecated, description, schema, examples }) => {
    const shape = shapeOf(document, schema)
    const said = { ...shape, description: description || shape.description }
    const items = examples.map(
      ({ title, value }) => `- ${plainWords(title || 'Example')}: ${code(parameterText(value))}`,
    )
    return [
      code(name),
      typeOf({ ...said, isDeprecated: isDeprecated || shape.isDeprecated }, isRequired && 'required'),
      [wordsOf(said), items.join('\n')].filter(Boolean).join('\n\n'),
    ]
  })

const PATTERN = 'matches '

function typeOf(shape: Shape, presence: string | false = false): string {
  const { type, facts, isDeprecated, isReadOnly, isCut, fields } = shape
  return [
    plainWords(type),
    presence,
    isDeprecated && 'deprecated',
    isReadOnly && 'read only',
    ...facts.map(fact =>
      fact.startsWith(PATTERN) ? `${PATTERN}${code(fact.slice(PATTERN.length))}` : plainWords(fact),
    ),
    isCut && fields.length === 0 && 'not unfolded again',
  ]
    .filter(words => words !== false && words !== '')
    .join(', ')
}

const valuesOf = ({ values }: Shape): string =>
  values.length === 0 ? '' : `${values.length === 1 ? 'Always' : 'One of'} ${values.map(code).join(', ')}`

/** A value is never cut in the middle: only the description is. */
const wordsOf = (shape: Shape): string =>
  [shape.description.slice(0, CELL_CHARACTERS_MAX), valuesOf(shape)].filter(Boolean).join('\n\n')

function table(rows: readonly Row[]): string {
  const shown = rows.slice(0, ROWS_MAX)
  const lines = [
    '| Name | Type | Description |',
    '| --- | --- | --- |',
    ...shown.map(row => `| ${row.map(inCell).join(' | ')} |`),
  ]
  const left = rows.length - shown.length
  return blocks([lines.join('\n'), left > 0 && `${left} more are not shown here.`])
}

/** Paragraphs and items on one line; other block markup is left out. */
function inCell(markdown: string): string {
  const unfenced = markdown.replace(/^[ \t]*(?:```|~~~).*$/gm, '')
  const lines = asMarkdown(unfenced)
    .split('\n')
    .map(line => line.trim())
  let text = ''
  for (const line of lines) {
    const item = /^[-*+] /.test(line)
    const words = item ? `• ${line.slice(2)}` : line.replace(/^#{1,6} /, '')
    if (words === '') text = text.replace(/<br>$/, '')
    text +=
      words === '' || (item && text !== '') ? `<br>${words}` : `${text.endsWith('>') ? '' : ' '}${words}`
  }
  return withoutPipes(text.replace(/(?:<br>)+$/, '').trim())
}

/** Escapes pipes: an escaped one does not end a cell. */
function withoutPipes(text: string): string {
  const [first = '', ...rest] = text.split('|')
  return rest.reduce((before, after) => {
    let slashes = 0
    while (before[before.length - 1 - slashes] === '\\') slashes += 1
    return `${before}${slashes % 2 === 0 ? '\\' : ''}|${after}`
  }, first)
}

function code(words: string): string {
  const text = inOneLine(words)
  if (text.trim() === '') return ''
  const signs = '`'.repeat(1 + Math.max(0, ...(text.match(/`+/g) ?? []).map(run => run.length)))
  const edge = /^[` ]|[` ]$/.test(text) ? ' ' : ''
  return `${signs}${edge}${text}${edge}${signs}`
}

function fence(language: string, text: string): string {
  const signs = '`'.repeat(Math.max(3, 1 + Math.max(0, ...(text.match(/`+/g) ?? []).map(run => run.length))))
  return `${signs}${language}\n${text.toWellFormed()}\n${signs}`
}

function example(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')
  if (text === '') return ''
  const isCut = text.length > EXAMPLE_CHARACTERS_MAX
  return fence(
    typeof value === 'string' ? '' : 'json',
    isCut ? `${text.slice(0, EXAMPLE_CHARACTERS_MAX)}\n…` : text,
  )
}
