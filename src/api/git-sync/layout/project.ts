// Where the documentation is in a repository: the project directory of the request, and the `.gitbook.yaml` in it.
import { invalid } from '../../../base/errors.ts'
import { joinPath } from '../../../base/paths.ts'
import { withLine } from '../../../base/problems.ts'
import type { ReadConfig } from '../../../compute/yaml-files.ts'
import type { Hash } from '../../../engines/content/records.ts'
import { createImmutableCache } from '../../../platform/cache/cache.ts'
import { CONFIG_BYTES_MAX, KEPT_CHARACTERS_MAX } from './bounds.ts'
import { takeInventory } from './inventory.ts'
import { Problems } from './problems.ts'
import { decodeStrictly, readKeptFile } from './reader.ts'
import type { Source } from './source.ts'

export const CONFIG_FILE = '.gitbook.yaml'

export type Project = {
  /** From the top of the repository; every other path is relative to it. */
  readonly root: string
  /** `.gitbook.yaml` byte for byte; absent if there is none. */
  readonly config: Uint8Array | undefined
  readonly readme: string
  readonly summary: string
  /** Whether the configuration names the summary itself, so that it has to be there. */
  readonly isSummaryNamed: boolean
}

/**
 * An unreadable configuration ends the import: its `root` decides which files are pages at all, and a wrong one would
 * replace every page of the space. Invalid single settings, such as a path that leaves the repository, are problems,
 * and their defaults are used.
 *
 * @param kept the text of the previous revision
 * @throws Failure invalid `config_invalid`.
 */
export async function readProject(
  source: Source,
  directory: string,
  kept: Hash | null,
  problems: Problems,
): Promise<Project> {
  // Its problems are discarded: the inventory of the root reports odd files once.
  const inventory = takeInventory(source.entries, directory, new Problems())
  const isThere = inventory.byPath.has(CONFIG_FILE)
  const bytes = await readKeptFile(source, inventory, CONFIG_FILE, CONFIG_BYTES_MAX, kept)
  if (isThere && bytes === undefined) throw configInvalid(`it is larger than ${CONFIG_BYTES_MAX} bytes`)
  return projectOf(source, directory, bytes, problems)
}

/** The settings of a configuration; `bytes` are absent if there is none. */
export async function projectOf(
  source: Pick<Source, 'compute' | 'spaceId'>,
  directory: string,
  bytes: Uint8Array | undefined,
  problems: Problems,
): Promise<Project> {
  const text = bytes === undefined ? '' : decodeStrictly(bytes)
  if (text === undefined) throw configInvalid('it is not UTF-8 text')
  const read = await configs.get(text, async () => {
    const outcome = await source.compute.run('gitbookConfig', source.spaceId, { text })
    return outcome.kind === 'done' ? outcome.value : undefined
  })
  if (read === undefined) throw configInvalid('it takes too long to be read')
  const { config, problems: found } = read
  for (const problem of found) {
    if (FATAL.test(problem.code)) throw configInvalid(problem.message)
    problems.add({ ...withLine(problem), file: CONFIG_FILE })
  }
  return {
    root: config.root === '' ? directory : joinPath(directory, config.root),
    config: bytes,
    ...config.structure,
  }
}

// Most commits do not change the file, and reading it takes a thread several milliseconds.
const configs = createImmutableCache<ReadConfig>({
  maxSize: KEPT_CHARACTERS_MAX,
  sizeCalculation: (_, text) => text.length + 1,
})

// Problems that leave no usable configuration; with a duplicate key there still is one.
const FATAL = /^(?:yaml_(?!duplicate_key)|config_not_a_map)/

const configInvalid = (why: string) =>
  invalid('config_invalid', `The file ${CONFIG_FILE} cannot be used: ${why}. Fix it and import again.`)
