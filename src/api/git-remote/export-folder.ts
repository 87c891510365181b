// Writes a space to a local folder, with the files that a clone of the space would have.
import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { assert } from '../../base/assert.ts'
import type { Hash } from '../../engines/content/records.ts'
import type { Services } from '../../http/context.ts'
import { writeFolder } from '../../platform/atomic-folder.ts'
import type { FileChange } from '../../platform/git/write-commit.ts'
import { readPath } from '../../platform/tree-source.ts'
import type { WrittenFile } from '../git-sync/export-layout.ts'
import { type Problem, Problems } from '../git-sync/layout/problems.ts'
import type { Source } from '../git-sync/layout/source.ts'
import { createSource, EMPTY_TREE } from '../git-sync/sources.ts'
import { toChanges } from '../git-sync/written-changes.ts'
import type { SpaceRow } from '../spaces/rows.ts'
import { CommitMaker } from './commits.ts'
import { toWrittenFile, writtenFiles } from './files.ts'
import { type HistoryRow, readHistory } from './rows.ts'

export type FolderExport = { readonly files: number; readonly problems: readonly Problem[] }

/**
 * Writes the head of the space to `folder`, an absolute path that does not exist yet or is an empty folder. All of it
 * or nothing.
 *
 * @throws Failure invalid `folder_not_empty`, `folder_refused`; storage_full.
 */
export async function exportFolder(
  services: Services,
  space: SpaceRow,
  folder: string,
  {
    onProgress,
    signal,
  }: { readonly onProgress: (done: number, total: number) => void; readonly signal: AbortSignal },
): Promise<FolderExport> {
  return writeFolder(folder, async unfinished => {
    const root = space.root_hash.toString('hex')
    const head = await services.contents.get(root)
    const source = createSource(services, space.id, EMPTY_TREE, [], signal)
    const listed = await findListed(services, source, space)
    const problems = new Problems()
    const files = await writtenFiles(
      source,
      head,
      listed === root ? head : await services.contents.get(listed),
      problems,
    )
    const writes = [...files].map(([path, content]) => toWrittenFile(path, content))
    const refused = await writeAll(services, writes, unfinished, { onProgress, signal })
    return { files: writes.length - refused.length, problems: [...problems.list(), ...refused] }
  })
}

/** The root of the revision whose SUMMARY.md is edited. */
async function findListed(services: Services, source: Source, space: SpaceRow): Promise<Hash> {
  const isDecided = ({ commit }: HistoryRow) => commit !== null
  const history = await readHistory(services.db, space.id, [space.revision_id], isDecided)
  const row = history.get(space.revision_id)
  assert(row !== undefined, 'the head is a revision of its space')
  return new CommitMaker(services, source, history).summaryRootOf(row)
}

async function writeAll(
  services: Services,
  unordered: readonly WrittenFile[],
  folder: string,
  { onProgress, signal }: Parameters<typeof exportFolder>[3],
): Promise<Problem[]> {
  const problems: Problem[] = []
  // In name order: if two cannot both be written, the same one is left out every time.
  const writes = unordered.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const { changes } = toChanges(services, { writes, removes: [] }, done => onProgress(done, writes.length))
  for await (const change of changes) {
    signal.throwIfAborted()
    if ('removed' in change) continue
    const { path } = change
    // Names may come from a program: one that leads out of the folder is not written.
    const isSafe = readPath(Buffer.from(path)).oddity === undefined
    if (isSafe && (await write(join(folder, path), change))) continue
    const message = 'no file of this name can be written, or another one has it; it was left out'
    problems.push({ code: 'path_refused', message, file: path })
    for await (const _ of change.content);
  }
  return problems
}

// The name is taken, as on a case-insensitive file system; a file is where a folder should be; or the file system does
// not accept the name.
const NAME_REFUSED = ['EEXIST', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG', 'EINVAL', 'EILSEQ']

type FileWrite = Exclude<FileChange, { readonly removed: true }>

/** False if the name cannot be used. */
async function write(path: string, { content, isExecutable }: FileWrite): Promise<boolean> {
  // The umask of the process takes its bits away, as for everything that is created.
  const file = await create(path, isExecutable ? 0o777 : 0o666).catch((reason: NodeJS.ErrnoException) => {
    if (!NAME_REFUSED.includes(reason.code ?? '')) throw reason
  })
  if (file === undefined) return false
  try {
    for await (const chunk of content) await file.writeFile(chunk)
  } finally {
    await file.close()
  }
  return true
}

async function create(path: string, mode: number): Promise<FileHandle> {
  await mkdir(dirname(path), { recursive: true })
  return open(path, 'wx', mode)
}
