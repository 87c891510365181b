// The pages that show a specification in a space: pages of its description, of its tags with their operations, and of
// its schemas. Reading any document ends, within bounds.

import { entriesOf, isObject, listOf, ownMember, textOf } from '../../base/objects.ts'
import { type ItemKind, METHODS, pathItems } from './path-items.ts'

/** `key` is unique, and stable when the specification changes. `text` is untrusted CommonMark. */
export type OutlinePage = {
  readonly key: string
  readonly title: string
  readonly icon?: string
  readonly description?: string
  readonly text: string
  readonly operations: readonly OutlineOperation[]
  readonly pages: readonly OutlinePage[]
}

export type OutlineOperation = {
  readonly kind: ItemKind
  /** In lower case. */
  readonly method: string
  /** A path, or the name of a webhook. */
  readonly path: string
  readonly title: string
  readonly text: string
}

export type Outline = {
  /** Pages for the headings of the specification's description. */
  readonly info: readonly OutlinePage[]
  readonly tags: readonly OutlinePage[]
  /** Names of schemas. */
  readonly models: readonly string[]
}

const OPERATIONS_MAX = 5_000
const MODELS_MAX = 5_000
const TAGS_MAX = 2_000
const DEPTH_MAX = 8
const TITLE_CHARACTERS_MAX = 200
const DESCRIPTION_CHARACTERS_MAX = 300
const TEXT_CHARACTERS_MAX = 20_000
/** The total length of all texts. */
const TEXTS_CHARACTERS_MAX = 1_000_000
const UNTAGGED = { operation: 'default', webhook: 'webhooks' } as const

const line = (value: unknown, max: number): string =>
  [
    ...textOf(value)
      .toWellFormed()
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 2 * max),
  ]
    .slice(0, max)
    .join('')
const isIgnored = (value: unknown): boolean =>
  ownMember(value, 'x-internal') === true || ownMember(value, 'x-gitbook-ignore') === true

/** @param document in OpenAPI 3.1 or 3.2 */
export function outlineOf(document: unknown): Outline {
  const texts = new Texts()
  return {
    info: infoPages(texts.take(ownMember(ownMember(document, 'info'), 'description'))),
    tags: tagPages(document, texts),
    models: entriesOf(ownMember(ownMember(document, 'components'), 'schemas'))
      .filter(([, schema]) => !isIgnored(schema))
      .map(([name]) => name)
      .slice(0, MODELS_MAX),
  }
}

/** Shows texts in order, as long as there is room. */
class Texts {
  #left = TEXTS_CHARACTERS_MAX

  take(value: unknown): string {
    const text = textOf(value).slice(0, Math.min(this.#left, TEXT_CHARACTERS_MAX)).toWellFormed()
    this.#left -= text.length
    return text
  }
}

/** A page for each first-level heading, and one below it for each second-level heading; other words belong to them. */
function infoPages(description: string): OutlinePage[] {
  type Open = { key: string; title: string; text: string; operations: []; pages: Open[] }
  const roots: Open[] = []
  let page: Open | undefined
  let count = 0
  let fence = ''
  for (const row of description.replaceAll('\r\n', '\n').split('\n')) {
    const mark = /^ {0,3}(```|~~~)/.exec(row)?.[1] ?? ''
    if (mark !== '' && (fence === '' || fence === mark)) fence = fence === '' ? mark : ''
    const heading = fence === '' ? /^(##?)[ \t]+(\S.*)$/.exec(row) : null
    if (heading === null) {
      if (page !== undefined) page.text += `${row}\n`
      continue
    }
    const key = `info-${count++}`
    page = { key, title: line(heading[2], TITLE_CHARACTERS_MAX), text: '', operations: [], pages: [] }
    const above = heading[1] === '##' ? roots.at(-1) : undefined
    if (above === undefined) roots.push(page)
    else above.pages.push(page)
  }
  return roots
}

type OpenTag = { readonly name: string; readonly tag: unknown; readonly operations: OutlineOperation[] }

/** A tag without operations has a page if another is below it. Tags that the document does not list follow. */
function tagPages(document: unknown, texts: Texts): OutlinePage[] {
  const listed = new Map<string, unknown>()
  for (const tag of listOf(ownMember(document, 'tags')).slice(0, TAGS_MAX)) {
    const name = textOf(ownMember(tag, 'name'))
    if (name !== '' && !listed.has(name)) listed.set(name, tag)
  }
  const open = new Map<string, OpenTag>()
  for (const [name, tag] of listed) open.set(name, { name, tag, operations: [] })
  for (const { tags, ...operation } of operationsOf(document, texts)) {
    const name = tags.find(tag => listed.has(tag)) ?? tags[0] ?? UNTAGGED[operation.kind]
    const found = open.get(name) ?? { name, tag: undefined, operations: [] }
    open.set(name, found)
    found.operations.push(operation)
  }
  const below = new Map<string | null, OpenTag[]>()
  for (const tag of open.values()) {
    if (isIgnored(tag.tag)) continue
    const key = reachesTop(open, tag.name) ? parentOf(tag.tag) || null : null
    below.set(key, [...(below.get(key) ?? []), tag])
  }
  const toPages = (parent: string | null, depth: number): OutlinePage[] =>
    (below.get(parent) ?? []).flatMap(({ name, tag, operations }) => {
      const pages = depth < DEPTH_MAX ? toPages(name, depth + 1) : []
      if (operations.length === 0 && pages.length === 0) return []
      const icon = line(ownMember(tag, 'x-page-icon'), 60)
      const description = line(ownMember(tag, 'x-page-description'), DESCRIPTION_CHARACTERS_MAX)
      return {
        key: `tag-${name}`,
        title: titleOfTag(name, tag),
        ...(/^[a-z0-9-]+$/.test(icon) ? { icon } : {}),
        ...(description === '' ? {} : { description }),
        text: texts.take(ownMember(tag, 'description')),
        operations,
        pages,
      }
    })
  return toPages(null, 1)
}

/** Whether all its ancestors exist; a tag in a cycle is at the top. */
function reachesTop(open: ReadonlyMap<string, OpenTag>, name: string): boolean {
  const seen = new Set<string>()
  for (let at = name; at !== ''; at = parentOf(open.get(at)?.tag)) {
    if (seen.has(at) || !open.has(at) || isIgnored(open.get(at)?.tag)) return false
    seen.add(at)
  }
  return true
}

const parentOf = (tag: unknown): string =>
  textOf(ownMember(tag, 'parent')) || textOf(ownMember(tag, 'x-parent'))

const titleOfTag = (name: string, tag: unknown): string =>
  line(ownMember(tag, 'x-page-title'), TITLE_CHARACTERS_MAX) ||
  line(ownMember(tag, 'x-displayName'), TITLE_CHARACTERS_MAX) ||
  line(
    name
      .split('-')
      .map(word => word.charAt(0).toUpperCase() + word.slice(1))
      .join(' '),
    TITLE_CHARACTERS_MAX,
  ) ||
  'Unknown'

function* operationsOf(
  document: unknown,
  texts: Texts,
): Generator<OutlineOperation & { readonly tags: readonly string[] }> {
  let count = 0
  for (const { kind, path, item } of pathItems(document))
    for (const method of METHODS) {
      const operation = ownMember(item, method)
      if (!isObject(operation) || isIgnored(operation) || isIgnored(item)) continue
      if (++count > OPERATIONS_MAX) return
      yield {
        ...{ kind, method, path },
        title:
          line(operation.summary, TITLE_CHARACTERS_MAX) ||
          line(kind === 'webhook' ? path : `${method.toUpperCase()} ${path}`, TITLE_CHARACTERS_MAX),
        text: texts.take(operation.description),
        tags: listOf(operation.tags).flatMap(tag => textOf(tag) || []),
      }
    }
}
