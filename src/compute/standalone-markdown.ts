// A page's Markdown in a form that can be read by itself. The caller is asked where its addresses lead and what it
// includes.
import { type StandaloneOptions, standalone } from '../engines/markdown/excerpt/excerpt.ts'
import {
  type ApiPart,
  INCLUDE_DEPTH_MAX,
  INCLUDES_MAX,
  partOf,
  type ShowParts,
} from '../engines/markdown/html/html.ts'
import { type MarkdownReference, references } from '../engines/markdown/page/page.ts'
import { blockOf } from '../engines/markdown/reading/reading.ts'
import {
  childrenOf,
  includedPath,
  type Node,
  parseMarkdown,
  type Root,
  type Tag,
} from '../engines/markdown/syntax/syntax.ts'
import { type AddressKey, type AsksAddresses, type Include, KnownTargets } from './addresses.ts'
import type { Task } from './task.ts'

export type StandaloneInput = { readonly markdown: string } & Required<
  Pick<StandaloneOptions, 'title' | 'variables'>
>

type AsksOfText = AsksAddresses & { parts: ShowParts }

export const standaloneMarkdown: Task<StandaloneInput, string, AsksOfText> = async (
  { markdown, title, variables },
  ask,
) => {
  const known = new ResolvedParts(ask)
  const page = { source: markdown, root: parseMarkdown(markdown) }
  await known.load('', page)
  await known.loadParts()
  return new Renderer(known, variables).render('', page, title)
}

/** Of everything a page includes and shows of API descriptions, counted as often as it occurs. */
const INCLUDED_CHARACTERS_MAX = 2_000_000
/** The same number as in the reader. */
const PARTS_MAX = 100

type Text = { readonly source: string; readonly root: Root }

/** The answers for a page and its includes. */
class ResolvedParts {
  readonly #ask: AsksOfText
  readonly #parts = new Map<string, string>()
  readonly #named = new Map<string, ApiPart>()
  readonly targets = new KnownTargets()
  readonly #texts = new Map<string, Text>()

  constructor(ask: AsksOfText) {
    this.#ask = ask
  }

  /** The text of a reusable content, by id. */
  textOf(id: string): Text | undefined {
    return this.#texts.get(id)
  }

  /** Asks about what a text names, and recursively what its includes name. `from` as in `AddressKey`. */
  async load(from: string, { source, root }: Text): Promise<void> {
    const wanted = new Map<string, AddressKey>()
    const want = (asked: AddressKey) => {
      if (!this.targets.has(asked)) wanted.set(asked.join('\n'), asked)
    }
    for (const reference of references(source, root)) {
      const kind = kindOf(reference)
      if (kind !== undefined) want([from, kind, reference.destination])
    }
    for (const tag of tagsIn(root)) {
      // Includes are addressed from the page, wherever they are written.
      if (tag.name === 'include') want(['', 'include', includedPath(tag)])
      const part = partIn(from, tag)
      if (part !== undefined) this.#named.set(JSON.stringify(part), part)
    }
    const includes = await this.targets.load(this.#ask, [...wanted.values()])
    await this.#include([...new Map(includes.map(include => [include.id, include])).values()])
  }

  /** For all loaded texts. */
  async loadParts(): Promise<void> {
    if (this.#named.size === 0) return
    const parts = [...this.#named.values()].slice(0, PARTS_MAX)
    const shown = await this.#ask.parts(parts)
    for (const [at, part] of parts.entries()) {
      const one = shown[at]
      if (one !== undefined && 'markdown' in one) this.#parts.set(JSON.stringify(part), one.markdown)
    }
  }

  partOf(from: string, tag: Tag): string | undefined {
    const part = partIn(from, tag)
    return part && this.#parts.get(JSON.stringify(part))
  }

  async #include(includes: readonly Include[]): Promise<void> {
    const fresh = includes.filter(({ id }) => !this.#texts.has(id)).slice(0, INCLUDES_MAX - this.#texts.size)
    if (fresh.length === 0) return
    const documents = fresh.map(({ document }) => document)
    const sources = await this.#ask.texts(documents)
    const texts = fresh.map(({ id }, at) => {
      const source = sources[at] ?? ''
      return [id, { source, root: parseMarkdown(source) }] as const
    })
    for (const [id, text] of texts) this.#texts.set(id, text)
    for (const [id, text] of texts) await this.load(id, text)
  }
}

const kindOf = ({ kind }: MarkdownReference): 'link' | 'image' | undefined => {
  if (kind === 'image') return 'image'
  return kind === 'cover' || kind === 'include' || kind === 'openapi-spec' || kind === 'definition'
    ? undefined
    : 'link'
}

function* tagsIn(root: Root): Generator<Tag> {
  const waiting: Node[] = [root]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.type === 'tag') yield node
    for (const child of childrenOf(node)) waiting.push(child)
  }
}

/** A part without layout: the level of its title does not matter. */
function partIn(from: string, tag: Tag): ApiPart | undefined {
  const part = partOf(blockOf(tag))
  return part && { ...part, from, level: 0 }
}

class Renderer {
  readonly #known: ResolvedParts
  readonly #variables: StandaloneOptions['variables']
  readonly #including: string[] = []
  #includes = 0
  #characters = 0

  constructor(known: ResolvedParts, variables: StandaloneOptions['variables']) {
    this.#known = known
    this.#variables = variables
  }

  render(from: string, { source, root }: Text, title?: string): string {
    return standalone(source, root, {
      ...(title === undefined ? {} : { title }),
      variables: this.#variables,
      address: reference => this.#address(from, reference),
      include: path => this.#include(path),
      part: tag => this.#part(from, tag),
    })
  }

  /** A link that leads nowhere becomes words, as in HTML. */
  #address(from: string, reference: MarkdownReference): string | null | undefined {
    const { kind, destination } = reference
    const asked = kindOf(reference)
    if (asked === undefined) return undefined
    if (asked === 'image') return this.#known.targets.find([from, asked, destination])?.src ?? null
    const target = this.#known.targets.find([from, asked, destination])
    if (target?.isExternal === true) return undefined
    // A person has no address: their name stays.
    if (target?.user !== undefined) return null
    if (target !== null && !target.isBroken) return target.href
    return kind === 'link' || kind === 'mention' || kind === 'content-ref' ? null : undefined
  }

  #part(from: string, tag: Tag): string | undefined {
    const text = this.#known.partOf(from, tag)
    if (text === undefined) return undefined
    this.#characters += text.length
    return this.#characters > INCLUDED_CHARACTERS_MAX ? undefined : text
  }

  #include(path: string): string | undefined {
    const include = this.#known.targets.find(['', 'include', path])
    const text = include === null ? undefined : this.#known.textOf(include.id)
    if (include === null || text === undefined || this.#including.includes(include.id)) return undefined
    if (this.#including.length >= INCLUDE_DEPTH_MAX || ++this.#includes > INCLUDES_MAX) return undefined
    this.#characters += text.source.length
    if (this.#characters > INCLUDED_CHARACTERS_MAX) return undefined
    this.#including.push(include.id)
    const rendered = this.render(include.id, text)
    this.#including.pop()
    return rendered
  }
}
