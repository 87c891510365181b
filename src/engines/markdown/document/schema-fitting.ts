// Markdown nests anything in anything; the model does not. A block that is not allowed where it was written takes a
// lighter form that is (an image block becomes an image in a line); if it has none, the container is split around it or
// taken apart. Order and words are always kept.
import { defined } from '../../../base/objects.ts'
import { flatMapRuns, renderEmoji } from '../syntax/syntax.ts'
import {
  type Block,
  type BlockData,
  type BlockOf,
  type Inline,
  inline,
  type Node,
  paragraph,
  type Text,
  text,
} from './model.ts'

/** The blocks with those that are not allowed here in a lighter form; those that have none stay as they are. */
export const fitBlocks = (blocks: readonly Block[], holds: readonly string[]): Block[] =>
  blocks.flatMap(one => {
    const lighter = holds.includes(one.type) ? undefined : lighterForm(one)
    return lighter === undefined ? one : fitBlocks(lighter, holds)
  })

export const areHeld = (blocks: readonly Block[], holds: readonly string[]): boolean =>
  blocks.every(one => holds.includes(one.type))

/** Wraps each run of blocks that the container may hold; the others come out between the parts. */
export const wrapRuns = (
  blocks: readonly Block[],
  holds: readonly string[],
  wrap: (run: Block[]) => Block,
): Block[] =>
  flatMapRuns(
    fitBlocks(blocks, holds),
    one => holds.includes(one.type),
    run => [wrap(run)],
    one => [one],
  )

/** A lighter form with the same words, or undefined where a block has none. */
function lighterForm(one: Block): Block[] | undefined {
  switch (one.type) {
    case 'images':
      return [paragraph((one.nodes ?? []).flatMap(inlineImage))]
    case 'math':
      return [paragraph([inline('inline-math', one.data)])]
    case 'content-ref':
    case 'file':
      return [paragraph([inline('mention', { ref: one.data.ref })])]
    case 'drawing':
      return one.data.ref === undefined ? [] : [paragraph([inline('inline-image', { ref: one.data.ref })])]
    case 'embed':
      return [
        paragraph([
          inline('link', { ref: { kind: 'url', url: one.data.url } }, { nodes: [text(one.data.url)] }),
        ]),
      ]
    case 'hint':
    case 'blockquote':
      return one.nodes ?? []
    case 'if':
      // Conditional content must not look unconditional: the condition stays as written.
      return [...line(`{% if ${one.data.expression} %}`), ...(one.nodes ?? []), ...line('{% endif %}')]
    case 'columns':
    case 'stepper':
    case 'tabs':
    case 'updates':
      return sections(one.nodes ?? [])
    case 'prompt':
      return [...titled(one.data.description), ...(one.nodes ?? [])]
    case 'expandable':
      return expandableApart(one.fragments?.[0]?.nodes ?? [], one.fragments?.[1]?.nodes ?? [])
    default:
      return undefined
  }
}

/** Containers of items taken apart: the title or the date of each in bold, then its blocks. */
export const sections = (items: readonly Block[]): Block[] =>
  items.flatMap(item => [...titled(titleOf(item)), ...blocksIn(item)])

function titleOf(item: Block): string | undefined {
  if (item.type === 'update') return dateAndTags(item.data)
  return item.type === 'tabs-item' || item.type === 'stepper-step' ? item.data.title : undefined
}

/** The words above an update: its date, and what it is about. */
export const dateAndTags = ({ date, tags = [] }: BlockData<'update'>): string =>
  [date, tags.join(', ')].filter(words => words !== '').join(' · ')

/** The blocks that a block holds; none if it holds a line. */
export const blocksIn = ({ nodes = [] }: Block): Block[] => nodes.filter(node => node.object === 'block')

/** The line that a block holds; empty if it is a container. */
export const lineIn = ({ nodes = [] }: Block): (Text | Inline)[] =>
  nodes.filter(node => node.object !== 'block')

/** An expandable taken apart: its title in bold, then its body. */
export function expandableApart(title: readonly Block[], body: readonly Block[]): Block[] {
  const line = title.flatMap(lineIn)
  return [...(line.length === 0 ? [] : [paragraph(line.map(embolden))]), ...body]
}

const line = (words: string): Block[] => [paragraph([text(words)])]

/** A title that no block of the model holds, as a paragraph of its own. */
export const titled = (title: string | undefined): Block[] =>
  title === undefined || title === '' ? [] : [paragraph([text(title, [{ object: 'mark', type: 'bold' }])])]

function embolden(node: Text | Inline): Text | Inline {
  if (node.object === 'inline') return node
  return {
    ...node,
    leaves: node.leaves.map(leaf =>
      leaf.marks.some(mark => mark.type === 'bold')
        ? leaf
        : { ...leaf, marks: [{ object: 'mark', type: 'bold' } as const, ...leaf.marks] },
    ),
  }
}

function inlineImage(image: BlockOf<'image'>): Inline[] {
  const { ref, refDark, alt } = image.data
  const caption = plainText(image.fragments?.[0]?.nodes ?? []) || undefined
  return [inline('inline-image', defined({ ref, refDark, caption, alt, size: 'original' as const }))]
}

/** The words of nodes as one line. */
export function plainText(nodes: readonly Node[]): string {
  const words: string[] = []
  const waiting = [...nodes].reverse()
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.object === 'text') words.push(node.leaves.map(leaf => leaf.text).join(''))
    else {
      words.push(voidText(node))
      if (node.object === 'block' && words.length > 0) words.push(' ')
      const inside: Node[] = [...(node.nodes ?? []), ...(node.fragments ?? []).flatMap(one => one.nodes)]
      for (const one of inside.reverse()) waiting.push(one)
    }
  }
  return words.join('').replace(/\s+/g, ' ').trim()
}

function voidText(node: Block | Inline): string {
  switch (node.type) {
    case 'math':
    case 'inline-math':
      return node.data.formula
    case 'button':
      return node.data.label
    case 'expression':
      return node.data.expression
    case 'inline-image':
      return node.data.caption ?? node.data.alt ?? ''
    case 'emoji':
      return renderEmoji(node.data.code) ?? ''
    default:
      return ''
  }
}
