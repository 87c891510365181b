// A source for the layout out of files that are only thought of, and a space in memory that takes plans one after the
// other. It counts what was read, because reading little is a promise of the layout.

import { planExport } from '../../src/api/git-sync/export-layout.ts'
import {
  type ImportPlan,
  type LayoutOptions,
  planImport,
  type Source,
} from '../../src/api/git-sync/layout.ts'
import { sha256 } from '../../src/base/canonical.ts'
import { gitBlobOid } from '../../src/base/git-blob.ts'
import { type Content, contentOf } from '../../src/engines/content/content.ts'
import type { AnyRecord, Key, PageRecord } from '../../src/engines/content/records.ts'
import { checkTree } from '../../src/engines/content/tree-check.ts'
import { readPath, type TreeEntry } from '../../src/platform/tree-source.ts'
import { atOnce } from './compute.ts'

export type Files = Readonly<Record<string, string | Uint8Array>>

/** `odd` are entries that no file of bytes can represent: links, submodules, names that are no text. */
export function memorySource(
  files: Files,
  documents: ReadonlyMap<string, Uint8Array>,
  odd: readonly TreeEntry[] = [],
): Source & { readonly reads: string[]; readonly kept: string[] } {
  const bytesOf = new Map<TreeEntry, Buffer>()
  for (const [path, content] of Object.entries(files)) {
    const bytes = Buffer.from(content)
    bytesOf.set(
      { ...readPath(Buffer.from(path)), kind: 'file', oid: gitBlobOid(bytes), size: bytes.length },
      bytes,
    )
  }
  const reads: string[] = []
  const kept: string[] = []
  return {
    compute: atOnce,
    spaceId: 'one',
    reads,
    kept,
    entries: [...bytesOf.keys(), ...odd].sort((a, b) =>
      Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)),
    ),
    async *read(entries, bytesMax) {
      for (const entry of entries) {
        const bytes = bytesOf.get(entry)
        if (bytes === undefined || bytes.length > bytesMax) continue
        reads.push(entry.path)
        yield { entry, bytes }
      }
    },
    async *keep(entries) {
      for (const entry of entries) {
        const bytes = bytesOf.get(entry) as Buffer
        kept.push(entry.path)
        yield {
          entry,
          kept: { blob: sha256(bytes), size: bytes.length, contentType: 'application/octet-stream' },
        }
      }
    },
    readDocuments: async hashes =>
      new Map(
        hashes.flatMap(hash => (documents.has(hash) ? [[hash, documents.get(hash) as Uint8Array]] : [])),
      ),
  }
}

export type Step = ImportPlan & { readonly reads: readonly string[]; readonly kept: readonly string[] }

/** A space that imports what it is given. Ids are numbers in the order they were made, so that a test can read them. */
export class MemorySpace {
  readonly documents = new Map<string, Uint8Array>()
  #entries = new Map<Key, AnyRecord>()
  #ids = 0

  get content(): Content {
    return contentOf(this.#entries)
  }

  async import(
    files: Files,
    options: Partial<LayoutOptions> = {},
    odd: readonly TreeEntry[] = [],
  ): Promise<Step> {
    const source = memorySource(files, this.documents, odd)
    const plan = await planImport(source, this.content, {
      projectDirectory: '',
      committedAt: '2030-01-01T00:00:00.000Z',
      newId: () => String(++this.#ids),
      fileBytesMax: 1_000_000,
      onProgress: () => {},
      ...options,
    })
    this.edit(plan)
    return { ...plan, reads: source.reads, kept: source.kept }
  }

  /** Publishes edits, which have to leave a tree and every document that it names. */
  edit({ edits, documents }: Pick<ImportPlan, 'edits' | 'documents'>): void {
    for (const { hash, body } of documents) this.documents.set(hash, body)
    for (const [key, record] of edits) {
      if (record === null) this.#entries.delete(key)
      else this.#entries.set(key, record)
    }
    const problems = checkTree(this.content)
    if (problems.length > 0) throw new Error(`the tree is broken: ${JSON.stringify(problems)}`)
    for (const { document } of this.content.pages.values()) {
      if (document !== null && !this.documents.has(document)) throw new Error('a document is not stored')
    }
  }

  /** The files of a repository once what the space has, and `base` had not, is written to them. */
  async export(
    files: Files,
    base: Content | undefined,
    isForced = false,
  ): Promise<Record<string, Uint8Array>> {
    const source = memorySource(files, this.documents)
    const plan = await planExport(source, { base, head: this.content }, { projectDirectory: '', isForced })
    const written = new Map(Object.entries(files).map(([path, content]) => [path, Buffer.from(content)]))
    for (const path of plan.removes) written.delete(path)
    for (const { path, content } of plan.writes) {
      const bytes = content.kind === 'bytes' ? content.bytes : this.documents.get(content.hash)
      if (bytes !== undefined) written.set(path, Buffer.from(bytes))
    }
    return Object.fromEntries(written)
  }

  page(file: string): PageRecord & { readonly id: string } {
    for (const [id, page] of this.content.pages) if (page.file === file) return { id, ...page }
    throw new Error(`there is no page of ${file}`)
  }

  /** The document of a page as text. */
  text(file: string): string {
    return Buffer.from(this.documents.get(this.page(file).document ?? '') ?? '').toString()
  }

  /** The tree, a line a page: type, slug, title. */
  tree(): string[] {
    const { tree, pages } = this.content
    const show = (ids: readonly string[], indent: string): string[] =>
      ids.flatMap(id => {
        const page = pages.get(id) as PageRecord
        const line = { document: '', group: '# ', link: '-> ', computed: '* ' }[page.type]
        return [
          `${indent}${line}${[page.slug, page.title].filter(text => text !== '').join(' | ')}`,
          ...show(page.children, `${indent}  `),
        ]
      })
    return show(tree.children, '')
  }
}
