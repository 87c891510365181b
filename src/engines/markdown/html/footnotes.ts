// Footnotes of a page: numbered in the order of first use, and shown below it.
import type { Element } from 'hast'
import { type FootnoteDefinition, footnotesOf, type Node, type Root } from '../syntax/syntax.ts'
import { el, type Hast, icon, text } from './build.ts'

const FOOTNOTES_MAX = 2_000
const USES_MAX = 100

export class Footnotes {
  readonly #root: Root
  #definitions: ReadonlyMap<string, FootnoteDefinition> | undefined
  /** In the order of first use. */
  readonly #used = new Map<string, { readonly number: number; uses: number }>()

  constructor(root: Root) {
    this.#root = root
  }

  /** Searched once there is a use: most pages have none. */
  #defined(identifier: string): FootnoteDefinition | undefined {
    // The first of several with the same name counts, as in GFM.
    this.#definitions ??= new Map(
      footnotesOf(this.#root)
        .toReversed()
        .map(one => [one.identifier, one]),
    )
    return this.#definitions.get(identifier)
  }

  has(identifier: string): boolean {
    return this.#defined(identifier) !== undefined
  }

  /** The link to a footnote from a place that uses it; undefined if it is not defined. */
  use(
    identifier: string,
  ): { readonly number: number; readonly href: string; readonly id: string } | undefined {
    if (!this.has(identifier)) return undefined
    const known = this.#used.get(identifier)
    if (known === undefined && this.#used.size >= FOOTNOTES_MAX) return undefined
    const footnote = known ?? { number: this.#used.size + 1, uses: 0 }
    this.#used.set(identifier, footnote)
    const { number } = footnote
    return { number, href: `#fn:${number}`, id: idOfUse(number, footnote.uses++) }
  }

  /** The mark of a footnote after the words that it explains. */
  mark(identifier: string): Hast | undefined {
    const used = this.use(identifier)
    if (used === undefined) return undefined
    const { number, ...link } = used
    return el('sup', {}, el('a', { ...link, ariaLabel: `Footnote ${number}` }, String(number)))
  }

  /** Renders the footnotes in use. Footnotes may use footnotes: each is rendered once, until none is new. */
  render(blocks: (nodes: readonly Node[]) => Hast[]): Hast[] {
    const items: Element[] = []
    for (const [identifier, { number }] of this.#used)
      items.push(el('li', { id: `fn:${number}` }, blocks(this.#defined(identifier)?.children ?? [])))
    if (items.length === 0) return []
    // Uses by other footnotes are counted once all are rendered.
    for (const [index, { uses }] of [...this.#used.values()].entries())
      appendReturns(items[index], index + 1, uses)
    const look = { role: 'doc-endnotes', ariaLabel: 'Footnotes' }
    return [el('section.footnotes', { ...look, draws: { name: 'footnotes' } }, el('ol', {}, items))]
  }
}

/** The id of a place that uses a footnote, different for each use. */
const idOfUse = (number: number, use: number): string => `fnref:${number}${use === 0 ? '' : `.${use + 1}`}`

/** One way back for every place that uses the footnote, at the end of its last line. */
function appendReturns(item: Element | undefined, number: number, uses: number): void {
  const last = item?.children.at(-1)
  const line = last?.type === 'element' && last.tagName === 'p' ? last : item
  for (let use = 0; use < Math.min(uses, USES_MAX); use++) {
    const ariaLabel = `Back to footnote ${number} in the text`
    const href = `#${idOfUse(number, use)}`
    const link = el(
      'a',
      { href, className: 'footnote-back', ariaLabel, draws: { name: 'screen' } },
      icon('arrow-up'),
    )
    line?.children.push(text(' '), link)
  }
}
