// The links of submitted texts: however a link names a page or a file, it becomes the path of that file, relative to
// the file of the text, as in a repository. A link to what is not there stays as it is written, so that it leads to what
// comes later (record 70); only addresses that nobody may be sent to become plain text.
import { isLinkScheme, schemeOf } from '../../../base/link-schemes.ts'
import { folderOf, resolvePath as joinPaths } from '../../../base/paths.ts'
import { percentDecode } from '../../../base/percent-decode.ts'
import { inSlices } from '../../../base/slices.ts'
import type { PageLink } from '../../../compute/page-projection.ts'
import { type Draft, PathFinder, pathOf } from '../../../engines/content/draft.ts'
import {
  fileKey,
  type Key,
  type PlacedKey,
  pageKey,
  type Reference,
  reusableKey,
} from '../../../engines/content/records.ts'
import { readEntries } from '../../../engines/content/trie.ts'
import type { Reference as DocumentReference } from '../../../engines/markdown/document/document.ts'
import { resolveFromPage, resolvePath } from '../../../engines/markdown/page/page.ts'
import { linkBetween } from '../../../engines/names/new-files.ts'
import type { LinkTarget } from '../request/fields.ts'
import type { RecordRef, Refs } from '../request/prepare.ts'
import {
  addressedRecord,
  type Elsewhere,
  type ElsewhereReference,
  isElsewhere,
  keyOf as keyElsewhere,
  writeElsewhere,
} from './other-spaces.ts'
import type { Places } from './places.ts'
import type { Base } from './state.ts'
import { distinctMissing, type Missing, toMissing } from './unresolved.ts'

/** A text that has links. */
export type TextAt = {
  /** Its path, or its future one. */
  readonly file: string
  /** The page whose text it is; undefined for a reusable content. */
  readonly page: string | undefined
}

/** `undefined` leaves a destination as it is, null turns its link into plain text. */
type Rewritten = string | null | undefined

type LinksBase = Pick<Base, 'compute' | 'store' | 'owner' | 'rootsRead' | 'findAddresses'>

export class Links {
  readonly #base: LinksBase
  readonly #draft: Draft
  readonly #places: Places
  readonly #refs: Refs
  readonly #paths: PathFinder
  /** By the page whose text has the links: a text has many links and one folder. */
  readonly #folders = new Map<string, string>()
  /** The paths of what was there when a text was read and is not any more. */
  readonly #pathsRead = new Map<Key, string>()
  /** Addresses of pages and files of other spaces; undefined if there is none. */
  readonly #elsewhere = new Map<string, string | undefined>()

  /** `draft` is the final tree. */
  constructor(draft: Draft, places: Places, refs: Refs, base: LinksBase) {
    this.#base = base
    this.#draft = draft
    this.#places = places
    this.#refs = refs
    this.#paths = new PathFinder(draft)
  }

  /**
   * The text with its links as paths, and what it refers to that is not there. `before` is the text that it replaces.
   */
  async rewrite(
    text: string,
    at: TextAt,
    before: string | null,
  ): Promise<{ readonly text: string; readonly missing: readonly Missing[] }> {
    const open = await this.#openIn(text, at)
    if (open.length === 0) return { text, missing: [] }
    const was = before === null ? [] : await this.#destinationsOf(before)
    const kept = new Set(was.map(({ destination }) => destination))
    const rewritten = new Map<string, string | null>()
    const resolved = new Set<string>()
    await this.#load(open.map(({ destination }) => destination))
    for await (const destination of inSlices(new Set(open.map(({ destination }) => destination)))) {
      const answer = await this.#rewrite(destination, at, kept)
      if (answer !== undefined) rewritten.set(destination, answer)
      if (typeof answer === 'string') resolved.add(destination)
    }
    const missing = this.#missingAmong(
      open.filter(({ destination }) => !resolved.has(destination)),
      at,
    )
    if (rewritten.size === 0) return { text, missing }
    const outcome = await this.#base.compute.run('rewriteLinks', this.#base.owner.spaceId, {
      markdown: text,
      rewritten,
    })
    return { text: outcome.kind === 'done' ? outcome.value : text, missing }
  }

  /** What a text with paths refers to that is not there. */
  async missingIn(text: string, at: TextAt): Promise<readonly Missing[]> {
    return this.#missingAmong(await this.#openIn(text, at), at)
  }

  /** Some is understood when it is read, though not by the rules of a repository. */
  #missingAmong(open: readonly PageLink[], at: TextAt): Missing[] {
    const isThere = (file: string): boolean => this.#places.find(file) !== undefined
    return distinctMissing(
      open
        .filter(({ destination }) => resolveFromPage(at.file, destination, isThere).type !== 'file')
        .map(toMissing),
    )
  }

  /** What a text refers to and is not understood as written. */
  async #openIn(text: string, at: TextAt): Promise<PageLink[]> {
    const open: PageLink[] = []
    for await (const link of inSlices(await this.#destinationsOf(text)))
      if (!this.#isSettled(link.destination, at)) open.push(link)
    return open
  }

  /** None if the text is too large to parse: it is kept as sent. */
  async #destinationsOf(markdown: string): Promise<readonly PageLink[]> {
    const outcome = await this.#base.compute.run('destinations', this.#base.owner.spaceId, { markdown })
    return outcome.kind === 'done' ? outcome.value : []
  }

  /**
   * How a reference of a rich document is written in the text `at`; its records were loaded. Undefined leads nowhere.
   */
  write(reference: DocumentReference, at: TextAt, spaceUrl: (id: string) => string): string | undefined {
    if (this.#isElsewhere(reference)) return writeElsewhere(reference, this.#elsewhere)
    switch (reference.kind) {
      case 'url':
        return isRefused(reference.url) ? undefined : reference.url
      case 'anchor': {
        const anchor = `#${reference.anchor}`
        if (reference.page === undefined) return anchor
        const file = this.#pathOf(this.#named('page', reference.page))
        return file === undefined ? undefined : linkBetween(at.file, file) + anchor
      }
      case 'space':
        return spaceUrl(reference.space)
      case 'openapi':
        return reference.spec
      case 'page':
      case 'file':
      case 'reusable-content': {
        const file = this.#pathOf(this.#named(reference.kind, idOf(reference)))
        return file === undefined ? undefined : linkBetween(at.file, file)
      }
      default:
        return undefined
    }
  }

  /** The target of a link page; undefined if it does not exist or is an address that readers may not be sent to. */
  async settle(target: LinkTarget): Promise<Reference | undefined> {
    if (target.kind === 'url') return isVisited(target.url) ? { kind: 'url', url: target.url } : undefined
    if (target.kind === 'space') return { kind: 'space', space: target.space }
    await this.loadReferences([target])
    if (this.#isElsewhere(target)) {
      const url = writeElsewhere(target, this.#elsewhere)
      return url === undefined ? undefined : { kind: 'url', url }
    }
    const made = this.#named(
      target.kind === 'file' ? 'file' : 'page',
      target.kind === 'file' ? target.file : target.page,
    )
    if (this.#draft.get(keyOf(made)) === null) return undefined
    if (target.kind === 'file') return { kind: 'file', file: made.id }
    if (target.kind === 'page') return { kind: 'page', page: made.id }
    return { kind: 'anchor', anchor: target.anchor, page: made.id }
  }

  /** Loads the records that these references mean. */
  async loadReferences(found: Iterable<DocumentReference>): Promise<void> {
    const made: RecordRef[] = []
    const elsewhere = new Map<string, Elsewhere>()
    for (const reference of found) {
      if (this.#isElsewhere(reference)) {
        const thing = addressedRecord(reference)
        if (thing !== undefined) elsewhere.set(keyElsewhere(thing), thing)
        continue
      }
      if (reference.kind === 'anchor' && reference.page !== undefined)
        made.push(this.#named('page', reference.page))
      if (reference.kind === 'page' || reference.kind === 'file' || reference.kind === 'reusable-content')
        made.push(this.#named(reference.kind, idOf(reference)))
    }
    await this.#draft.load(made.map(keyOf))
    await this.#loadDeleted(made.map(keyOf))
    await this.#loadElsewhere([...elsewhere.values()])
  }

  /** A link of a rich document to what was deleted since it was read stays what a text would have: its path. */
  async #loadDeleted(keys: readonly PlacedKey[]): Promise<void> {
    const deleted = keys.filter(key => this.#draft.get(key) === null && !this.#pathsRead.has(key))
    if (deleted.length === 0) return
    for (const root of this.#base.rootsRead ?? [])
      for (const [key, { file }] of await readEntries(this.#base.store, root, deleted))
        if (file !== undefined) this.#pathsRead.set(key, file)
  }

  async #loadElsewhere(all: readonly Elsewhere[]): Promise<void> {
    const unknown = all.filter(thing => !this.#elsewhere.has(keyElsewhere(thing)))
    if (unknown.length === 0) return
    const addresses = await this.#base.findAddresses(unknown)
    for (const thing of unknown) this.#elsewhere.set(keyElsewhere(thing), addresses.get(keyElsewhere(thing)))
  }

  #isElsewhere(reference: DocumentReference): reference is ElsewhereReference {
    return isElsewhere(reference, this.#base.owner.spaceId)
  }

  /** The target of a destination as readers follow it, for a text at this place. */
  find(destination: string, at: TextAt): RecordRef | undefined {
    const resolved = resolvePath(at.file, destination, file => this.#places.find(file) !== undefined)
    return resolved.type === 'file' ? this.#places.find(resolved.file) : undefined
  }

  /** By its id, or by the name that this request gives it. */
  #named(kind: RecordRef['kind'], id: string): RecordRef {
    const made = this.#refs.find(id)
    return made?.kind === kind ? made : { kind, id }
  }

  #pathOf(made: RecordRef): string | undefined {
    return this.#fileOf(made) ?? this.#pathsRead.get(keyOf(made))
  }

  #fileOf(made: RecordRef | undefined): string | undefined {
    if (made === undefined) return undefined
    return this.#draft.get(keyOf(made))?.file
  }

  /** Whether a destination is understood as written. Refs of this request come before files of that name. */
  #isSettled(destination: string, at: TextAt): boolean {
    const { address } = split(destination)
    if (address === '' || this.#refs.findDestination(address) !== undefined) return address === ''
    if (isAbsolute(destination)) return !isRefused(destination)
    return this.find(destination, at) !== undefined
  }

  async #rewrite(destination: string, at: TextAt, kept: ReadonlySet<string>): Promise<Rewritten> {
    const { address, rest } = split(destination)
    const named = this.#refs.findDestination(address)
    if (named === undefined && kept.has(destination)) return undefined
    if (isAbsolute(destination)) return null
    const file = this.#fileOf(named ?? (await this.#meant(address, at)))
    return file === undefined ? undefined : linkBetween(at.file, file) + rest
  }

  async #meant(address: string, at: TextAt): Promise<RecordRef | undefined> {
    const byId = namedById(address)
    if (byId !== undefined && this.#draft.get(keyOf(byId)) !== null) return byId
    const id = await this.#pageByPath(address, at)
    return id === undefined ? undefined : { kind: 'page', id }
  }

  /** By slugs from the root (`/pages/a/b`), or from the folder that the page would have in a repository. */
  async #pageByPath(address: string, at: TextAt): Promise<string | undefined> {
    const written = percentDecode(address)
    const fromRoot = /^\/pages\/(.*)$/.exec(written)?.[1]
    if (fromRoot !== undefined) return this.#pageAt(joinPaths('', fromRoot))
    if (written.startsWith('/') || at.page === undefined) return undefined
    return this.#pageAt(joinPaths(await this.#folderOf(at.page), written))
  }

  async #pageAt(path: string | undefined): Promise<string | undefined> {
    if (path === undefined) return undefined
    const named = path.replace(/(?:^|\/)README\.md$/i, '').replace(/\.md$/i, '')
    const id = await this.#paths.find(named)
    if (id !== undefined) await this.#draft.loadPages([id])
    return id
  }

  /** A page with subpages is the README of its own folder; one without is in that of the page above. */
  async #folderOf(page: string): Promise<string> {
    const known = this.#folders.get(page)
    if (known !== undefined) return known
    const path = await pathOf(this.#draft, page)
    const folder = this.#draft.childrenOf(page).length > 0 ? path : folderOf(path)
    this.#folders.set(page, folder)
    return folder
  }

  async #load(destinations: readonly string[]): Promise<void> {
    const made: RecordRef[] = []
    for await (const destination of inSlices(destinations)) {
      const { address } = split(destination)
      const found = this.#refs.findDestination(address) ?? namedById(address)
      if (found !== undefined) made.push(found)
    }
    await this.#draft.load(made.map(keyOf))
  }
}

const KEYS = { page: pageKey, file: fileKey, 'reusable-content': reusableKey } as const
const keyOf = ({ kind, id }: RecordRef) => KEYS[kind](id)

const idOf = (reference: Extract<DocumentReference, { kind: RecordRef['kind'] }>): string =>
  reference.kind === 'page'
    ? reference.page
    : reference.kind === 'file'
      ? reference.file
      : reference.reusableContent

const BY_ID = /^\/(pages|files|reusable-contents)\/([^/]{1,128})$/
const KINDS: ReadonlyMap<string, RecordRef['kind']> = new Map([
  ['pages', 'page'],
  ['files', 'file'],
  ['reusable-contents', 'reusable-content'],
])

function namedById(address: string): RecordRef | undefined {
  const [, folder = '', id] = BY_ID.exec(percentDecode(address)) ?? []
  const kind = KINDS.get(folder)
  return kind === undefined || id === undefined ? undefined : { kind, id }
}

/** Separates a destination from its query and anchor. */
function split(destination: string): { address: string; rest: string } {
  const written = destination.trim()
  const at = written.search(/[?#]/)
  return at === -1
    ? { address: written, rest: '' }
    : { address: written.slice(0, at), rest: written.slice(at) }
}

const isAbsolute = (destination: string): boolean => /^\s*(?:[a-z][a-z0-9+.-]+:|\/\/)/i.test(destination)

/** Data URLs are not stored as files, and addresses that a browser would run lead nowhere. */
const isRefused = (destination: string): boolean =>
  /^[\s\u0000-\u001f]*(?:data|javascript|vbscript|blob|file):/i.test(destination)

/** The same rule as for links of an imported SUMMARY.md. */
const isVisited = (url: string): boolean => isLinkScheme(schemeOf(url) ?? '') && URL.canParse(url)
