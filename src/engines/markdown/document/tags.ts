// GitBook's tags as blocks of the model: here those that hold blocks, in pointers.ts those that point at something.
import { defined } from '../../../base/defined.ts'
import type { Node, Tag } from '../syntax/syntax.ts'
import { ALLOWED_CHILDREN } from './allowed-children.ts'
import { fullWidth, isOn, titled, wordOf } from './attributes.ts'
import type { Conversion, Read, ReadTag } from './conversion.ts'
import { lengthOf } from './images.ts'
import { textOfTag } from './inlines.ts'
import { type Block, type BlockData, block, inline, paragraph, text } from './model.ts'
import { POINTERS, readEndpointPart, readIntegration } from './pointers.ts'
import { areHeld, blocksIn, fitBlocks, sections, wrapRuns } from './schema-fitting.ts'
import { HINT_STYLES } from './words.ts'

/** Tags that hold blocks; unclosed, they are what somebody typed. */
const CONTAINERS: { readonly [name: string]: ReadTag } = {
  hint: readHint,
  tabs: readTabs,
  stepper: readStepper,
  columns: readColumns,
  code: readCode,
  if: readIf,
  updates: readUpdates,
  prompt: readPrompt,
  // These have no meaning outside their parents; what they hold does.
  tab: readStray,
  step: readStray,
  column: readStray,
  update: readStray,
}

const readerOf = ({ name, isClosed }: Tag): ReadTag | undefined => {
  if (Object.hasOwn(POINTERS, name)) return POINTERS[name]
  if (isClosed && Object.hasOwn(CONTAINERS, name)) return CONTAINERS[name]
  if (/^@[\w.-]+\/[\w.-]+$/.test(name)) return readIntegration
  return isClosed && /^(?:swagger|api-method)(?:-\w+)*$/.test(name) ? readEndpointPart : undefined
}

/** Whether a tag is a block of the model even in a line. */
export const isBlockTag = (tag: Tag): boolean => readerOf(tag) !== undefined

export function readTag(tag: Tag, conversion: Conversion, read: Read): Block[] {
  const reader = readerOf(tag)
  if (reader !== undefined) return reader(tag, conversion, read)
  if (/^(?:vars|space|page|visitor)\./.test(tag.name)) {
    return [paragraph([inline('expression', { expression: tag.name })])]
  }
  conversion.problem('unknown_tag', tag, `{% ${tag.name} %} is not a tag of GitBook and is kept as text`)
  const [open, close] = textOfTag(tag)
  return [paragraph([text(open)]), ...read(tag.children), ...(close === '' ? [] : [paragraph([text(close)])])]
}

const orEmpty = (blocks: Block[]): Block[] => (blocks.length === 0 ? [paragraph([])] : blocks)

function readHint(tag: Tag, _conversion: Conversion, read: Read): Block[] {
  const style = HINT_STYLES.find(one => one === tag.attributes.style) ?? 'info'
  const data = defined({ style, icon: wordOf(tag, 'icon') })
  return wrapRuns(orEmpty(read(tag.children)), ALLOWED_CHILDREN.hint, nodes => block('hint', data, { nodes }))
}

/** The children of one name, and everything else among them. */
function itemsOf(tag: Tag, name: string): { items: Tag[]; others: Node[] } {
  const items: Tag[] = []
  const others: Node[] = []
  for (const child of tag.children) {
    if (child.type === 'tag' && child.name === name && child.isClosed) items.push(child)
    else others.push(child)
  }
  return { items, others }
}

/**
 * A container of items, when every item holds only what it may; else the items one after the other, each under
 * its title, so that nothing is under the title of another.
 */
function compose(
  tag: Tag,
  conversion: Conversion,
  parts: { items: Block[]; others: Block[]; holds: readonly string[] },
  wrap: (nodes: Block[]) => Block,
): Block[] {
  const { items, others, holds } = parts
  if (items.length === 0) return others
  if (items.every(item => areHeld(blocksIn(item), holds))) return [wrap(items), ...others]
  conversion.problem(
    'unfitting',
    tag,
    `{% ${tag.name} %} holds what it may not, and is shown one part after the other`,
  )
  return [...sections(items), ...others]
}

function readTabs(tag: Tag, conversion: Conversion, read: Read): Block[] {
  const { items, others } = itemsOf(tag, 'tab')
  const tabs = items.map(item => {
    const title = wordOf(item, 'title')
    const [icon, slug] = [wordOf(item, 'icon'), wordOf(item, 'slug')]
    const data = defined({ title, icon, slug })
    const nodes = orEmpty(fitBlocks(read(item.children), ALLOWED_CHILDREN['tabs-item']))
    return block('tabs-item', data, { nodes, meta: { id: conversion.anchor(title ?? '') } })
  })
  const parts = { items: tabs, others: read(others), holds: ALLOWED_CHILDREN['tabs-item'] }
  return compose(tag, conversion, parts, nodes => block('tabs', fullWidth(tag), { nodes }))
}

function readStepper(tag: Tag, conversion: Conversion, read: Read): Block[] {
  const { items, others } = itemsOf(tag, 'step')
  const steps = items.map(item => {
    const nodes = orEmpty(fitBlocks(read(item.children), ALLOWED_CHILDREN['stepper-step']))
    return block('stepper-step', defined({ icon: wordOf(item, 'icon') }), { nodes })
  })
  const parts = { items: steps, others: read(others), holds: ALLOWED_CHILDREN['stepper-step'] }
  return compose(tag, conversion, parts, nodes => block('stepper', {}, { nodes }))
}

function readColumns(tag: Tag, conversion: Conversion, read: Read): Block[] {
  const { items, others } = itemsOf(tag, 'column')
  const columns = items.map(item => {
    const width = lengthOf(wordOf(item, 'width'))
    const data: BlockData<'column'> = width === undefined ? {} : { width }
    const vertical = wordOf(item, 'valign') ?? wordOf(item, 'verticalAlignment')
    if (vertical === 'top' || vertical === 'middle' || vertical === 'bottom')
      data.verticalAlignment = vertical
    return block('column', data, { nodes: orEmpty(fitBlocks(read(item.children), ALLOWED_CHILDREN.column)) })
  })
  const parts = { items: columns, others: read(others), holds: ALLOWED_CHILDREN.column }
  return compose(tag, conversion, parts, nodes => block('columns', fullWidth(tag), { nodes }))
}

/** Says how the code inside is shown; what else is inside stays as it is. */
function readCode(tag: Tag, _conversion: Conversion, read: Read): Block[] {
  const data: BlockData<'code'> = { ...fullWidth(tag) }
  const title = wordOf(tag, 'title')
  const { overflow } = tag.attributes
  if (title !== undefined) data.title = title
  if (overflow === 'wrap' || overflow === 'scroll') data.overflow = overflow
  if (isOn(tag, 'lineNumbers')) data.lineNumbers = true
  if (isOn(tag, 'expandable')) data.expandable = true
  const count = Number(wordOf(tag, 'collapsedLineCount'))
  if (Number.isSafeInteger(count) && count >= 1) data.collapsedLineCount = count
  return read(tag.children).map(one =>
    one.type === 'code' ? { ...one, data: { ...one.data, ...data } } : one,
  )
}

/** Conditional content. Only the document itself may hold it; deeper it stays as it is written (see schema-fitting.ts). */
function readIf(tag: Tag, _conversion: Conversion, read: Read): Block[] {
  const expression = tag.argument.trim()
  return [block('if', { expression }, { nodes: orEmpty(read(tag.children)) })]
}

function readUpdates(tag: Tag, _conversion: Conversion, read: Read): Block[] {
  const format = (['numeric', 'full', 'short'] as const).find(one => one === tag.attributes.format) ?? 'full'
  const { items, others } = itemsOf(tag, 'update')
  const updates = items.map(item => {
    const tags = (wordOf(item, 'tags') ?? '')
      .split(',')
      .map(one => one.trim())
      .filter(one => one !== '')
    const data = { date: wordOf(item, 'date') ?? '', ...(tags.length === 0 ? {} : { tags }) }
    return block('update', data, { nodes: orEmpty(read(item.children)) })
  })
  const rest = read(others)
  return updates.length === 0 ? rest : [block('updates', { format }, { nodes: updates }), ...rest]
}

/** A prompt is one block of code; written in any other way, it is its description and its content. */
function readPrompt(tag: Tag, _conversion: Conversion, read: Read): Block[] {
  const description = wordOf(tag, 'description') ?? ''
  const inside = read(tag.children)
  const [code] = inside
  if (inside.length !== 1 || code?.type !== 'code') return [...titled(description), ...inside]
  const data: BlockData<'prompt'> = { description }
  const icon = wordOf(tag, 'icon')
  const providers = wordOf(tag, 'openInAIProviders')
  const expanded = (['hidden', 'partial', 'full'] as const).find(
    one => one === tag.attributes.defaultExpanded,
  )
  if (icon !== undefined) data.icon = icon
  if (providers !== undefined) data.openInAIProviders = providers.split(',').map(one => one.trim())
  if (expanded !== undefined) data.defaultExpanded = expanded
  return [block('prompt', data, { nodes: inside })]
}

function readStray(tag: Tag, _conversion: Conversion, read: Read): Block[] {
  return [...titled(wordOf(tag, 'title') ?? wordOf(tag, 'date') ?? ''), ...read(tag.children)]
}
