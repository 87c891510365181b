// A block of a page as HTML whose words can be marked: what differs between two versions of it.
import type { Element, ElementContent, Text } from 'hast'
import { toHtml as serialize } from 'hast-util-to-html'
import { el } from './build.ts'

/** From `start` up to `end`, in the words of a block. */
export type WordRange = { readonly start: number; readonly end: number }

/** Elements within a line: all others part the words around them. */
const INLINE: ReadonlySet<string> = new Set(
  'a abbr b bdi cite code del dfn em i ins kbd mark q s samp small span strong sub sup time u var'.split(' '),
)
/** What is in them is no text of its own. */
const WHOLE: ReadonlySet<string> = new Set(['math'])

export class ShownBlock {
  readonly #elements: readonly Element[]
  /** Its texts with where they begin in the words. */
  readonly #texts = new Map<Text, number>()
  /** The text of all of it, with a line break wherever a line ends. */
  readonly words: string

  constructor(elements: readonly Element[]) {
    this.#elements = elements
    const words: string[] = []
    let length = 0
    const add = (text: string) => {
      words.push(text)
      length += text.length
    }
    const visit = (nodes: readonly ElementContent[]): void => {
      for (const node of nodes)
        if (node.type === 'text') {
          this.#texts.set(node, length)
          add(node.value)
        } else if (node.type === 'element' && !WHOLE.has(node.tagName)) {
          const isLine = !INLINE.has(node.tagName)
          if (isLine) add('\n')
          visit(node.children)
          if (isLine) add('\n')
        }
    }
    visit(elements)
    this.words = words.join('')
  }

  /** `ranges` are in order and do not overlap. */
  toHtml(tag: 'ins' | 'del', ranges: readonly WordRange[]): string {
    const marked =
      ranges.length === 0 ? this.#elements : this.#marked(this.#elements, tag, new Ranges(ranges))
    return serialize(
      { type: 'root', children: [...marked] },
      { characterReferences: { useNamedReferences: true } },
    )
  }

  #marked<Node extends ElementContent>(
    nodes: readonly Node[],
    tag: string,
    ranges: Ranges,
  ): ElementContent[] {
    return nodes.flatMap((node): ElementContent[] => {
      if (node.type === 'element') return [{ ...node, children: this.#marked(node.children, tag, ranges) }]
      const start = node.type === 'text' ? this.#texts.get(node) : undefined
      if (node.type !== 'text' || start === undefined) return [node]
      return ranges
        .cut(start, node.value)
        .map(({ text, isMarked }) =>
          isMarked && text.trim() !== '' ? el(tag, {}, text) : { type: 'text', value: text },
        )
    })
  }
}

/** Ranges that are read in order, once. */
class Ranges {
  readonly #ranges: readonly WordRange[]
  #next = 0

  constructor(ranges: readonly WordRange[]) {
    this.#ranges = ranges
  }

  /** The text that begins at `start` in pieces, each in a range or in none. */
  cut(start: number, text: string): { readonly text: string; readonly isMarked: boolean }[] {
    const pieces: { text: string; isMarked: boolean }[] = []
    let at = 0
    const add = (end: number, isMarked: boolean) => {
      if (end > at) pieces.push({ text: text.slice(at, end), isMarked })
      at = Math.max(at, end)
    }
    for (;;) {
      const range = this.#ranges[this.#next]
      if (range === undefined || range.start >= start + text.length) break
      add(Math.min(range.start - start, text.length), false)
      add(Math.min(range.end - start, text.length), true)
      // The rest of it is in the next text.
      if (range.end > start + text.length) break
      this.#next++
    }
    add(text.length, false)
    return pieces
  }
}
