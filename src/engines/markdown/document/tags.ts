// GitBook's tags as blocks of the model: here those that hold blocks, in pointers.ts those that point at something.
import { defined } from '../../../base/objects.ts'
import { readAttributes, STRAY_ATTRIBUTES, TAG_ATTRIBUTES, tagNamed } from '../attributes/attributes.ts'
import type { Node, Tag } from '../syntax/syntax.ts'
import { ALLOWED_CHILDREN } from './allowed-children.ts'
import type { Conversion, ReadTag } from './conversion.ts'
import { textOfTag } from './inlines.ts'
import { type Block, type BlockData, block, paragraph, text } from './model.ts'
import { POINTERS, readEndpointPart, readIntegration } from './pointers.ts'
import { areHeld, blocksIn, fitBlocks, sections, titled, wrapRuns } from './schema-fitting.ts'

/** Tags that hold blocks; an unclosed one is text. */
const CONTAINERS: { readonly [name: string]: ReadTag } = {
  hint: readHint,
  tabs: itemsReader('tabs', 'tab', 'tabs-item'),
  stepper: itemsReader('stepper', 'step', 'stepper-step'),
  columns: itemsReader('columns', 'column', 'column'),
  updates: itemsReader('updates', 'update', 'update'),
  code: readCode,
  if: readIf,
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

export function readTag(tag: Tag, conversion: Conversion): Block[] {
  const reader = readerOf(tag)
  if (reader !== undefined) return reader(tag, conversion)
  conversion.problem('unknown_tag', tag, `{% ${tag.name} %} is not a tag of GitBook and is kept as text`)
  const [open, close] = textOfTag(tag)
  return [
    paragraph([text(open)]),
    ...conversion.blocks(tag.children),
    ...(close === '' ? [] : [paragraph([text(close)])]),
  ]
}

const orEmpty = (blocks: Block[]): Block[] => (blocks.length === 0 ? [paragraph([])] : blocks)

function readHint(tag: Tag, conversion: Conversion): Block[] {
  const data = readAttributes(tag.attributes, TAG_ATTRIBUTES.hint)
  return wrapRuns(orEmpty(conversion.blocks(tag.children)), ALLOWED_CHILDREN.hint, nodes =>
    block('hint', data, { nodes }),
  )
}

/**
 * Reads a container of items if every item holds only what it may; otherwise the items one after the other, each under
 * its title, so that nothing is under another item's title. Anything else in the container follows it.
 */
function itemsReader<
  Container extends 'tabs' | 'stepper' | 'columns' | 'updates',
  Item extends 'tabs-item' | 'stepper-step' | 'column' | 'update',
>(container: Container, itemTag: string, type: Item): ReadTag {
  const holds = ALLOWED_CHILDREN[type]
  // TypeScript does not compare the attributes of a generic type with the data of its block; for each type they are equal.
  return (tag, conversion) => {
    const itemOf = (child: Node): Tag | undefined => {
      const item = tagNamed(child, itemTag)
      return item?.isClosed ? item : undefined
    }
    const items = tag.children
      .flatMap(child => itemOf(child) ?? [])
      .map(item => {
        const nodes = orEmpty(fitBlocks(conversion.blocks(item.children), holds))
        const { title = '' } = readAttributes(item.attributes, STRAY_ATTRIBUTES)
        const meta = type === 'tabs-item' ? { meta: { id: conversion.anchor(title) } } : {}
        return block(type, readAttributes(item.attributes, TAG_ATTRIBUTES[type]) as BlockData<Item>, {
          nodes,
          ...meta,
        })
      })
    const rest = conversion.blocks(tag.children.filter(child => itemOf(child) === undefined))
    if (items.length === 0) return rest
    if (items.every(item => areHeld(blocksIn(item), holds)))
      return [
        block(container, readAttributes(tag.attributes, TAG_ATTRIBUTES[container]) as BlockData<Container>, {
          nodes: items,
        }),
        ...rest,
      ]
    const message = `{% ${tag.name} %} holds what it may not, and is shown one part after the other`
    conversion.problem('unfitting', tag, message)
    return [...sections(items), ...rest]
  }
}

/** Sets how the code inside is shown; other content stays as it is. */
function readCode(tag: Tag, conversion: Conversion): Block[] {
  const { fullWidth, ...look } = readAttributes(tag.attributes, TAG_ATTRIBUTES.code)
  const data = defined({ fullWidth, ...look })
  return conversion
    .blocks(tag.children)
    .map(one => (one.type === 'code' ? { ...one, data: { ...one.data, ...data } } : one))
}

/**
 * Conditional content. Only the document itself may hold it; deeper it stays as it is written (see schema-fitting.ts).
 */
function readIf(tag: Tag, conversion: Conversion): Block[] {
  const expression = tag.argument.trim()
  return [block('if', { expression }, { nodes: orEmpty(conversion.blocks(tag.children)) })]
}

/** A prompt holds one block of code; with anything else inside, it becomes its description and its content. */
function readPrompt(tag: Tag, conversion: Conversion): Block[] {
  const data = readAttributes(tag.attributes, TAG_ATTRIBUTES.prompt)
  const nodes = conversion.blocks(tag.children)
  if (nodes.length === 1 && nodes[0]?.type === 'code') return [block('prompt', data, { nodes })]
  return [...titled(data.description), ...nodes]
}

function readStray(tag: Tag, conversion: Conversion): Block[] {
  const { title, date } = readAttributes(tag.attributes, STRAY_ATTRIBUTES)
  return [...titled(title ?? date), ...conversion.blocks(tag.children)]
}
