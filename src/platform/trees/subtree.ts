// The files below a folder of a tree as a tree of their own.
import { invalid } from '../../base/errors.ts'
import { joinPath } from '../../base/paths.ts'
import type { TreeEntry, TreeSource } from '../tree-source.ts'

/**
 * @param folder without slashes around it
 * @throws Failure invalid `directory_missing` when listed, if there is no file below it.
 */
export function subtree(tree: TreeSource, folder: string): TreeSource {
  const originals = new Map<string, TreeEntry>()
  return {
    async list({ subdirectory = '', ...options }) {
      const entries = await tree.list({
        ...options,
        subdirectory: subdirectory === '' ? folder : joinPath(folder, subdirectory),
      })
      if (entries.length === 0 && subdirectory === '')
        throw invalid(
          'directory_missing',
          `There are no files below ${JSON.stringify(folder.slice(0, 200))}.`,
        )
      return entries.map(entry => {
        const path = entry.path.slice(folder.length + 1)
        originals.set(path, entry)
        return { ...entry, path }
      })
    },
    async *read(entries, options) {
      for (const entry of entries) {
        const original = originals.get(entry.path)
        if (original === undefined) continue
        for await (const { bytes } of tree.read([original], options)) yield { entry, bytes }
      }
    },
    async *stream(entry, options) {
      const original = originals.get(entry.path)
      if (original !== undefined) yield* tree.stream(original, options)
    },
  }
}
