// GitBook's tags that hold blocks: hints, tabs, steps, columns, conditions, updates, prompts, and expandables.
import type { Block, BlockOf } from '../document/document.ts'
import { inOneLine } from '../syntax/syntax.ts'
import { wordsOf } from './children.ts'
import { filled, on, taggedLines } from './gitbook-tags.ts'
import { htmlLine } from './html-line.ts'
import { lengthText } from './pictures.ts'
import type { BlockRenderers, Lines, Rendering } from './rendering.ts'

export const TAG_BLOCKS = {
  hint: ({ data: { style, icon }, nodes }, rendering) =>
    taggedLines('hint', { style, icon: filled(icon) }, rendering.blocks(nodes)),

  tabs: ({ data, nodes = [] }, rendering) =>
    container('tabs', { fullWidth: on(data?.fullWidth) }, nodes, tab => {
      const { title, icon, slug } = tab.data
      const attributes = { title: filled(title), icon: filled(icon), slug: filled(slug) }
      return taggedLines('tab', attributes, rendering.blocks(tab.nodes))
    }),

  stepper: ({ nodes = [] }, rendering) =>
    container('stepper', {}, nodes, step =>
      taggedLines('step', { icon: filled(step.data.icon) }, rendering.blocks(step.nodes)),
    ),

  columns: ({ data, nodes = [] }, rendering) =>
    container('columns', { fullWidth: on(data.fullWidth) }, nodes, column => {
      const { width, verticalAlignment } = column.data
      const attributes = { width: lengthText(width), valign: verticalAlignment }
      return taggedLines('column', attributes, rendering.blocks(column.nodes))
    }),

  // A tag ends at the first `%}` that is not between quotes.
  if: ({ data, nodes }, rendering) => [
    `{% if ${inOneLine(data.expression)
      .trim()
      .replace(/%(?=\})/g, '% ')} %}`,
    ...rendering.blocks(nodes),
    '{% endif %}',
  ],

  updates: ({ data: { format }, nodes = [] }, rendering) =>
    container('updates', { format }, nodes, update => {
      const { date, tags } = update.data
      return taggedLines('update', { date, tags: filled(namesOf(tags)) }, rendering.blocks(update.nodes))
    }),

  prompt: ({ data, nodes }, rendering) => {
    const { description, icon, openInAIProviders, defaultExpanded } = data
    const providers = filled(namesOf(openInAIProviders))
    const attributes = { description, icon: filled(icon), openInAIProviders: providers, defaultExpanded }
    return taggedLines('prompt', attributes, rendering.blocks(nodes))
  },

  expandable: renderExpandable,
} satisfies BlockRenderers

/** Items between the tags of their container, with a blank line between each two; a container needs one. */
function container<T>(
  name: string,
  attributes: Readonly<Record<string, string | undefined>>,
  items: readonly T[],
  render: (item: T) => Lines,
): Lines {
  const lines = items.flatMap((item, index) => [...(index === 0 ? [] : ['']), ...render(item)])
  return items.length === 0 ? [] : taggedLines(name, attributes, lines)
}

/** A list of words, or of objects that name their tag, as words between commas. */
function namesOf(tags: unknown): string | undefined {
  if (!Array.isArray(tags)) return undefined
  return tags
    .map((one: unknown) => (typeof one === 'object' && one !== null && 'tag' in one ? one.tag : one))
    .filter(one => typeof one === 'string')
    .map(one => one.trim())
    .filter(one => one !== '')
    .join(',')
}

function renderExpandable({ data, fragments }: BlockOf<'expandable'>, rendering: Rendering): Lines {
  const slot = (name: string): readonly Block[] =>
    fragments?.find(one => one.fragment === name || one.type === name)?.nodes ?? []
  const title = slot('expandable-title').map(one => htmlLine(wordsOf(one), rendering))
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
