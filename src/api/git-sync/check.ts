// What an import would make of a tree, without writing anything: the same reading, conversion and plan, into an empty
// space.
import { now } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import { contentOf } from '../../engines/content/content.ts'
import type { Format } from '../../engines/conversion/formats.ts'
import type { Services } from '../../http/context.ts'
import type { TreeSource } from '../../platform/tree-source.ts'
import { subtree } from '../../platform/trees/subtree.ts'
import { convertTree } from './convert.ts'
import { type Problem, planImport } from './layout.ts'
import type { Layout } from './schema.ts'
import { createCountedSource, listEntries } from './sources.ts'

export type Check = {
  readonly layout: Layout
  readonly pages: number
  readonly files: number
  readonly problems: readonly Problem[]
}

type CheckRequest = {
  readonly tree: TreeSource
  /** The directory of the documentation in it; '' is its top. */
  readonly directory: string
  /** Its layout; detected from its files if absent. */
  readonly format?: Format | undefined
  /** What computations are for (`Compute.run`). */
  readonly lane: string
  readonly signal: AbortSignal
}

const EMPTY = contentOf([])

/** @throws Failure those of an import that concern its files */
export async function checkTree(
  services: Pick<Services, 'compute' | 'config'>,
  { tree, directory, format, lane, signal }: CheckRequest,
): Promise<Check> {
  const below = directory === '' ? tree : subtree(tree, directory)
  const converted = await convertTree(services, below, { spaceId: lane, format, signal })
  const entries = await listEntries(converted.tree, '', services.config.repositoryFilesMax, signal)
  const source = createCountedSource(services, lane, converted.tree, entries, signal)
  const { pages, files, problems } = await planImport(source, EMPTY, {
    projectDirectory: '',
    committedAt: now().toISOString(),
    newId,
    fileBytesMax: services.config.fileBytesMax,
    onProgress: () => signal.throwIfAborted(),
  })
  return {
    layout: converted.format ?? 'gitbook',
    pages,
    files,
    problems: [...converted.problems, ...problems],
  }
}
