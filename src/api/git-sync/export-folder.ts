// A space as files of a folder of this machine, as an export to an empty repository would have them.
import { type FileHandle, mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { diskFull, Failure, invalid, isDiskFull } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Services } from '../../http/context.ts'
import { readPath } from '../../platform/tree-source.ts'
import type { SpaceRow } from '../spaces/rows.ts'
import { type ExportPlan, planExport } from './export-layout.ts'
import type { Problem } from './layout/problems.ts'
import { createSource, EMPTY_TREE } from './sources.ts'
import { toChanges } from './written-changes.ts'

export type FolderExport = { readonly files: number; readonly problems: readonly Problem[] }

/**
 * Writes the head of the space to `folder`, an absolute path that does not exist yet or is an empty folder. All of it or
 * nothing: files are written beside it, and the folder is renamed.
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
  await needEmpty(folder)
  const content = await services.contents.get(space.root_hash.toString('hex'))
  const source = createSource(services, space.id, EMPTY_TREE, [], signal)
  const plan = await planExport(
    source,
    { base: undefined, head: content },
    { projectDirectory: '', isForced: false },
  )
  const unfinished = `${folder}.unfinished-${newId()}`
  try {
    await mkdir(unfinished)
    const problems = await writeAll(services, plan, unfinished, { onProgress, signal })
    await rmdir(folder).catch(ifMissing)
    await rename(unfinished, folder)
    return { files: plan.writes.length - problems.length, problems: [...plan.problems, ...problems] }
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw toFailure(error, folder)
  }
}

async function needEmpty(folder: string): Promise<void> {
  const names = await readdir(folder).catch((reason: NodeJS.ErrnoException) => {
    if (reason.code === 'ENOENT') return []
    throw toFailure(reason, folder)
  })
  if (names.length > 0)
    throw invalid('folder_not_empty', `${folder} is not empty. Give a folder that is not there yet.`)
}

async function writeAll(
  services: Services,
  plan: ExportPlan,
  folder: string,
  { onProgress, signal }: Parameters<typeof exportFolder>[3],
): Promise<Problem[]> {
  const problems: Problem[] = []
  // In the order of their names: of two that cannot both be had the same one is left out every time.
  const writes = plan.writes.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const { changes } = toChanges(services, { ...plan, writes }, done => onProgress(done, plan.writes.length))
  for await (const change of changes) {
    signal.throwIfAborted()
    const { path } = change
    if ('removed' in change) continue
    // Names may come from a program: one that leads elsewhere is written nowhere.
    const isSafe = readPath(Buffer.from(path)).oddity === undefined
    if (isSafe && (await write(join(folder, path), change.content))) continue
    const message = 'no file of this name can be written, or another one has it; it was left out'
    problems.push({ code: 'path_refused', message, file: path })
    for await (const _ of change.content);
  }
  return problems
}

// The name is taken, such as where upper and lower case are the same; a file is where a folder should be; or the file
// system does not take the name.
const NAME_REFUSED = ['EEXIST', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG', 'EINVAL', 'EILSEQ']

/** False where the name cannot be had. */
async function write(
  path: string,
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<boolean> {
  const file = await create(path).catch((reason: NodeJS.ErrnoException) => {
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

async function create(path: string): Promise<FileHandle> {
  await mkdir(dirname(path), { recursive: true })
  return open(path, 'wx')
}

function ifMissing(reason: NodeJS.ErrnoException): void {
  if (reason.code !== 'ENOENT') throw reason
}

function toFailure(error: unknown, folder: string): unknown {
  if (error instanceof Failure) return error
  if (isDiskFull(error)) return diskFull(error)
  const { syscall, message } = error as NodeJS.ErrnoException
  return syscall === undefined
    ? error
    : invalid('folder_refused', `${folder} cannot be written: ${message}`, error)
}
