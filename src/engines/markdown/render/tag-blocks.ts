// GitBook's tags that hold blocks: hints, tabs, steps, columns, conditions, updates, prompts, and expandables.
import {
  type Block,
  type BlockOf,
  blocksIn,
  lineIn,
  type TaggedType,
  writeTagData,
} from '../document/document.ts'
import { inOneLine } from '../syntax/syntax.ts'
import { taggedLines } from './gitbook-tags.ts'
import { htmlLine } from './html-line.ts'
import type { BlockRenderers, Lines, Rendering } from './rendering.ts'

export const TAG_BLOCKS = {
  hint: renderTagged,
  prompt: renderTagged,
  tabs: renderContainer,
  stepper: renderContainer,
  columns: renderContainer,
  updates: renderContainer,

  // A tag ends at the first `%}` that is not between quotes.
  if: ({ data, nodes }, rendering) => [
    `{% if ${inOneLine(data.expression)
      .trim()
      .replace(/%(?=\})/g, '% ')} %}`,
    ...rendering.blocks(nodes),
    '{% endif %}',
  ],

  expandable: renderExpandable,
} satisfies BlockRenderers

type Tagged = Extract<Block, { type: TaggedType }>

/** The tags of items whose names differ from those of their blocks. */
const ITEM_TAGS: { readonly [type: string]: string } = { 'tabs-item': 'tab', 'stepper-step': 'step' }

function renderTagged(block: Tagged, rendering: Rendering): Lines {
  const { type, data } = block
  return taggedLines(ITEM_TAGS[type] ?? type, writeTagData(type, data), rendering.blocks(blocksIn(block)))
}

/** Items between the tags of their container, separated by blank lines; a container needs at least one item. */
function renderContainer(
  { type, data, nodes: items = [] }: BlockOf<'tabs' | 'stepper' | 'columns' | 'updates'>,
  rendering: Rendering,
): Lines {
  const lines = items.flatMap((item, index) => [
    ...(index === 0 ? [] : ['']),
    ...renderTagged(item, rendering),
  ])
  return items.length === 0 ? [] : taggedLines(type, writeTagData(type, data), lines)
}

function renderExpandable({ data, fragments }: BlockOf<'expandable'>, rendering: Rendering): Lines {
  const slot = (name: string): readonly Block[] =>
    fragments?.find(one => one.fragment === name || one.type === name)?.nodes ?? []
  const title = slot('expandable-title').map(one => htmlLine(lineIn(one), rendering))
  const body = rendering.blocks(slot('expandable-body'))
  return [
    data.defaultExpanded ? '<details open>' : '<details>',
    '',
    `<summary>${title.join('')}</summary>`,
    '',
    ...(body.length === 0 ? [] : [...body, '']),
    '</details>',
  ]
}
