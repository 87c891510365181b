// A space as files of a folder of this machine, as an export to an empty repository would have them.
import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Services } from '../../http/context.ts'
import { readPath } from '../../platform/tree-source.ts'
import { writeFolder } from '../../platform/whole-folder.ts'
import type { SpaceRow } from '../spaces/rows.ts'
import { type ExportPlan, planExport } from './export-layout.ts'
import type { Problem } from './layout/problems.ts'
import { createSource, EMPTY_TREE } from './sources.ts'
import { toChanges } from './written-changes.ts'

export type FolderExport = { readonly files: number; readonly problems: readonly Problem[] }

/**
 * Writes the head of the space to `folder`, an absolute path that does not exist yet or is an empty folder. All of it or
 * nothing.
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
    const content = await services.contents.get(space.root_hash.toString('hex'))
    const source = createSource(services, space.id, EMPTY_TREE, [], signal)
    const plan = await planExport(
      source,
      { base: undefined, head: content },
      { projectDirectory: '', isForced: false },
    )
    const problems = await writeAll(services, plan, unfinished, { onProgress, signal })
    return { files: plan.writes.length - problems.length, problems: [...plan.problems, ...problems] }
  })
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
