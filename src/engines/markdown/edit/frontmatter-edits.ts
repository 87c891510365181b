// Sets keys of a page's frontmatter one by one: the rest of its YAML, with its comments, quotes and order, stays.
import { isDeepStrictEqual } from 'node:util'
import { isMap, isScalar, parseDocument, stringify } from 'yaml'
import {
  FRONTMATTER_BOUNDS,
  FRONTMATTER_CHARACTERS_MAX,
  findFrontmatter,
  lineEndOf,
  parseFrontmatter,
  parseYamlDocument,
} from '../syntax/syntax.ts'
import { applyEdits, type Edit } from './edits.ts'

export type FrontmatterValue = string | number | boolean | undefined | Readonly<Record<string, unknown>>

type Changes = readonly (readonly [key: string, value: FrontmatterValue])[]

/**
 * The text with these frontmatter keys set (undefined value: key removed), every other byte as it was. Creates the
 * frontmatter if there is none, and removes it if this makes it empty. A repeated key is set where it counts, at its
 * last place. YAML that cannot be read is edited line by line nevertheless, and cannot be read afterwards either.
 */
export function setFrontmatter(source: string, values: Readonly<Record<string, FrontmatterValue>>): string {
  const found = findFrontmatter(source)
  if (found === undefined) return createFrontmatter(source, values)
  const yaml = source.slice(found.start, found.end)
  const edited = setKeys(yaml, parseFrontmatter(source).data, values, lineEndOf(source))
  if (edited === yaml) return source
  const whole = source.slice(0, found.start) + edited + source.slice(found.end)
  if (edited.trim() !== '') return whole
  const bom = source.startsWith('\ufeff') ? '\ufeff' : ''
  const body = bom + source.slice(found.bodyStart).replace(/^[ \t]*(?:\r\n|\n|\r)/, '')
  // A body that begins with a line of dashes would be taken for frontmatter.
  return findFrontmatter(body) === undefined ? body : whole
}

/**
 * The YAML of a map with these keys set (undefined value: key removed), every other byte as it was. `data` is its
 * value: a key that already has the right value stays as written.
 */
export function setKeys(
  yaml: string,
  data: Readonly<Record<string, unknown>>,
  values: Readonly<Record<string, FrontmatterValue>>,
  lineEnd: string,
): string {
  const changes = Object.entries(values).filter(
    ([key, value]) =>
      value === undefined || !Object.hasOwn(data, key) || !isDeepStrictEqual(plain(data[key]), plain(value)),
  )
  return flowMap(yaml, changes) ?? editLines(yaml, changes, lineEnd)
}

/** A copy without undefined members, as YAML would give it. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))

function createFrontmatter(source: string, values: Readonly<Record<string, FrontmatterValue>>): string {
  const set = Object.entries(values).filter(([, value]) => value !== undefined)
  if (set.length === 0) return source
  const eol = lineEndOf(source)
  const bom = source.startsWith('\ufeff') ? '\ufeff' : ''
  const body = source.slice(bom.length)
  const yaml = set.map(([key, value]) => entryOf(key, value, '', eol)).join('')
  return `${bom}---${eol}${yaml}---${eol}${body === '' ? '' : eol}${body}`
}

/** A key with its value, as whole lines. */
function entryOf(key: string, value: unknown, indent: string, eol: string): string {
  const lines = stringify({ [key]: value }, { lineWidth: 0 })
    .replace(/\n$/, '')
    .split('\n')
  return lines.map(line => (line === '' ? eol : indent + line + eol)).join('')
}

/** `{ title: Setup }`: the YAML library rewrites a map in braces. Undefined for any other YAML. */
function flowMap(yaml: string, changes: Changes): string | undefined {
  if (!/^\s*(?:#[^\n]*\n\s*)*\{/.test(yaml)) return undefined
  const { document } = parseYamlDocument(yaml, FRONTMATTER_BOUNDS)
  if (document === undefined || !isMap(document.contents)) return undefined
  for (const [key, value] of changes) {
    if (value === undefined) document.delete(key)
    else document.set(key, document.createNode(value))
  }
  if (changes.length === 0) return yaml
  return document.contents.items.length === 0 ? '' : document.toString({ lineWidth: 0 })
}

// ---- line by line ----------------------------------------------------------------------------------------

type Entry = { readonly key: string; readonly start: number; end: number }

function editLines(yaml: string, changes: Changes, eol: string): string {
  const { entries, indent } = readEntries(yaml)
  const edits: Edit[] = []
  let added = ''
  for (const [key, value] of changes) {
    const places = entries.filter(entry => entry.key === key)
    const last = places.at(-1)
    if (value === undefined) for (const { start, end } of places) edits.push({ start, end, text: '' })
    else if (last === undefined) added += entryOf(key, value, indent, eol)
    else edits.push({ ...last, text: editEntry(yaml.slice(last.start, last.end), key, value, indent, eol) })
  }
  return applyEdits(yaml, edits) + added
}

/**
 * The keys of the map with the lines that each takes. A line that is indented further belongs to the key above it, and
 * so does a list item; comments and blank lines do if more of the key follows.
 */
function readEntries(yaml: string): { entries: Entry[]; indent: string } {
  const entries: Entry[] = []
  let indent: string | undefined
  let start = 0
  for (const line of yaml.match(/[^\r\n]*(?:\r\n?|\n)?/g) ?? []) {
    const end = start + line.length
    const words = line.trim()
    const room = line.slice(0, line.length - line.trimStart().length)
    // An indented `#` need not begin a comment: it may be part of a text.
    if (words !== '' && (!words.startsWith('#') || (indent !== undefined && room.length > indent.length))) {
      indent ??= room
      const key = room === indent && !/^-(?:\s|$)/.test(words) ? keyOf(words) : undefined
      const last = entries.at(-1)
      if (key !== undefined) entries.push({ key, start, end })
      else if (last !== undefined) last.end = end
    }
    start = end
  }
  return { entries, indent: indent ?? '' }
}

/** The key before the first colon that ends one. */
function keyOf(words: string): string | undefined {
  for (let at = words.indexOf(':'); at !== -1; at = words.indexOf(':', at + 1)) {
    if (/\S/.test(words.charAt(at + 1))) continue
    const key = words.slice(0, at).trimEnd()
    const quote = key[0]
    return (quote === '"' || quote === "'") && key.endsWith(quote) ? key.slice(1, -1) : key
  }
  return undefined
}

/** The lines of a key with a new value; a comment after a one-line value stays. */
function editEntry(entry: string, key: string, value: unknown, indent: string, eol: string): string {
  const written = entryOf(key, value, indent, eol)
  const scalar = scalarOf(entry)
  const single = scalarOf(written)
  if (scalar === undefined || single === undefined) return written
  return entry.slice(0, scalar.start) + written.slice(single.start, single.end) + entry.slice(scalar.end)
}

/** The place of a value that is one scalar on one line; undefined for any other. */
function scalarOf(entry: string): { start: number; end: number } | undefined {
  if (entry.length > FRONTMATTER_CHARACTERS_MAX) return undefined
  // The parser's search for repeated keys is quadratic.
  const document = parseDocument(entry, { logLevel: 'silent', prettyErrors: false, uniqueKeys: false })
  if (document.errors.length > 0 || !isMap(document.contents)) return undefined
  const node = document.contents.items[0]?.value
  if (!isScalar(node) || !node.range || node.anchor !== undefined || node.tag !== undefined) return undefined
  const [start, end] = node.range
  const text = entry.slice(start, end)
  return start === end || /[\r\n]/.test(text) || /^[|>]/.test(text) ? undefined : { start, end }
}
