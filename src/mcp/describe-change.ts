// Describes a content change in words, with the removed (`-`) and added (`+`) text.
import type { BlockChange, Change, DocumentDetail } from '../api/changes/schema.ts'
import { counted } from '../base/counted.ts'
import { toLine } from './text.ts'

const VALUE_CHARACTERS_MAX = 200

type Side = { readonly before?: unknown; readonly after?: unknown }

export function toChange(change: Change): string {
  const heading = `${change.type.replaceAll('_', ' ')}${subjectOf(change)}`
  switch (change.type) {
    case 'page_edited':
    case 'file_edited':
    case 'reusable_content_edited':
      return [heading, ...Object.entries(change.attributes).flatMap(toAttribute)].join('\n')
    case 'variables_edited':
      return [heading, ...Object.entries(change.variables).map(toValues)].join('\n')
    case 'page_moved': {
      const { before, after } = change.parent
      return `${heading}\n  from ${parentOf(before)} to ${parentOf(after)}`
    }
    default:
      return heading
  }
}

function subjectOf(change: Change): string {
  if ('page' in change) return `: ${toLine(change.page.title)} (page ${change.page.id})`
  if ('file' in change) return `: ${toLine(change.file.name)} (file ${change.file.id})`
  if ('reusableContent' in change) return `: ${toLine(change.reusableContent.title)}`
  return ''
}

const parentOf = (page: { readonly id: string; readonly title: string } | undefined): string =>
  page === undefined ? 'the top' : `below ${toLine(page.title)} (page ${page.id})`

function toAttribute([name, value]: [string, Side & DocumentDetail]): string[] {
  if (name !== 'document') return [toValues([name, value])]
  const { blocks, moreBlocks } = value
  if (blocks === undefined) return ['  text: too much differs to be shown']
  return [
    '  text:',
    ...blocks.flatMap(toBlock),
    ...(moreBlocks === undefined ? [] : [`  and ${counted(moreBlocks, 'more block')}`]),
  ]
}

const toValues = ([name, { before, after }]: [string, Side]): string =>
  `  ${toLine(name)}: ${toValue(before)} → ${toValue(after)}`

const toValue = (value: unknown): string =>
  value === undefined ? 'nothing' : toLine(JSON.stringify(value), VALUE_CHARACTERS_MAX)

function toBlock({ kind, before, after }: BlockChange): string[] {
  if (kind === 'moved') return [`  moved: ${toLine(after?.markdown ?? before?.markdown ?? '')}`]
  return [...marked('-', before?.markdown), ...marked('+', after?.markdown)]
}

const marked = (mark: '-' | '+', markdown: string | undefined): string[] =>
  markdown === undefined ? [] : markdown.split('\n').map(line => `${mark} ${line}`)
