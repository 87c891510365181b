// The files of a revision as a separate repository. They are reproducible: they depend only on the revision and on the
// one whose SUMMARY.md it edits.

import { joinPath } from '../../base/paths.ts'
import type { Content } from '../../engines/content/content.ts'
import { readPath } from '../../platform/tree-source.ts'
import { foldersOf, planVariables, type WrittenFile } from '../git-sync/export-layout.ts'
import { VARIABLES_FILE } from '../git-sync/layout/inventory.ts'
import { Problems } from '../git-sync/layout/problems.ts'
import { CONFIG_FILE, type Project, projectOf } from '../git-sync/layout/project.ts'
import type { Source } from '../git-sync/layout/source.ts'
import { planSummary } from '../git-sync/layout/summary-text.ts'
import { bytesOf, type FileContent, filesOf, isSameFile } from '../git-sync/layout/written-files.ts'

/** By path from the top of the repository. */
export type Files = ReadonlyMap<string, FileContent>

/** Only files that git accepts. For the parameters see `writtenFiles`. */
export async function filesOfRevision(source: Source, head: Content, listed: Content): Promise<Files> {
  const files = await writtenFiles(source, head, listed, new Problems())
  // Git would refuse the whole tree because of some names, and stores nothing below a file.
  const isRefused = (path: string) =>
    readPath(Buffer.from(path)).oddity !== undefined || foldersOf(path).some(folder => files.has(folder))
  return new Map([...files].filter(([path]) => !isRefused(path)))
}

/**
 * All files, whatever their names.
 *
 * @param source reads documents, and has no entries
 * @param listed the content whose SUMMARY.md is edited line by line: of the revision that it came with
 */
export async function writtenFiles(
  source: Source,
  head: Content,
  listed: Content,
  problems: Problems,
): Promise<Files> {
  const project = await projectOfRevision(source, head, problems)
  const inside = filesOf(head)
  const variables = await planVariables(source, project, undefined, head)
  if (variables !== undefined) inside.set(VARIABLES_FILE, bytesOf(variables.bytes))
  const summary =
    (listed === head ? undefined : await planSummary(source, project, { base: listed, head }, problems)) ??
    (await planSummary(source, project, { base: undefined, head: listed }, problems))
  if (summary !== undefined) inside.set(project.summary, bytesOf(summary))
  const files = new Map([...inside].map(([path, content]) => [joinPath(project.root, path), content]))
  if (head.config !== null) files.set(CONFIG_FILE, { kind: 'document', hash: head.config })
  return files
}

/** Where the files of a revision are. */
export async function projectOfRevision(
  source: Source,
  { config }: Content,
  problems = new Problems(),
): Promise<Project> {
  const bytes = config === null ? undefined : (await source.readDocuments([config])).get(config)
  return projectOf(source, '', bytes, problems)
}

export const toWrittenFile = (path: string, content: FileContent): WrittenFile => ({
  ...{ path, content },
  isExecutable: content.isExecutable === true,
})

export type FileChanges = { readonly writes: readonly WrittenFile[]; readonly removes: readonly string[] }

/** The changes that turn the files of one commit into those of the next. */
export function changesBetween(before: Files, after: Files): FileChanges {
  const writes: WrittenFile[] = []
  for (const [path, content] of after)
    if (!isSameFile(before.get(path), content)) writes.push(toWrittenFile(path, content))
  return { writes, removes: [...before.keys()].filter(path => !after.has(path)) }
}
