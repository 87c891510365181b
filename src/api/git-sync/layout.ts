// From the files of a commit to the edits of a space. Pure except for the functions that it reads with: it uses files,
// pages and records, but no git, no database and no clock.
//
// The repository decides about its content: pages that it no longer has are not in the new revision, only in the
// history. Edits made in Octavo since are merged with it afterwards (merge-in.ts). Bytes are kept as they are; a
// document whose git blob id is known is not read again; a record that did not change is not edited, so importing a
// commit twice makes no edits. For exports, every page and file keeps its path, and SUMMARY.md and .gitbook.yaml are
// kept as written.
import { pause } from '../../base/slices.ts'
import type { Content } from '../../engines/content/content.ts'
import { encodeDocument } from '../../engines/content/objects.ts'
import {
  type AnyRecord,
  fileKey,
  type Key,
  type PageRecord,
  pageKey,
  reusableKey,
  TREE_KEY,
  variableKey,
} from '../../engines/content/records.ts'
import type { StoredObject } from '../../engines/content/store.ts'
import { planAssets } from './layout/assets.ts'
import { takeInventory } from './layout/inventory.ts'
import { MarkdownBudget } from './layout/markdown-budget.ts'
import { planPages } from './layout/pages.ts'
import { namePointers } from './layout/pointers.ts'
import { type Problem, Problems } from './layout/problems.ts'
import { readProject } from './layout/project.ts'
import { editsBetween, type PageContent, toRecords } from './layout/records.ts'
import { planReusables } from './layout/reusables.ts'
import type { Source } from './layout/source.ts'
import { planOutline, titlesBefore } from './layout/summary.ts'
import { planVariables } from './layout/variables.ts'

export type { Problem } from './layout/problems.ts'
export type { Source } from './layout/source.ts'

export type LayoutOptions = {
  /** From the request, normalised: '' is the top of the repository. */
  readonly projectDirectory: string
  /** When the commit was made: the `updatedAt` of edited pages. ISO 8601. */
  readonly committedAt: string
  readonly newId: () => string
  /**
   * The head, if it is not the previous revision: a file added in both becomes one page instead of two with the same
   * path. So does a page whose export was not recorded because the server died.
   */
  readonly here?: Content
  readonly fileBytesMax: number
  /** Called with the number of files and pages to read, as far as known, and the number read. */
  readonly onProgress: (dispatched: number, completed: number) => void
}

export type ImportPlan = {
  /** The directory of the documentation, from the top of the repository, which is ''. */
  readonly root: string
  /** Turns the previous content into that of the commit; empty if nothing changed. */
  readonly edits: ReadonlyMap<Key, AnyRecord | null>
  /** New documents that the edits name. */
  readonly documents: readonly StoredObject[]
  /** Counts of the whole space after the import: of pages, those that are written. */
  readonly pages: number
  readonly files: number
  readonly problems: readonly Problem[]
  /** Ids of pages by their files. */
  readonly pageByFile: ReadonlyMap<string, string>
}

/**
 * The plan of an import.
 *
 * @throws Failure invalid: `config_invalid`, `summary_missing`, `summary_not_text`, `summary_too_large`,
 * `summary_empty`, `markdown_missing`; too_large: `too_many_pages`, `content_too_large`; unavailable:
 * `repository_unreadable`. Everything else that is wrong with a repository is a problem of the plan.
 */
export async function planImport(
  source: Source,
  previous: Content,
  options: LayoutOptions,
): Promise<ImportPlan> {
  const problems = new Problems()
  const progress = countProgress(options.onProgress)
  const project = await readProject(source, options.projectDirectory, previous.config, problems)
  const inventory = takeInventory(source.entries, project.root, problems)
  await pause()
  await namePointers(source, inventory, problems)
  const outline = await planOutline(source, inventory, project, previous.summary, problems)
  await pause()
  const assets = await planAssets(source, inventory, previous.files, {
    newId: options.newId,
    here: options.here?.files,
    bytesMax: options.fileBytesMax,
    committedAt: options.committedAt,
    problems,
    ...progress,
  })
  const budget = new MarkdownBudget()
  const pages = await planPages({
    source,
    inventory,
    nodes: outline.nodes,
    assets,
    previous,
    titlesBefore: await titlesBefore(source, previous, outline, project),
    here: options.here,
    newId: options.newId,
    budget,
    problems,
    ...progress,
  })
  const reusables = await planReusables({
    source,
    inventory,
    previous: previous.reusables,
    here: options.here?.reusables,
    newId: options.newId,
    budget,
    problems,
  })
  const variables = await planVariables(source, inventory, problems)
  const { records, roots } = await toRecords(pages.placed, previous.pages, options.committedAt)

  await pause()
  const texts = [outline.summary, project.config].map(text => text && encodeDocument(text))
  const [summary, config] = texts
  const after = new Map<Key, AnyRecord>([
    ...records,
    ...assets.records,
    ...reusables.records,
    ...variables,
    [TREE_KEY, { children: roots }],
  ])
  if (summary !== undefined) after.set('git/summary', summary.hash)
  if (config !== undefined) after.set('git/config', config.hash)
  await pause()
  const edits = await editsBetween(entriesOf(previous), after)
  const known = new Set<unknown>([previous.summary, previous.config])
  return {
    root: project.root,
    edits,
    documents: [
      ...pages.documents,
      ...reusables.documents,
      ...texts.flatMap(text => (text === undefined || known.has(text.hash) ? [] : text)),
    ],
    pages: countWritten(records.values()),
    files: assets.records.size,
    problems: problems.list(),
    pageByFile: new Map(pages.placed.flatMap(({ id, content }) => fileOf(content).map(file => [file, id]))),
  }
}

/** Groups, links and computed pages are none. */
export const countWritten = (pages: Iterable<Pick<PageRecord, 'type'>>): number =>
  [...pages].filter(({ type }) => type === 'document').length

const fileOf = (content: PageContent): string[] =>
  content.type === 'document' && content.file !== undefined ? [content.file] : []

function* entriesOf(content: Content): Iterable<readonly [Key, AnyRecord]> {
  // A space without content has no tree record; a space that lost its pages has one without children.
  if (content.tree.children.length > 0) yield [TREE_KEY, content.tree]
  for (const [id, page] of content.pages) yield [pageKey(id), page]
  for (const [id, file] of content.files) yield [fileKey(id), file]
  for (const [id, reusable] of content.reusables) yield [reusableKey(id), reusable]
  for (const [name, variable] of content.variables) yield [variableKey(name), variable]
  if (content.summary !== null) yield ['git/summary', content.summary]
  if (content.config !== null) yield ['git/config', content.config]
}

function countProgress(report: (dispatched: number, completed: number) => void) {
  let dispatched = 0
  let completed = 0
  const done = () => report(dispatched, ++completed)
  return {
    onDispatch: (count: number) => {
      dispatched += count
      report(dispatched, completed)
    },
    onKept: done,
    onRead: done,
  }
}
