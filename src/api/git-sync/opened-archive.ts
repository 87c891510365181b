// An archive to import. An archive of archives, as Notion exports them, is read as the files of all of them: each is
// unpacked to a file for the duration of the import, because an archive cannot be read within another.
import { tooLarge } from '../../base/errors.ts'
import type { Services } from '../../http/context.ts'
import type { Spooled } from '../../platform/blobs/spool.ts'
import { asStoreFailure } from '../../platform/blobs/store.ts'
import type { ListOptions, TreeEntry, TreeSource } from '../../platform/tree-source.ts'
import { commonFolder, openZip, type ZipTree } from '../../platform/trees/zip-tree.ts'

type ArchiveServices = Pick<Services, 'archives' | 'config'>

type Part = { readonly zip: ZipTree; readonly kept: Spooled }

const PARTS_MAX = 100

export class OpenedArchive {
  readonly #services: ArchiveServices
  readonly #zip: ZipTree
  readonly #parts: Part[] = []

  private constructor(services: ArchiveServices, zip: ZipTree) {
    this.#services = services
    this.#zip = zip
  }

  /**
   * @param directory of the documentation in it
   * @throws Failure invalid `archive_invalid` for a file that is not an archive.
   */
  static async open(services: ArchiveServices, path: string, directory: string): Promise<OpenedArchive> {
    const startOf = (paths: readonly string[]) => {
      const start = commonFolder(paths)
      // The directory may be in the folder that all files are in, or begin with it.
      return directory === '' || paths.some(each => each.startsWith(`${start}${directory}/`)) ? start : ''
    }
    return new OpenedArchive(services, await openZip(path, services.config.repositoryBytesMax, startOf))
  }

  /** @throws Failure what listing its files throws, and too_large for too many parts or bytes. */
  async readTree(signal: AbortSignal): Promise<TreeSource> {
    const { archives, config } = this.#services
    const inner = await this.#zip.listArchives({ entriesMax: config.repositoryFilesMax, signal })
    if (inner.length === 0) return this.#zip
    if (inner.length > PARTS_MAX)
      throw tooLarge('too_many_files', `There are more than ${PARTS_MAX} archives in the archive.`)
    for (const entry of inner) {
      signal.throwIfAborted()
      const kept = await archives
        .fill(this.#zip.stream(entry), { bytesMax: entry.size })
        .catch(reason => Promise.reject(asStoreFailure(reason)))
      try {
        this.#parts.push({ kept, zip: await openZip(kept.path, config.repositoryBytesMax, () => '') })
      } catch (reason) {
        await kept.discard()
        throw reason
      }
    }
    return joined(
      this.#parts.map(({ zip }) => zip),
      config.repositoryBytesMax,
    )
  }

  async close(): Promise<void> {
    this.#zip.close()
    for (const { zip, kept } of this.#parts.splice(0)) {
      zip.close()
      await kept.discard()
    }
  }
}

/** The files of all of them, without a folder around everything; of two with the same path, the first wins. */
function joined(trees: readonly TreeSource[], filesBytesMax: number): TreeSource {
  const found = new Map<string, { readonly tree: TreeSource; readonly entry: TreeEntry }>()
  const listAll = async ({ entriesMax, signal }: ListOptions): Promise<void> => {
    const all = new Map<string, { readonly tree: TreeSource; readonly entry: TreeEntry }>()
    let bytes = 0
    for (const tree of trees)
      for (const entry of await tree.list({ entriesMax, ...(signal === undefined ? {} : { signal }) })) {
        if (all.has(entry.path)) continue
        all.set(entry.path, { tree, entry })
        bytes += entry.size
        if (all.size > entriesMax)
          throw tooLarge('too_many_files', `There are more than ${entriesMax} files in the archives.`)
        if (bytes > filesBytesMax)
          throw tooLarge('archive_too_large', `The archives unpack to more than ${filesBytesMax} bytes.`)
      }
    const start = commonFolder([...all.keys()]).length
    for (const [path, one] of all) found.set(path.slice(start), one)
  }
  return {
    async list(options) {
      if (found.size === 0) await listAll(options)
      const folder = (options.subdirectory ?? '').replaceAll(/^\/+|(?<!\/)\/+$/g, '')
      return [...found]
        .filter(([path]) => folder === '' || path.startsWith(`${folder}/`))
        .map(([path, { entry }]) => ({ ...entry, path }))
        .sort((one, other) => Buffer.compare(Buffer.from(one.path), Buffer.from(other.path)))
    },
    async *read(entries, options) {
      for (const entry of entries) {
        const one = found.get(entry.path)
        if (one === undefined) continue
        for await (const { bytes } of one.tree.read([one.entry], options)) yield { entry, bytes }
      }
    },
    async *stream(entry, options) {
      const one = found.get(entry.path)
      if (one !== undefined) yield* one.tree.stream(one.entry, options)
    },
  }
}
