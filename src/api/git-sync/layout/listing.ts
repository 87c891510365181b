// The pages of a revision as SUMMARY.md lists them, and the content of its lines.
import { inSlices } from '../../../base/slices.ts'
import type { Content } from '../../../engines/content/content.ts'
import { equalRecords, type PageRecord, type Reference } from '../../../engines/content/records.ts'
import type { ListedEntry } from '../../../engines/markdown/edit/edit.ts'
import { linkBetween } from '../../../engines/names/new-files.ts'

export type ListedPage = {
  readonly id: string
  readonly record: PageRecord
  /** The index of the page above, or null at the top. */
  readonly parent: number | null
  /** The target of its line, from the top of the project; absent if it has none. */
  readonly target: string | undefined
}

/** Parents come before their children. */
export async function listPages(content: Content): Promise<ListedPage[]> {
  const listed: ListedPage[] = []
  const waiting: { readonly id: string; readonly parent: number | null }[] = [...content.tree.children]
    .reverse()
    .map(id => ({ id, parent: null }))
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { id, parent } = next
    const record = content.pages.get(id)
    if (record === undefined) continue
    const at = listed.push({ id, record, parent, target: targetOf(content, record) }) - 1
    for (const child of [...record.children].reverse()) waiting.push({ id: child, parent: at })
  }
  return withDistinctLinks(listed)
}

/**
 * The first entry with a file is its page. A link to a page that comes later gets an empty anchor, so that it is read
 * as a link.
 */
function withDistinctLinks(listed: readonly ListedPage[]): ListedPage[] {
  const seen = new Set<string | undefined>()
  return listed.map(page => {
    const { record, target } = page
    if (record.type === 'document') seen.add(record.file)
    const isEarly = record.type === 'link' && record.target?.kind === 'page' && !seen.has(target)
    return isEarly && target !== undefined ? { ...page, target: `${target}#` } : page
  })
}

function targetOf(content: Content, { type, file, target }: PageRecord): string | undefined {
  if (type !== 'link') return file
  return target && addressOf(content, target)
}

/** The address of a link in SUMMARY.md; undefined if it cannot be expressed there, as for a page of another space. */
export function addressOf(
  { pages, files }: Pick<Content, 'pages' | 'files'>,
  target: Reference,
): string | undefined {
  switch (target.kind) {
    case 'url':
      return target.url
    case 'file':
      return target.space === undefined ? files.get(target.file)?.file : undefined
    case 'page':
      return target.space === undefined ? pages.get(target.page)?.file : undefined
    case 'anchor': {
      const file = target.page && target.space === undefined ? pages.get(target.page)?.file : undefined
      return file && `${file}#${encodeURIComponent(target.anchor)}`
    }
    default:
      return undefined
  }
}

/** Whether two revisions have the same table of contents. */
export async function isListedAlike(
  one: readonly ListedPage[],
  other: readonly ListedPage[],
): Promise<boolean> {
  if (one.length !== other.length) return false
  for await (const [at, page] of inSlices(one.entries())) {
    const beside = other[at]
    if (page.parent !== beside?.parent || !haveSameLine(page, beside)) return false
  }
  return true
}

/** Whether both are the same page with the same line. */
export const haveSameLine = (one: ListedPage, other: ListedPage): boolean =>
  one.id === other.id &&
  one.target === other.target &&
  one.record.type === other.record.type &&
  one.record.title === other.record.title &&
  one.record.linkTitle === other.record.linkTitle &&
  equalRecords(one.record.computed, other.record.computed) &&
  (one.record.type !== 'group' || one.record.slug === other.record.slug)

const SCHEME = /^(?:[a-z][a-z0-9+.-]+:|\/\/)/i

/** A page as an entry of `summary`, the path of SUMMARY.md. `slugify` turns a title into an address. */
export function toEntry(
  { id, record, parent, target }: ListedPage,
  { summary, slugify }: { readonly summary: string; readonly slugify: (title: string) => string },
  isWritten: boolean,
): ListedEntry {
  const { type, title, linkTitle, slug, computed } = record
  const common = { key: id, parent, title, isWritten }
  if (type === 'computed') return { ...common, kind: 'computed', source: computed ?? {} }
  if (type === 'group')
    return { ...common, kind: 'group', ...(slugify(title) === slug ? {} : { anchor: slug }) }
  const destination = target === undefined || SCHEME.test(target) ? target : linkTo(summary, target)
  return {
    ...common,
    kind: type === 'link' ? 'link' : 'page',
    ...(destination === undefined ? {} : { destination }),
    ...(linkTitle === undefined ? {} : { linkTitle }),
  }
}

function linkTo(summary: string, target: string): string {
  const hash = target.indexOf('#')
  if (hash === -1) return linkBetween(summary, target)
  return linkBetween(summary, target.slice(0, hash)) + target.slice(hash)
}
