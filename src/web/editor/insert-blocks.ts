// `/` at the start of a line or after white space lists the blocks; the chosen block takes its place, with the
// caret where one types on.
import type { Text } from '@codemirror/state'
import { INSERTS } from '../../engines/markdown/blocks/inserts.ts'
import { t } from '../messages/messages.ts'
import { ranked } from './rank.ts'
import { lineBefore, type Suggested, type Typing } from './suggestion.ts'

const TYPED = /(?<=^|\s)\/(?:[\p{L}\p{N}][\p{L}\p{N} -]{0,30})?$/u

export function suggestBlocks({ doc, caret }: Typing): Suggested | null {
  const before = lineBefore({ doc, caret })
  const typed = TYPED.exec(before.text)
  if (typed === null) return null
  const from = before.start + typed.index
  const found = ranked(INSERTS, doc.sliceString(from + 1, caret), ({ name }) => [
    t(`blocks.${name}.name`),
    name,
    t(`blocks.${name}.text`),
  ])
  const place = placeOf(doc, from, caret)
  return {
    ...{ from, to: caret },
    suggestions: found.flatMap(({ name, insert }) => [
      ...(FILES[name] ?? []).map(files => ({
        label: t(`suggestions.upload.${files}`),
        detail: t('suggestions.upload.text'),
        insert: { files },
      })),
      {
        label: t(`blocks.${name}.name`),
        detail: t(`blocks.${name}.text`),
        insert: { snippet: placed(insert, place) },
      },
    ]),
  }
}

/** What is sent from this device comes before the block with an address that is there. */
const FILES: { readonly [name: string]: readonly ('pictures' | 'any')[] } = {
  image: ['pictures'],
  file: ['any'],
}

/** A list goes on in the next line; other blocks stand alone. */
const GOES_ON = /^(?:[*+-]|\d+\.) /
/** What begins an item of a list or a quote: a block after it is in it. */
const MARKERS = /^\s*(?:(?:[*+>-]|\d+[.)])\s+)*$/

type Place = {
  /** In the line of the block, the line above it and the line below it. */
  readonly before: string
  readonly after: string
  readonly above: string
  readonly below: string
}

function placeOf(doc: Text, from: number, to: number): Place {
  const line = doc.lineAt(from)
  return {
    before: line.text.slice(0, from - line.from),
    after: line.text.slice(to - line.from),
    above: line.number > 1 ? doc.line(line.number - 1).text : '',
    below: line.number < doc.lines ? doc.line(line.number + 1).text : '',
  }
}

/** A block begins a line of its own, apart from what is before and after it, and stays in the item or quote it is in. */
function placed(insert: string, { before, after, above, below }: Place): string {
  const isApart = MARKERS.test(before)
  const isAlone = !GOES_ON.test(insert)
  const isBelowText = before.trim() === '' && above.trim() !== '' && isAlone
  const lead = isApart ? (isBelowText ? '\n' : '') : '\n\n'
  const tail = after.trim() !== '' ? '\n\n' : below.trim() !== '' && isAlone ? '\n' : ''
  const inner = isApart ? before.trimStart().replace(/[^>\s]/g, ' ') : ''
  // Empty lines need no white space, but are part of a quote.
  const ends = inner.includes('>') ? /\n/g : /\n(?!\n)/g
  return lead + insert.replace(ends, `\n${inner}`) + tail
}
