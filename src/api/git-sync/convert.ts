// Converts a tree from another tool's layout to GitBook's: pages are converted, other files moved, and a table of
// contents is written.
import { invalid, tooLarge } from '../../base/errors.ts'
import { gitBlobOid } from '../../base/git-blob.ts'
import type { Converted, Note, Page } from '../../engines/conversion/arrangement.ts'
import { detectFormat, type Format } from '../../engines/conversion/formats.ts'
import type { Services } from '../../http/context.ts'
import type { ListOptions, ReadOptions, TreeEntry, TreeFile, TreeSource } from '../../platform/tree-source.ts'
import { takeInventory } from './layout/inventory.ts'
import { isPointer, pointerKept } from './layout/pointers.ts'
import { type Problem, Problems } from './layout/problems.ts'
import { listEntries } from './sources.ts'

export type ConvertedTree = {
  readonly tree: TreeSource
  /** The converted layout; undefined for GitBook's and other Markdown, which are read as they are. */
  readonly format: Format | undefined
  /** What could not be carried over. */
  readonly problems: readonly Problem[]
  /** New paths of files by their old ones. */
  readonly paths: ReadonlyMap<string, string>
}

type ConversionRequest = {
  readonly spaceId: string
  /** Detected if absent. */
  readonly format?: Format | undefined
  readonly signal: AbortSignal
}

const TEXT = /\.(?:mdx?|html|csv|toml|ya?ml)$|(?:^|\/)_category_\.json$/i
const PAGE = /\.md$/
/** Longer texts are not pages of documentation. */
const TEXT_BYTES_MAX = 5_000_000
/** All texts are in memory at once. */
const TEXTS_BYTES_MAX = 100_000_000
/** Characters that one task converts. */
const BATCH_CHARACTERS = 200_000

export async function convertTree(
  services: Pick<Services, 'compute' | 'config'>,
  tree: TreeSource,
  { spaceId, format: asked, signal }: ConversionRequest,
): Promise<ConvertedTree> {
  const listed = await listEntries(tree, '', services.config.repositoryFilesMax, signal)
  const isReadable = ({ kind, oddity }: TreeEntry) =>
    (kind === 'file' || kind === 'executable') && oddity === undefined
  const entries = listed.filter(isReadable)
  const format = asked ?? detectFormat(entries.map(({ path }) => path))
  if (format === undefined) return { tree, format, problems: [], paths: new Map() }

  const sources = await readTexts(tree, entries, signal)
  const others = entries.filter(({ path }) => !sources.has(path)).map(({ path }) => path)
  const layout = await services.compute.run('conversionLayout', spaceId, { format, sources, others })
  if (layout.kind === 'beyond') throw unreadable(layout.bound)
  const { paths, titles, made, text, notes } = layout.value

  const problems = new Problems()
  takeInventory(
    listed.filter(entry => !isReadable(entry)),
    '',
    problems,
  )
  for (const [path, text] of sources) if (isPointer(text)) problems.add(pointerKept(path))
  for (const note of notes) problems.add(notConverted(note))
  const written = new Map<string, Buffer>([['SUMMARY.md', Buffer.from(text)]])
  for (const [path, page] of made) written.set(path, Buffer.from(page))
  const pages = [...paths].flatMap(([path, to]): Page[] => {
    const source = sources.get(path)
    return source === undefined || !PAGE.test(to)
      ? []
      : [{ path, text: source, title: titles.get(to), to: paths }]
  })
  // Every page is one of `paths`.
  const keep = (page: Page, converted: Converted | undefined): void => {
    written.set(paths.get(page.path) as string, Buffer.from(converted?.text ?? page.text))
    for (const note of converted?.notes ?? [TOO_COSTLY])
      problems.add(notConverted({ ...note, file: page.path }))
  }
  const convert = async (batch: readonly Page[]): Promise<void> => {
    signal.throwIfAborted()
    const outcome = await services.compute.run('convertedPages', spaceId, { format, pages: batch })
    if (outcome.kind === 'done') for (const [at, page] of batch.entries()) keep(page, outcome.value[at])
    // One of them takes too long: the others are converted without it.
    else if (batch.length > 1) for (const page of batch) await convert([page])
    else for (const page of batch) keep(page, undefined)
  }
  for (const batch of inBatches(pages)) await convert(batch)
  return { tree: new WrittenTree(tree, entries, paths, written), format, problems: problems.list(), paths }
}

const TOO_COSTLY: Note = {
  reason: 'too_costly',
  message: 'It takes too long to convert, and stays as it is.',
}

const notConverted = ({ file, message, ...values }: Note): Problem => ({
  ...{ code: 'not_converted', message, values },
  ...(file === undefined ? {} : { file }),
})

const unreadable = (bound: string) =>
  invalid(
    'conversion_failed',
    `Converting the pages takes too much ${bound}. Import them in parts, or without the largest ones.`,
  )

async function readTexts(
  tree: TreeSource,
  entries: readonly TreeEntry[],
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const wanted = entries.filter(({ path, size }) => TEXT.test(path) && size <= TEXT_BYTES_MAX)
  const bytes = wanted.reduce((sum, { size }) => sum + size, 0)
  if (bytes > TEXTS_BYTES_MAX)
    throw tooLarge(
      'texts_too_large',
      `The pages are ${bytes} bytes, and at most ${TEXTS_BYTES_MAX} are converted at once. Import them in parts.`,
    )
  const texts = new Map<string, string>()
  for await (const { entry, bytes } of tree.read(wanted, { bytesMax: TEXT_BYTES_MAX, signal }))
    texts.set(entry.path, bytes.toString('utf8'))
  return texts
}

function* inBatches(pages: readonly Page[]): Generator<Page[]> {
  let batch: Page[] = []
  let characters = 0
  for (const page of pages) {
    batch.push(page)
    characters += page.text.length
    if (characters < BATCH_CHARACTERS) continue
    yield batch
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield batch
}

class WrittenTree implements TreeSource {
  readonly #tree: TreeSource
  readonly #written: ReadonlyMap<string, Buffer>
  /** Moved files by their new paths. */
  readonly #moved = new Map<string, TreeEntry>()
  readonly #entries: readonly TreeEntry[]

  constructor(
    tree: TreeSource,
    entries: readonly TreeEntry[],
    paths: ReadonlyMap<string, string>,
    written: ReadonlyMap<string, Buffer>,
  ) {
    this.#tree = tree
    this.#written = written
    for (const entry of entries) {
      const to = paths.get(entry.path)
      if (to !== undefined && !written.has(to)) this.#moved.set(to, entry)
    }
    this.#entries = [
      ...[...this.#moved].map(([path, entry]) => ({ ...entry, path })),
      ...[...written].map(([path, bytes]) => ({
        ...{ path, kind: 'file' as const, oid: gitBlobOid(bytes), size: bytes.length },
      })),
    ].sort((one, other) => Buffer.compare(Buffer.from(one.path), Buffer.from(other.path)))
  }

  async list({ subdirectory = '' }: ListOptions): Promise<TreeEntry[]> {
    const start = subdirectory === '' ? '' : `${subdirectory}/`
    return this.#entries.filter(({ path }) => path.startsWith(start))
  }

  async *read(entries: Iterable<TreeEntry>, options: ReadOptions): AsyncGenerator<TreeFile> {
    for (const entry of entries) {
      const bytes = this.#written.get(entry.path)
      const moved = this.#moved.get(entry.path)
      if (bytes !== undefined && bytes.length <= options.bytesMax) yield { entry, bytes }
      else if (moved !== undefined)
        for await (const { bytes } of this.#tree.read([moved], options)) yield { entry, bytes }
    }
  }

  async *stream(entry: TreeEntry, options?: { signal?: AbortSignal }): AsyncGenerator<Uint8Array> {
    const bytes = this.#written.get(entry.path)
    const moved = this.#moved.get(entry.path)
    if (bytes !== undefined) yield bytes
    else if (moved !== undefined) yield* this.#tree.stream(moved, options)
  }
}
