// The order of the pages of a project: from its SUMMARY.md, or without one from its folders.
import { createHash } from 'node:crypto'
import { invalid, tooLarge } from '../../../base/errors.ts'
import { folderOf, isFolderPage } from '../../../base/paths.ts'
import { flattenOutline, type OutlineEntry, type OutlineNode } from '../../../compute/outline.ts'
import type { SummaryOutline } from '../../../compute/summary-outline.ts'
import type { Content } from '../../../engines/content/content.ts'
import type { Hash } from '../../../engines/content/records.ts'
import { createImmutableCache } from '../../../platform/cache/cache.ts'
import { TITLE_CHARACTERS_MAX } from '../../content/bounds.ts'
import { DEPTH_MAX, KEPT_CHARACTERS_MAX, PAGES_MAX, SUMMARY_BYTES_MAX } from './bounds.ts'
import { outlineFromFolders } from './folder-outline.ts'
import type { Inventory } from './inventory.ts'
import { PROBLEMS_MAX, type Problems } from './problems.ts'
import type { Project } from './project.ts'
import { decodeStrictly, readKeptFile } from './reader.ts'
import type { Source } from './source.ts'

export type Outline = {
  readonly nodes: readonly OutlineNode[]
  /** SUMMARY.md byte for byte; absent if there is none. */
  readonly summary: Uint8Array | undefined
}

/**
 * @param before the SUMMARY.md of the previous revision
 * @throws Failure invalid: `markdown_missing` when there is no Markdown at all, `summary_missing` when the
 * configuration names a missing one, `summary_not_text`, `summary_too_large`, `summary_empty` when it names
 * no existing page, `summary_too_costly`; too_large `too_many_pages`.
 */
export async function planOutline(
  source: Source,
  inventory: Inventory,
  project: Project,
  before: Hash | null,
  problems: Problems,
): Promise<Outline> {
  const readme = findReadme(inventory, project)
  const pages = inventory.markdown.filter(path => path !== project.summary)
  if (!inventory.byPath.has(project.summary)) {
    if (project.isSummaryNamed)
      throw invalid(
        'summary_missing',
        `.gitbook.yaml names ${project.summary} as the summary, and it is not there.`,
      )
    if (pages.length === 0) throw markdownMissing(project)
    return { nodes: flatten(outlineFromFolders(pages, readme)), summary: undefined }
  }
  const { bytes, text } = await readSummary(source, inventory, project.summary, before)
  const there = new Set(inventory.byPath.keys())
  const read = await readOutline(source, text, project.summary, there, new Set(inventory.files))
  const { entries } = read
  problems.addAll(read.problems, read.problemCount, project.summary)
  const nodes = flatten(withReadme(entries, readme))
  const listed = new Set(nodes.flatMap(({ entry }) => (entry.kind === 'page' ? [entry.file] : [])))
  if (!entries.some(entry => namesPage(entry, inventory))) {
    if (pages.length === 0) throw markdownMissing(project)
    throw invalid('summary_empty', `${project.summary} lists no existing file. Correct it and import again.`)
  }
  const unlisted = pages.filter(path => !listed.has(path)).length
  if (unlisted > 0) {
    const message = `${unlisted} Markdown files are not listed in ${project.summary} and did not become pages.`
    problems.add({ code: 'pages_unlisted', message, values: { count: unlisted }, file: project.summary })
  }
  return { nodes, summary: bytes }
}

/**
 * The titles of pages in the SUMMARY.md of the previous revision, by their files. It is read with the files of that
 * revision.
 */
export async function titlesBefore(
  source: Source,
  previous: Content,
  outline: Outline,
  { summary: file }: Project,
): Promise<ReadonlyMap<string, string>> {
  if (previous.summary === null) return new Map()
  const bytes = (await source.readDocuments([previous.summary])).get(previous.summary)
  if (bytes === undefined) return new Map()
  if (outline.summary !== undefined && Buffer.compare(bytes, outline.summary) === 0)
    return titlesIn(outline.nodes)
  const files = new Set([...previous.files.values()].map(record => record.file))
  const pages = [...previous.pages.values()].flatMap(record => record.file ?? [])
  const text = decodeStrictly(bytes) ?? ''
  const { entries } = await readOutline(source, text, file, new Set([...pages, ...files]), files)
  return titlesIn(flattenOutline(entries))
}

// Most commits change neither this file nor the list of files.
const outlines = createImmutableCache<{ readonly outline: SummaryOutline; readonly characters: number }>({
  maxSize: KEPT_CHARACTERS_MAX,
  sizeCalculation: ({ characters }) => characters + 1,
})

export async function readOutline(
  { compute, spaceId }: Source,
  text: string,
  file: string,
  there: ReadonlySet<string>,
  kept: ReadonlySet<string>,
): Promise<SummaryOutline> {
  // No path has a NUL in it.
  const given = [file, text, [...there].join('\0'), [...kept].join('\0')].join('\0\0')
  const read = await outlines.get(createHash('sha256').update(given).digest('base64'), async () => {
    const outcome = await compute.run('summaryOutline', spaceId, {
      ...{ text, file, there, kept },
      titleCharactersMax: TITLE_CHARACTERS_MAX,
      depthMax: DEPTH_MAX,
      problemsMax: PROBLEMS_MAX,
    })
    return outcome.kind === 'done' ? { outline: outcome.value, characters: text.length } : undefined
  })
  if (read !== undefined) return read.outline
  throw invalid('summary_too_costly', `${file} takes too long to be read. Make it shorter and import again.`)
}

function titlesIn(nodes: readonly OutlineNode[]): Map<string, string> {
  const titles = new Map<string, string>()
  for (const { entry } of nodes)
    if (entry.kind === 'page' && entry.file !== undefined && entry.title !== undefined)
      titles.set(entry.file, entry.title)
  return titles
}

async function readSummary(
  source: Source,
  inventory: Inventory,
  file: string,
  kept: Hash | null,
): Promise<{ bytes: Uint8Array; text: string }> {
  const bytes = await readKeptFile(source, inventory, file, SUMMARY_BYTES_MAX, kept)
  if (bytes === undefined)
    throw invalid('summary_too_large', `${file} is larger than ${SUMMARY_BYTES_MAX} bytes.`)
  const text = decodeStrictly(bytes)
  if (text === undefined)
    throw invalid('summary_not_text', `${file} is not UTF-8 text. Save it as UTF-8 and import again.`)
  return { bytes, text }
}

/** The page of the project itself: as configured, else a readme at the top, in any case. */
function findReadme(inventory: Inventory, { readme }: Project): string | undefined {
  if (inventory.byPath.has(readme)) return readme
  const candidates = inventory.markdown.filter(path => folderOf(path) === '' && isFolderPage(path))
  return candidates.find(path => /^readme/i.test(path)) ?? candidates[0]
}

function withReadme(entries: readonly OutlineEntry[], readme: string | undefined): readonly OutlineEntry[] {
  if (readme === undefined || entries.some(entry => names(entry, readme))) return entries
  return [{ kind: 'page', title: undefined, file: readme, children: [] }, ...entries]
}

const names = (entry: OutlineEntry, file: string): boolean =>
  'children' in entry &&
  ((entry.kind === 'page' && entry.file === file) || entry.children.some(child => names(child, file)))

const namesPage = (entry: OutlineEntry, inventory: Inventory): boolean =>
  'children' in entry &&
  ((entry.kind === 'page' && entry.file !== undefined && inventory.byPath.has(entry.file)) ||
    entry.children.some(child => namesPage(child, inventory)))

function flatten(entries: readonly OutlineEntry[]): OutlineNode[] {
  const nodes = flattenOutline(entries)
  if (nodes.length <= PAGES_MAX) return nodes
  throw tooLarge(
    'too_many_pages',
    `There are ${nodes.length} pages, and a space holds at most ${PAGES_MAX}. Name a smaller directory with repoProjectDirectory.`,
  )
}

const markdownMissing = ({ root }: Project) =>
  invalid(
    'markdown_missing',
    `There is no Markdown file in ${root === '' ? 'the repository' : root}. Name the directory of the documentation with repoProjectDirectory, or with root in .gitbook.yaml.`,
  )
