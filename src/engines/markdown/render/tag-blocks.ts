// GitBook's tags that hold blocks: hints, tabs, steps, columns, conditions, updates, prompts, and expandables.
import type { Block, BlockOf, Inline, Text } from '../document/document.ts'
import { inOneLine } from '../syntax/syntax.ts'
import { htmlLine } from './html-line.ts'
import { lengthText } from './pictures.ts'
import { openTag } from './quoting.ts'
import type { Lines, Rendering } from './rendering.ts'

const blocksOf = (node: Block): Block[] => (node.nodes ?? []) as Block[]

const wrap = (name: string, open: string, lines: Lines): Lines => [open, ...lines, `{% end${name} %}`]

const filled = (value: string | undefined): string | undefined => (value === '' ? undefined : value)

/** Items between the tags of their container, with a blank line between each two; a container needs one. */
const items = (name: string, open: string, all: readonly Lines[]): Lines =>
  all.length === 0
    ? []
    : wrap(
        name,
        open,
        all.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines])),
      )

export const renderHint = (hint: BlockOf<'hint'>, rendering: Rendering): Lines =>
  wrap(
    'hint',
    openTag('hint', { style: hint.data.style, icon: filled(hint.data.icon) }),
    rendering.blocks(blocksOf(hint)),
  )

export const renderTabs = (tabs: BlockOf<'tabs'>, rendering: Rendering): Lines =>
  items(
    'tabs',
    openTag('tabs', { fullWidth: tabs.data?.fullWidth ? 'true' : undefined }),
    (blocksOf(tabs) as BlockOf<'tabs-item'>[]).map(tab => {
      const { title, icon, slug } = tab.data
      const open = openTag('tab', { title: filled(title), icon: filled(icon), slug: filled(slug) })
      return wrap('tab', open, rendering.blocks(blocksOf(tab)))
    }),
  )

export const renderStepper = (stepper: BlockOf<'stepper'>, rendering: Rendering): Lines =>
  items(
    'stepper',
    '{% stepper %}',
    (blocksOf(stepper) as BlockOf<'stepper-step'>[]).map(step =>
      wrap('step', openTag('step', { icon: filled(step.data.icon) }), rendering.blocks(blocksOf(step))),
    ),
  )

export const renderColumns = (columns: BlockOf<'columns'>, rendering: Rendering): Lines =>
  items(
    'columns',
    openTag('columns', { fullWidth: columns.data.fullWidth ? 'true' : undefined }),
    (blocksOf(columns) as BlockOf<'column'>[]).map(column => {
      const { width, verticalAlignment } = column.data
      const open = openTag('column', { width: lengthText(width), valign: verticalAlignment })
      return wrap('column', open, rendering.blocks(blocksOf(column)))
    }),
  )

/** A tag ends at the first `%}` that is not between quotes. */
export const renderIf = (condition: BlockOf<'if'>, rendering: Rendering): Lines =>
  wrap(
    'if',
    `{% if ${inOneLine(condition.data.expression)
      .trim()
      .replace(/%(?=\})/g, '% ')} %}`,
    rendering.blocks(blocksOf(condition)),
  )

export const renderUpdates = (updates: BlockOf<'updates'>, rendering: Rendering): Lines =>
  items(
    'updates',
    openTag('updates', { format: updates.data.format }),
    (blocksOf(updates) as BlockOf<'update'>[]).map(update => {
      const { date, tags } = update.data
      const open = openTag('update', { date, tags: filled(namesOf(tags)) })
      return wrap('update', open, rendering.blocks(blocksOf(update)))
    }),
  )

/** A list of words, or of objects that name their tag, as words between commas. */
function namesOf(tags: unknown): string | undefined {
  if (!Array.isArray(tags)) return undefined
  return tags
    .map(one => (typeof one === 'object' && one !== null ? (one as { tag?: unknown }).tag : one))
    .filter(one => typeof one === 'string')
    .map(one => one.trim())
    .filter(one => one !== '')
    .join(',')
}

export function renderPrompt(prompt: BlockOf<'prompt'>, rendering: Rendering): Lines {
  const { description, icon, openInAIProviders, defaultExpanded } = prompt.data
  const open = openTag('prompt', {
    description,
    icon: filled(icon),
    openInAIProviders: filled(namesOf(openInAIProviders)),
    defaultExpanded,
  })
  return wrap('prompt', open, rendering.blocks(blocksOf(prompt)))
}

export function renderExpandable({ data, fragments }: BlockOf<'expandable'>, rendering: Rendering): Lines {
  const slot = (name: string): Block[] =>
    fragments?.find(one => one.fragment === name || one.type === name)?.nodes ?? []
  const title = slot('expandable-title')
    .map(one => htmlLine((one.nodes ?? []) as (Text | Inline)[], rendering))
    .join('')
  const body = rendering.blocks(slot('expandable-body'))
  return [
    data.defaultExpanded ? '<details open>' : '<details>',
    '',
    `<summary>${title}</summary>`,
    '',
    ...(body.length === 0 ? [] : [...body, '']),
    '</details>',
  ]
}
