// Where the addresses of a page lead is asked of the caller of the task: first all at once for those that its text
// names, then for those that the renderer meets besides, until all are known.
import type { HtmlOptions, ImageSource, LinkTarget } from '../engines/markdown/html/html.ts'
import {
  childrenOf,
  includedPath,
  type Node,
  parseMarkdown,
  type Root,
} from '../engines/markdown/syntax/syntax.ts'
import { askInParts } from './ask-in-parts.ts'
import type { Ask } from './task.ts'

/** An address as it is written in the page (`from` is '') or in the reusable content of that id. */
export type AddressKey = readonly [from: string, kind: 'link' | 'image' | 'include', destination: string]

/** A reusable content: its id and the hash of its document. */
export type Include = { readonly id: string; readonly document: string }

/** Where an address leads; null for a picture or a reusable content that is not there. */
export type AddressTarget = LinkTarget | ImageSource | Include | null

export type AddressQuestion =
  | { readonly kind: 'addresses'; readonly asked: readonly AddressKey[] }
  | { readonly kind: 'texts'; readonly documents: readonly string[] }

export type AddressAnswer = readonly AddressTarget[] | readonly string[]

// What a page shows is bounded; so a page that includes what includes it ends after a few rounds.
const ROUNDS_MAX = 10

const BROKEN: LinkTarget = { href: '', isExternal: false, isBroken: true }

/** What is known of addresses, and what is asked next. */
export class Addresses {
  readonly #ask: Ask<AddressQuestion, AddressAnswer>
  readonly #known = new Map<string, AddressTarget>()
  readonly #texts = new Map<string, Root>()
  #wanted = new Map<string, AddressKey>()

  constructor(ask: Ask<AddressQuestion, AddressAnswer>) {
    this.#ask = ask
  }

  resolversOf(from: string): Pick<HtmlOptions, 'resolveLink' | 'resolveImage' | 'reusable' | 'source'> {
    return {
      source: from,
      resolveLink: destination => (this.#find([from, 'link', destination]) as LinkTarget | null) ?? BROKEN,
      resolveImage: destination =>
        (this.#find([from, 'image', destination]) as ImageSource | null) ?? undefined,
      // Addresses of includes are those of the page, wherever they are written.
      reusable: destination => {
        const include = this.#find(['', 'include', destination]) as Include | null
        const root = include === null ? undefined : this.#texts.get(include.document)
        return include === null || root === undefined ? undefined : { root, ...this.resolversOf(include.id) }
      },
    }
  }

  #find(asked: AddressKey): AddressTarget {
    const key = asked.join('\n')
    const known = this.#known.get(key)
    if (known === undefined) this.#wanted.set(key, asked)
    return known ?? null
  }

  /** Asks for what a text names, and what the texts name that it includes. */
  async expect(from: string, root: Root): Promise<void> {
    for (const [kind, destination] of destinationsIn(root))
      this.#find([kind === 'include' ? '' : from, kind, destination])
    await this.#load()
  }

  /** Renders until nothing is met that is not known. `isSettled` says, at the end of a rendering, that it is the last. */
  async render<Rendered>(render: (isSettled: () => boolean) => Promise<Rendered>): Promise<Rendered> {
    for (let round = 1; ; round++) {
      const isSettled = () => round === ROUNDS_MAX || this.#wanted.size === 0
      const rendered = await render(isSettled)
      if (isSettled()) return rendered
      await this.#load()
    }
  }

  async #load(): Promise<void> {
    const wanted = [...this.#wanted]
    this.#wanted = new Map()
    const includes: Include[] = []
    const found = await askInParts(
      wanted.map(([, each]) => each),
      async asked => (await this.#ask({ kind: 'addresses', asked })) as readonly AddressTarget[],
    )
    for (const [index, [key, [, kind]]] of wanted.entries()) {
      const answer = found[index] ?? null
      this.#known.set(key, answer)
      if (kind === 'include' && answer !== null) includes.push(answer as Include)
    }
    await this.#loadTexts(includes)
  }

  async #loadTexts(includes: readonly Include[]): Promise<void> {
    const fresh = includes.filter(({ document }) => !this.#texts.has(document))
    const documents = [...new Set(fresh.map(({ document }) => document))]
    if (documents.length === 0) return
    const texts = (await this.#ask({ kind: 'texts', documents })) as readonly string[]
    for (const [at, document] of documents.entries())
      this.#texts.set(document, parseMarkdown(texts[at] as string))
    for (const { id, document } of fresh) await this.expect(id, this.#texts.get(document) as Root)
  }
}

const ATTRIBUTES = ['href', 'src', 'srcset', 'url'] as const

/** Most of what a renderer will ask for. */
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
    for (const child of childrenOf(node)) waiting.push(child)
  }
}
