// Where the addresses of a page lead is asked of the caller of the task: first all at once for those that its text
// names, then for those that the renderer meets besides, until all are known.

import {
  type HtmlOptions,
  type ImageSource,
  INCLUDE_DEPTH_MAX,
  INCLUDES_MAX,
  type LinkTarget,
} from '../engines/markdown/html/html.ts'
import { buttonOf, questionOf } from '../engines/markdown/reading/reading.ts'
import {
  childrenOf,
  includedPath,
  type Node,
  parseMarkdown,
  type Root,
} from '../engines/markdown/syntax/syntax.ts'
import { askInParts } from './ask-in-parts.ts'

/** A search is named by its words. */
type Targets = { link: LinkTarget; image: ImageSource; include: Include; search: LinkTarget }

/** An address as it is written in the page (`from` is '') or in the reusable content of that id. */
export type AddressKey<Kind extends keyof Targets = keyof Targets> = readonly [
  from: string,
  kind: Kind,
  destination: string,
]

/** A reusable content: its id and the hash of its document. */
export type Include = { readonly id: string; readonly document: string }

/** Where an address leads; null for a picture or a reusable content that is not there, and where nothing is searched. */
export type AddressTarget = Targets[keyof Targets] | null

export type AsksAddresses = {
  addresses(asked: readonly AddressKey[]): Promise<readonly AddressTarget[]>
  /** Of documents by their hashes. */
  texts(documents: readonly string[]): Promise<readonly string[]>
}

// What a page shows is bounded; so a page that includes what includes it ends after a few rounds.
const ROUNDS_MAX = 10

/** The answers so far, by address. */
export class KnownTargets {
  readonly #found = new Map<string, AddressTarget>()

  has(asked: AddressKey): boolean {
    return this.#found.has(asked.join('\n'))
  }

  find<Kind extends keyof Targets>(asked: AddressKey<Kind>): Targets[Kind] | null {
    // A target has the kind that it was asked for as.
    return (this.#found.get(asked.join('\n')) ?? null) as Targets[Kind] | null
  }

  /** Asks for addresses; returns the reusable contents among them. */
  async load(ask: AsksAddresses, wanted: readonly AddressKey[]): Promise<Include[]> {
    const found = await askInParts(wanted, some => ask.addresses(some))
    for (const [index, asked] of wanted.entries()) this.#found.set(asked.join('\n'), found[index] ?? null)
    return wanted.flatMap(([from, kind, destination]) =>
      kind === 'include' ? (this.find([from, kind, destination]) ?? []) : [],
    )
  }
}

/** A reusable content whose text was not asked for. */
const NOT_READ: Root = parseMarkdown('')
const BROKEN: LinkTarget = { href: '', isExternal: false, isBroken: true }

/** What is known of addresses, and what is asked next. */
export class Addresses {
  readonly #ask: AsksAddresses
  readonly #known = new KnownTargets()
  readonly #texts = new Map<string, Root>()
  #wanted = new Map<string, AddressKey>()
  /** Shown without their texts, by documents; no more than a page shows. */
  #missed = new Map<string, Include>()

  constructor(ask: AsksAddresses) {
    this.#ask = ask
  }

  resolversOf(
    from: string,
  ): Pick<HtmlOptions, 'resolveLink' | 'resolveImage' | 'resolveSearch' | 'reusable' | 'source'> {
    return {
      source: from,
      resolveLink: destination => this.#find([from, 'link', destination]) ?? BROKEN,
      resolveImage: destination => this.#find([from, 'image', destination]) ?? undefined,
      resolveSearch: query => this.#find(['', 'search', query]) ?? undefined,
      // Addresses of includes are those of the page, wherever they are written.
      reusable: destination => {
        const include = this.#find(['', 'include', destination])
        if (include === null) return undefined
        const root = () => this.#show(include)
        return {
          // The renderer reads it only where it shows it.
          get root() {
            return root()
          },
          ...this.resolversOf(include.id),
        }
      },
    }
  }

  #show(include: Include): Root {
    const root = this.#texts.get(include.document)
    if (root === undefined) this.#missed.set(include.document, include)
    return root ?? NOT_READ
  }

  #find<Kind extends keyof Targets>(asked: AddressKey<Kind>): Targets[Kind] | null {
    if (!this.#known.has(asked)) this.#wanted.set(asked.join('\n'), asked)
    return this.#known.find(asked)
  }

  /** Asks for what a text names, and what the texts name that it includes. */
  async expect(from: string, root: Root): Promise<void> {
    this.#want(from, root)
    await this.#load()
  }

  #want(from: string, root: Root): void {
    for (const [kind, destination] of destinationsIn(root))
      this.#find([kind === 'include' || kind === 'search' ? '' : from, kind, destination])
  }

  /**
   * Renders until nothing is met that is not known. `isSettled` says, at the end of a rendering, that it is the last.
   */
  async render<Rendered>(render: (isSettled: () => boolean) => Promise<Rendered>): Promise<Rendered> {
    for (let round = 1; ; round++) {
      const isSettled = () => round === ROUNDS_MAX || (this.#wanted.size === 0 && this.#missed.size === 0)
      const rendered = await render(isSettled)
      if (isSettled()) return rendered
      await this.#load()
      await this.#loadMissed()
    }
  }

  /** `depth`: how many reusable contents are around those that are asked for. */
  async #load(depth = 0): Promise<void> {
    const wanted = [...this.#wanted.values()]
    this.#wanted = new Map()
    const includes = await this.#known.load(this.#ask, wanted)
    if (depth < INCLUDE_DEPTH_MAX) await this.#loadTexts(includes, depth)
  }

  /** What they include is loaded when the next rendering shows it. */
  async #loadMissed(): Promise<void> {
    const missed = [...this.#missed.values()]
    this.#missed = new Map()
    await this.#loadTexts(missed, INCLUDE_DEPTH_MAX - 1)
  }

  /** Of one depth, the first in the order of the page: a rendering says which others it shows. */
  async #loadTexts(includes: readonly Include[], depth: number): Promise<void> {
    const fresh = includes.filter(({ document }) => !this.#texts.has(document)).slice(0, INCLUDES_MAX)
    const documents = [...new Set(fresh.map(({ document }) => document))]
    if (documents.length === 0) return
    const texts = await this.#ask.texts(documents)
    for (const [at, document] of documents.entries())
      this.#texts.set(document, parseMarkdown(texts[at] ?? ''))
    for (const { id, document } of fresh) this.#want(id, this.#texts.get(document) ?? NOT_READ)
    await this.#load(depth + 1)
  }
}

const ATTRIBUTES = ['href', 'src', 'srcset', 'url'] as const

/** Most of what a renderer will ask for, in the order of the text. */
function* destinationsIn(root: Root): Generator<readonly [AddressKey[1], string]> {
  const waiting: Node[] = [root]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.type === 'link') yield ['link', node.url]
    else if (node.type === 'image') yield ['image', node.url]
    else if (node.type === 'tag' && node.name === 'include') yield ['include', includedPath(node)]
    else if (node.type === 'tag' || node.type === 'element') {
      for (const name of ATTRIBUTES) {
        const value = node.attributes[name]
        if (typeof value === 'string') yield [name.startsWith('src') ? 'image' : 'link', value]
      }
    }
    const button = node.type === 'element' ? buttonOf(node) : undefined
    const question = button && questionOf(button)
    if (question !== undefined) yield ['search', question]
    for (const child of childrenOf(node).toReversed()) waiting.push(child)
  }
}
