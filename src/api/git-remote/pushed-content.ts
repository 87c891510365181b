// Applies a pushed commit to the content that it was pushed to: one import of its files, which keeps ids and changes
// only what the commit changes. A commit becomes a revision as it is, so it may not contain files that a space does not
// keep: the next commit that Octavo makes, for a merge, would drop them.

import { now } from '../../base/clock.ts'
import { invalid, tooLarge } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { isMarkdown, joinPath } from '../../base/paths.ts'
import { type Content, readContent } from '../../engines/content/content.ts'
import { encodeDocument } from '../../engines/content/objects.ts'
import type { Hash } from '../../engines/content/records.ts'
import type { StoredObject } from '../../engines/content/store.ts'
import { overlay } from '../../engines/content/trie-nodes.ts'
import type { Services } from '../../http/context.ts'
import type { TreeEntry, TreeSource } from '../../platform/tree-source.ts'
import { mergeContents } from '../conflicts/merging.ts'
import { SUMMARY_BYTES_MAX } from '../git-sync/layout/bounds.ts'
import { VARIABLES_FILE } from '../git-sync/layout/inventory.ts'
import { CONFIG_FILE, type Project } from '../git-sync/layout/project.ts'
import type { Source } from '../git-sync/layout/source.ts'
import { filesOf } from '../git-sync/layout/written-files.ts'
import { type Problem, planImport } from '../git-sync/layout.ts'
import { resolveConflicts } from '../git-sync/merge-in.ts'
import { createSource, listEntries } from '../git-sync/sources.ts'
import { applyContent } from '../heads/publish.ts'
import type { NewContent } from '../heads/write.ts'
import { projectOfRevision } from './files.ts'

/** A revision, and the files of its commit. */
export type Side = { readonly root: Hash; readonly tree: TreeSource }

export type PushedFiles = {
  readonly spaceId: string
  readonly tree: TreeSource
  /** The base of the commit, which its content is compared with. */
  readonly first: Side
  /** Other sides merged into it by git, each with the root of its common ancestor with the first. */
  readonly others: readonly (Side & { readonly base: Hash })[]
  readonly signal: AbortSignal
}

export type PushedContent = {
  readonly content: NewContent
  /** Its SUMMARY.md differs from that of `first`. */
  readonly hasOwnSummary: boolean
  readonly problems: readonly Problem[]
}

/**
 * Throws Failure invalid `files_not_kept`, `summary_not_listed`, and those of an import.
 */
export async function planPushed(
  services: Services,
  { spaceId, tree, first, others, signal }: PushedFiles,
): Promise<PushedContent> {
  const { repositoryFilesMax } = services.config
  const entries = await listEntries(tree, '', repositoryFilesMax, signal).catch(error => {
    if (error?.code !== 'too_many_files') throw error
    throw tooLarge(
      'too_many_files',
      `A space has at most ${repositoryFilesMax} files, and this commit has more.`,
    )
  })
  const combined = await mergeSides(services, spaceId, first, others)
  const reads = overlay(services.objects, combined.objects)
  const content =
    combined.objects.length === 0
      ? await services.contents.get(combined.root)
      : await readContent(reads, combined.root)
  const summary: StoredObject[] = []
  const source: Source = {
    ...createSource(services, spaceId, tree, entries, signal),
    readDocuments: hashes => overlay(reads, summary).getMany(hashes),
  }
  const read = (side: Side) => readSide(services, source, side, signal)
  const [firstSide, ...otherSides] = await Promise.all([read(first), ...others.map(read)])
  const sides = [firstSide, ...otherSides]
  const written = await readSummary(first.tree, firstSide)
  if (written !== undefined) summary.push(written)
  const previous = { ...withBlobIds(content, sides), summary: written?.hash ?? null }
  const plan = await planImport(source, previous, {
    projectDirectory: '',
    committedAt: now().toISOString(),
    newId,
    fileBytesMax: services.config.fileBytesMax,
    onProgress: () => {},
  })
  const made = await applyContent(reads, combined.root, plan.edits, plan.documents)
  const objects = [...combined.objects, ...made.objects]
  const after = await readContent(overlay(services.objects, objects), made.root)
  const afterSource = { ...source, readDocuments: overlay(reads, objects).getMany }
  refuseFilesNotKept(entries, after, await projectOfRevision(afterSource, after), plan.problems)
  const before = await services.contents.get(first.root)
  return {
    content: { root: made.root, objects },
    hasOwnSummary: after.summary !== before.summary,
    problems: plan.problems,
  }
}

/** Merges the others into the first side. Where they conflict, the files of the commit decide afterwards. */
async function mergeSides(
  services: Services,
  spaceId: string,
  first: Side,
  others: PushedFiles['others'],
): Promise<NewContent> {
  let combined: NewContent = { root: first.root, objects: [] }
  for (const { root, base } of others) {
    const { objects } = combined
    const merged = await resolveConflicts('theirs', resolutions =>
      mergeContents(services, spaceId, overlay(services.objects, objects), {
        ...{ base, ours: combined.root, theirs: root, resolutions },
      }),
    )
    if (merged.conflicts.length === 0)
      combined = { root: merged.root, objects: [...objects, ...merged.objects] }
  }
  return combined
}

type ReadSide = {
  readonly content: Content
  readonly project: Project
  readonly entries: ReadonlyMap<string, TreeEntry>
}

async function readSide(
  services: Services,
  source: Source,
  { root, tree }: Side,
  signal: AbortSignal,
): Promise<ReadSide> {
  const content = await services.contents.get(root)
  const entries = await tree.list({ entriesMax: ENTRIES_MAX, signal })
  return {
    content,
    project: await projectOfRevision(source, content),
    entries: new Map(entries.map(entry => [entry.path, entry])),
  }
}

// Of entries that Octavo wrote itself: pages, files and reusable contents.
const ENTRIES_MAX = 1_000_000

async function readSummary(tree: TreeSource, { project, entries }: ReadSide) {
  const entry = entries.get(joinPath(project.root, project.summary))
  if (entry === undefined) return undefined
  for await (const { bytes } of tree.read([entry], { bytesMax: SUMMARY_BYTES_MAX }))
    return encodeDocument(bytes)
  return undefined
}

/** Adds the blob ids of unchanged entries, so that these are neither read nor changed. */
export function withBlobIds(content: Content, sides: readonly ReadSide[]): Content {
  const oidOf = (find: (content: Content) => string | undefined): string | undefined => {
    for (const { content, project, entries } of sides) {
      const file = find(content)
      const entry = file === undefined ? undefined : entries.get(joinPath(project.root, file))
      if (entry !== undefined) return entry.oid
    }
    return undefined
  }
  const named = <Record extends { readonly oid?: string }>(
    records: ReadonlyMap<string, Record>,
    same: (record: Record, id: string) => (content: Content) => string | undefined,
  ) =>
    new Map(
      [...records].map(([id, { oid: _, ...record }]) => {
        // Without `oid` it is still a record of its type; TypeScript does not follow Omit of a generic.
        const oid = oidOf(same(record as Record, id))
        return [id, oid === undefined ? record : { ...record, oid }]
      }),
    )
  return {
    ...content,
    pages: named(content.pages, ({ document }, id) => ({ pages }) => {
      const page = pages.get(id)
      return page?.document === document ? page.file : undefined
    }),
    files: named(content.files, ({ blob }, id) => ({ files }) => {
      const file = files.get(id)
      return file?.blob === blob ? file.file : undefined
    }),
    reusables: named(content.reusables, ({ document }, id) => ({ reusables }) => {
      const reusable = reusables.get(id)
      return reusable?.document === document ? reusable.file : undefined
    }),
  }
}

const NAMED_MAX = 5

/** Other files in the commit would be lost with the next merge. */
export function refuseFilesNotKept(
  entries: readonly TreeEntry[],
  content: Content,
  project: Project,
  problems: readonly Problem[],
): void {
  const inProject = [...filesOf(content).keys(), project.summary, VARIABLES_FILE]
  const kept = new Set([CONFIG_FILE, ...inProject.map(path => joinPath(project.root, path))])
  const isFile = ({ kind }: TreeEntry) => kind === 'file' || kind === 'executable'
  const notKept = entries.filter(entry => !isFile(entry) || !kept.has(entry.path))
  if (notKept.length === 0) return
  const paths = new Set(notKept.map(({ path }) => path))
  const problem = problems.find(({ file }) => file !== undefined && paths.has(joinPath(project.root, file)))
  if (problem?.file !== undefined)
    throw invalid(
      'files_not_kept',
      `${joinPath(project.root, problem.file)}: ${problem.message} Nothing was changed.`,
    )
  const shown = notKept
    .slice(0, NAMED_MAX)
    .map(({ path }) => path)
    .join(', ')
  const more = notKept.length > NAMED_MAX ? ` and ${notKept.length - NAMED_MAX} more` : ''
  if (notKept.every(({ path }) => isMarkdown(path)))
    throw invalid(
      'summary_not_listed',
      `${shown}${more}: not listed in ${project.summary}, or not readable as a page. Add a line for each to ${project.summary} and push again.`,
    )
  throw invalid(
    'files_not_kept',
    `A space cannot keep ${shown}${more}: it has pages that ${project.summary} lists, .gitbook/ and common types of files. Remove the others and push again.`,
  )
}
