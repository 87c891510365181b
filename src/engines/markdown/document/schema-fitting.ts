// Markdown nests anything in anything; the model does not. What may not stand where it was written is first
// softened into a lighter form that may (an image block becomes an image in a line), and otherwise the container
// is split around it or taken apart. Order and words are always kept.
import { renderEmoji } from '../syntax/syntax.ts'
import {
  type Block,
  type BlockOf,
  type Inline,
  inline,
  type Node,
  paragraph,
  type Text,
  text,
} from './model.ts'

/** The blocks with each one that may not stand here in its lighter form; those that have none stay as they are. */
export const fitBlocks = (blocks: readonly Block[], holds: readonly string[]): Block[] =>
  blocks.flatMap(one => {
    const lighter = holds.includes(one.type) ? undefined : lighterForm(one)
    return lighter === undefined ? one : fitBlocks(lighter, holds)
  })

export const areHeld = (blocks: readonly Block[], holds: readonly string[]): boolean =>
  blocks.every(one => holds.includes(one.type))

/** Wraps each run of blocks that may stand in the container; the others come out between the parts. */
export function wrapRuns(
  blocks: readonly Block[],
  holds: readonly string[],
  wrap: (run: Block[]) => Block,
): Block[] {
  const result: Block[] = []
  let run: Block[] = []
  const close = (): void => {
    if (run.length > 0) result.push(wrap(run))
    run = []
  }
  for (const one of fitBlocks(blocks, holds)) {
    if (holds.includes(one.type)) {
      run.push(one)
      continue
    }
    close()
    result.push(one)
  }
  close()
  return result
}

/** A lighter form with the same words, or undefined where a block has none. */
function lighterForm(one: Block): Block[] | undefined {
  switch (one.type) {
    case 'images':
      return [paragraph(one.nodes!.flatMap(image => inlineImage(image as BlockOf<'image'>)))]
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
      return one.nodes as Block[]
    case 'if':
      // Content under a condition must not come to look unconditional: the condition stays, as it is written.
      return [...line(`{% if ${one.data.expression} %}`), ...(one.nodes as Block[]), ...line('{% endif %}')]
    case 'columns':
    case 'stepper':
      return sections(one.nodes as Block[], () => undefined)
    case 'tabs':
      return sections(one.nodes as Block[], item => (item as BlockOf<'tabs-item'>).data.title)
    case 'updates':
      return sections(one.nodes as Block[], item => (item as BlockOf<'update'>).data.date)
    case 'prompt':
      return [...label(one.data.description), ...(one.nodes as Block[])]
    case 'expandable':
      return expandableApart(one.fragments![0]!.nodes, one.fragments![1]!.nodes)
    default:
      return undefined
  }
}

/** Containers of items taken apart: each item's title in bold, then what it holds. */
export function sections(items: readonly Block[], title: (item: Block) => string | undefined): Block[] {
  return items.flatMap(item => [...label(title(item)), ...((item.nodes ?? []) as Block[])])
}

/** An expandable taken apart: its title in bold, then its body. */
export function expandableApart(title: readonly Block[], body: readonly Block[]): Block[] {
  const line = title.flatMap(one => (one.nodes ?? []) as (Text | Inline)[])
  return [...(line.length === 0 ? [] : [paragraph(line.map(embolden))]), ...body]
}

const line = (words: string): Block[] => [paragraph([text(words)])]

const label = (title: string | undefined): Block[] =>
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

function inlineImage(image: BlockOf<'image'>): (Text | Inline)[] {
  const { ref, refDark, alt } = image.data
  const caption = plainText(image.fragments?.[0]?.nodes ?? [])
  return [
    inline('inline-image', {
      ref,
      ...(refDark === undefined ? {} : { refDark }),
      ...(caption === '' ? {} : { caption }),
      ...(alt === undefined ? {} : { alt }),
      size: 'original',
    }),
  ]
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
      const inside = [
        ...((node.nodes ?? []) as Node[]),
        ...(node.fragments ?? []).flatMap(one => one.nodes as Node[]),
      ]
      for (let index = inside.length - 1; index >= 0; index--) waiting.push(inside[index]!)
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
