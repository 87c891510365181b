// Expandables, as HTML that holds Markdown.
import { type Block, type BlockOf, lineIn } from '../../document/document.ts'
import { type BlockRenderers, htmlLine, type Lines, type Rendering } from '../../render/tagging.ts'

function write({ data, fragments }: BlockOf<'expandable'>, rendering: Rendering): Lines {
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

export const expandable = { expandable: write } satisfies BlockRenderers
