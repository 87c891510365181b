// Rich documents as Markdown. They arrive as JSON text, which is copied into a thread much faster than an object.
import type { JSONDocument, Reference } from '../engines/markdown/document/document.ts'
import { references } from '../engines/markdown/page/page.ts'
import { type WrittenText, writeOver } from '../engines/markdown/render/render.ts'
import { askInParts } from './ask-in-parts.ts'
import type { Task } from './task.ts'

type Sent = { readonly json: string }

type AsksAddresses = {
  /** How references are written in this text; undefined: as plain words. */
  addresses(references: readonly Reference[]): Promise<readonly (string | undefined)[]>
}

type AsksReferences = AsksAddresses & {
  /** What destinations in this text refer to. */
  references(destinations: readonly string[]): Promise<readonly (Reference | undefined)[]>
}

/** The Markdown of a checked document. */
export const documentMarkdown: Task<Sent, string, AsksAddresses> = async ({ json }, ask) => {
  const document: JSONDocument = JSON.parse(json)
  // There is no previous text whose destinations could be asked about.
  const known = new ResolvedReferences({
    addresses: found => ask.addresses(found),
    references: async () => [],
  })
  await known.load(referencesIn(document), [])
  return known.settle(() => writeOver('', document, { write: known.write }).text)
}

/** `title`: the title of the page whose text `previous` is. */
type OverwriteInput = Sent & { readonly previous: string; readonly title: string }

/** The same on top of an existing text: unchanged blocks keep their bytes. */
export const documentOver: Task<OverwriteInput, WrittenText, AsksReferences> = async (
  { json, previous, title },
  ask,
) => {
  const document: JSONDocument = JSON.parse(json)
  const known = new ResolvedReferences(ask)
  const before = references(previous).map(({ destination }) => destination)
  await known.load(referencesIn(document), before)
  const { write, resolve } = known
  return known.settle(() => writeOver(previous, document, { title, resolve, write }))
}

// Writing a text raises questions about reading it, and the answers raise questions about writing it.
const ROUNDS_MAX = 5

/** Known references and destinations, and the ones to ask about next. */
class ResolvedReferences {
  readonly #ask: AsksReferences
  readonly #addresses = new Map<string, string | undefined>()
  readonly #references = new Map<string, Reference | undefined>()
  #unwritten = new Map<string, Reference>()
  #unread = new Set<string>()

  constructor(ask: AsksReferences) {
    this.#ask = ask
  }

  readonly write = (reference: Reference): string | undefined => {
    const key = JSON.stringify(reference)
    if (!this.#addresses.has(key)) this.#unwritten.set(key, reference)
    return this.#addresses.get(key)
  }

  readonly resolve = (destination: string): Reference | undefined => {
    if (!this.#references.has(destination)) this.#unread.add(destination)
    return this.#references.get(destination)
  }

  /** Asks about all of these. */
  async load(found: Iterable<Reference>, destinations: Iterable<string>): Promise<void> {
    for (const reference of found) this.write(reference)
    for (const destination of destinations) this.resolve(destination)
    await this.#load()
  }

  /** The result of `render` once it meets nothing unknown. */
  async settle<Text>(render: () => Text): Promise<Text> {
    for (let round = 1; ; round++) {
      const text = render()
      const isSettled = this.#unwritten.size === 0 && this.#unread.size === 0
      if (isSettled || round === ROUNDS_MAX) return text
      await this.#load()
    }
  }

  async #load(): Promise<void> {
    const unwritten = [...this.#unwritten]
    const unread = [...this.#unread]
    this.#unwritten = new Map()
    this.#unread = new Set()
    const addresses = await askInParts(
      unwritten.map(([, each]) => each),
      references => this.#ask.addresses(references),
    )
    for (const [index, [key]] of unwritten.entries()) this.#addresses.set(key, addresses[index])
    const found = await askInParts(unread, destinations => this.#ask.references(destinations))
    for (const [index, each] of unread.entries()) this.#references.set(each, found[index])
  }
}

/** Everything in a document that looks like a reference. Iterative: nesting costs no stack. */
function* referencesIn(document: JSONDocument): Generator<Reference> {
  const waiting: unknown[] = [document.nodes]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue
    // The document was checked: nothing else in it has a `kind`.
    if ('kind' in next && typeof next.kind === 'string') yield next as Reference
    for (const value of Object.values(next)) if (typeof value === 'object') waiting.push(value)
  }
}
