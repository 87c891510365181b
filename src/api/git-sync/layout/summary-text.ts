// The SUMMARY.md that an export writes.
import { assertDefined } from '../../../base/assert.ts'
import { invalid } from '../../../base/errors.ts'
import { flattenOutline, type OutlineEntry } from '../../../compute/outline.ts'
import type { Content } from '../../../engines/content/content.ts'
import type { Hash } from '../../../engines/content/records.ts'
import type { ListedEntry, WrittenEntry } from '../../../engines/markdown/edit/edit.ts'
import { slugify } from '../../../engines/names/slugs.ts'
import { haveSameLine, isListedAlike, type ListedPage, listPages, toEntry } from './listing.ts'
import type { Problems } from './problems.ts'
import type { Project } from './project.ts'
import { BOM, decodeStrictly, hasByteOrderMark } from './reader.ts'
import type { Source } from './source.ts'
import { readOutline } from './summary.ts'

/**
 * The new text of SUMMARY.md, or undefined if the existing one lists the pages of `head`.
 *
 * @param base the repository's state; absent if it has nothing of this space
 */
export async function planSummary(
  source: Source,
  project: Project,
  { base, head }: { readonly base: Content | undefined; readonly head: Content },
  problems: Problems,
): Promise<Uint8Array | undefined> {
  const listed = await listPages(head)
  const before = base && (await listPages(base))
  if (before !== undefined && (await isListedAlike(before, listed))) return undefined
  if (listed.length === 0 && before === undefined) return undefined
  const template = base ?? head
  const bytes = await readDocument(source, template.summary)
  const decoded = bytes === undefined ? undefined : decodeStrictly(bytes)
  const text = decoded ?? ''
  const written =
    text === '' ? undefined : await alignLines(source, project, template, text, before ?? listed)
  if (text !== '' && written === undefined)
    problems.add({
      code: 'summary_rewritten',
      message: 'This could not be edited line by line and was rewritten.',
      file: project.summary,
    })
  const edited = await source.compute.run('summaryEdits', source.spaceId, {
    text: written === undefined ? '' : text,
    written: written?.entries ?? [],
    wanted: wantedEntries(project, listed, before ?? listed, written),
  })
  if (edited.kind === 'beyond')
    throw invalid(
      'summary_too_costly',
      `${project.summary} takes too long to be written. Make it shorter and export again.`,
    )
  const hasBom = bytes !== undefined && decoded !== undefined && hasByteOrderMark(bytes)
  return Buffer.from(hasBom ? BOM + edited.value : edited.value)
}

const readDocument = async (source: Source, hash: Hash | null): Promise<Uint8Array | undefined> =>
  hash === null ? undefined : (await source.readDocuments([hash])).get(hash)

const isComputing = (pages: readonly ListedPage[]): boolean =>
  pages.some(({ record }) => record.type === 'computed')

/** Earlier versions did not import computed pages; then their lines count as text between entries. */
const withoutComputed = (entries: readonly OutlineEntry[]): OutlineEntry[] =>
  entries.flatMap(entry => {
    if (entry.kind === 'computed') return []
    return [entry.kind === 'link' ? entry : { ...entry, children: withoutComputed(entry.children) }]
  })

type Lines = {
  readonly entries: readonly WrittenEntry[]
  /** The page of the project itself, which SUMMARY.md does not list. */
  readonly unlisted: string | undefined
}

/**
 * The lines of a SUMMARY.md by the pages that they were imported as: an import keeps their order, so both lists
 * correspond. Undefined if they do not.
 */
async function alignLines(
  source: Source,
  project: Project,
  content: Content,
  text: string,
  pages: readonly ListedPage[],
): Promise<Lines | undefined> {
  const files = new Set([...content.files.values()].map(({ file }) => file))
  const there = new Set([...[...content.pages.values()].flatMap(({ file }) => file ?? []), ...files])
  const { entries } = await readOutline(source, text, project.summary, there, files)
  const nodes = flattenOutline(isComputing(pages) ? entries : withoutComputed(entries))
  const skipped = pages.length - nodes.length
  if (skipped !== 0 && (skipped !== 1 || pages[0]?.record.children.length !== 0)) return undefined
  const written: WrittenEntry[] = []
  for (const [at, { entry, parent }] of nodes.entries()) {
    const { id, record } = assertDefined(pages[at + skipped], 'there are `skipped` more pages than nodes')
    const kind = record.type === 'document' ? 'page' : record.type
    if (entry.kind !== kind || entry.lines === undefined) return undefined
    if (entry.kind === 'page' && entry.file !== record.file) return undefined
    written.push({ key: id, parent, kind: entry.kind, lines: entry.lines })
  }
  return { entries: written, unlisted: skipped === 1 ? pages[0]?.id : undefined }
}

/**
 * Groups whose number among those with the same title changed: headings without an address derive it from that number.
 */
function findReordered(before: readonly ListedPage[], listed: readonly ListedPage[]): ReadonlySet<string> {
  const titled = (pages: readonly ListedPage[]) =>
    Map.groupBy(
      pages.filter(({ record }) => record.type === 'group'),
      ({ record }) => record.title,
    )
  const titledBefore = titled(before)
  const reordered = new Set<string>()
  for (const [title, groups] of titled(listed)) {
    const were = titledBefore.get(title) ?? []
    const first = groups.findIndex(({ id }, at) => were[at]?.id !== id)
    if (first !== -1) for (const { id } of groups.slice(first)) reordered.add(id)
  }
  return reordered
}

function wantedEntries(
  { summary }: Project,
  listed: readonly ListedPage[],
  before: readonly ListedPage[],
  written: Lines | undefined,
): ListedEntry[] {
  const known = new Map(before.map(page => [page.id, page]))
  const reordered = findReordered(before, listed)
  const entries = listed.map(page => {
    const was = known.get(page.id)
    const isWritten = was !== undefined && haveSameLine(was, page) && !reordered.has(page.id)
    return toEntry(page, { summary, slugify }, isWritten)
  })
  const [first] = listed
  const isUnlisted =
    first !== undefined &&
    first.id === written?.unlisted &&
    first.record.children.length === 0 &&
    entries[0]?.isWritten === true &&
    // A SUMMARY.md that lists no file would not be read.
    listed.some(({ record }, at) => at > 0 && record.document !== null)
  if (!isUnlisted) return entries
  return entries
    .slice(1)
    .map(entry => ({ ...entry, parent: entry.parent === null ? null : entry.parent - 1 }))
}
