// A page's Markdown as it can be read by itself. Where its addresses lead, and what it includes, is asked of the caller.
import { type StandaloneOptions, standalone } from '../engines/markdown/excerpt/excerpt.ts'
import {
  type ImageSource,
  type LinkTarget,
  type Part,
  partOf,
  type ShownPart,
} from '../engines/markdown/html/html.ts'
import { type MarkdownReference, references } from '../engines/markdown/page/page.ts'
import {
  childrenOf,
  includedPath,
  type Node,
  parseMarkdown,
  type Root,
  type Tag,
} from '../engines/markdown/syntax/syntax.ts'
import type { AddressAnswer, AddressKey, AddressQuestion, AddressTarget, Include } from './addresses.ts'
import { askInParts } from './ask-in-parts.ts'
import type { Ask, Task } from './task.ts'

export type StandaloneInput = { readonly markdown: string } & Required<
  Pick<StandaloneOptions, 'title' | 'variables'>
>

export type StandaloneQuestion = AddressQuestion | { readonly kind: 'parts'; readonly parts: readonly Part[] }
export type StandaloneAnswer = AddressAnswer | readonly ShownPart[]

export const standaloneMarkdown: Task<StandaloneInput, string, StandaloneQuestion, StandaloneAnswer> = async (
  { markdown, title, variables },
  ask,
) => {
  const known = new Known(ask)
  const page = { source: markdown, root: parseMarkdown(markdown) }
  await known.load('', page)
  await known.loadParts()
  return new Renderer(known, variables).render('', page, title)
}

// As deep, and as many, as the HTML of a page shows.
const INCLUDE_DEPTH_MAX = 4
const INCLUDES_MAX = 200
/** Of all that a page includes and shows of API descriptions, each as often as it does. */
const INCLUDED_CHARACTERS_MAX = 2_000_000
/** As many as the reader shows. */
const PARTS_MAX = 100

type Text = { readonly source: string; readonly root: Root }

/** What was asked, for a page and what it includes. */
class Known {
  readonly #ask: Ask<StandaloneQuestion, StandaloneAnswer>
  readonly #parts = new Map<string, string>()
  readonly #named = new Map<string, Part>()
  readonly #found = new Map<string, AddressTarget>()
  readonly #texts = new Map<string, Text>()

  constructor(ask: Ask<StandaloneQuestion, StandaloneAnswer>) {
    this.#ask = ask
  }

  find(...asked: AddressKey): AddressTarget {
    return this.#found.get(keyOf(asked)) ?? null
  }

  /** Of a reusable content. */
  textOf(id: string): Text | undefined {
    return this.#texts.get(id)
  }

  /** Asks for what a text names, and what the texts name that it includes. `from` as in `Asked`. */
  async load(from: string, { source, root }: Text): Promise<void> {
    const wanted = new Map<string, AddressKey>()
    const want = (asked: AddressKey) => {
      const key = keyOf(asked)
      if (!this.#found.has(key)) wanted.set(key, asked)
    }
    for (const reference of references(source, root)) {
      const kind = kindOf(reference)
      if (kind !== undefined) want([from, kind, reference.destination])
    }
    for (const tag of tagsIn(root)) {
      // Addresses of includes are those of the page, wherever they are written.
      if (tag.name === 'include') want(['', 'include', includedPath(tag)])
      const part = partIn(from, tag)
      if (part !== undefined) this.#named.set(JSON.stringify(part), part)
    }
    const answers = await askInParts(
      [...wanted.values()],
      async asked => (await this.#ask({ kind: 'addresses', asked })) as readonly AddressTarget[],
    )
    const includes = new Map<string, Include>()
    for (const [index, [key, [, kind]]] of [...wanted].entries()) {
      const found = answers[index] ?? null
      this.#found.set(key, found)
      if (kind === 'include' && found !== null) includes.set((found as Include).id, found as Include)
    }
    await this.#include([...includes.values()])
  }

  /** Of all texts that were loaded. */
  async loadParts(): Promise<void> {
    if (this.#named.size === 0) return
    const parts = [...this.#named.values()].slice(0, PARTS_MAX)
    const shown = (await this.#ask({ kind: 'parts', parts })) as readonly ShownPart[]
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
    const sources = (await this.#ask({ kind: 'texts', documents })) as readonly string[]
    for (const [at, { id }] of fresh.entries()) {
      const source = sources[at] as string
      this.#texts.set(id, { source, root: parseMarkdown(source) })
    }
    for (const { id } of fresh) await this.load(id, this.#texts.get(id) as Text)
  }
}

const keyOf = (asked: AddressKey): string => asked.join('\n')

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

/** As a page names it that is not laid out: the level of its title does not matter. */
function partIn(from: string, tag: Tag): Part | undefined {
  const part = partOf(tag)
  return part && { ...part, from, level: 0 }
}

class Renderer {
  readonly #known: Known
  readonly #variables: StandaloneOptions['variables']
  readonly #including: string[] = []
  #includes = 0
  #characters = 0

  constructor(known: Known, variables: StandaloneOptions['variables']) {
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

  /** What leads nowhere is words, as in HTML. */
  #address(from: string, reference: MarkdownReference): string | null | undefined {
    const { kind, destination } = reference
    const asked = kindOf(reference)
    if (asked === undefined) return undefined
    const found = this.#known.find(from, asked, destination)
    if (asked === 'image') return (found as ImageSource | null)?.src ?? null
    const target = found as LinkTarget | null
    if (target?.isExternal === true) return undefined
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
    const include = this.#known.find('', 'include', path) as Include | null
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
