// A line of the model as Markdown nests it: marks around words, links and footnotes around both.
import {
  commonMarks,
  type Holder,
  type Inline,
  isBlank,
  isLastWord,
  type Mark,
  merge,
  type Part,
  partsOf,
  type Reference,
  settle,
  type Words,
} from '../document/document.ts'
import { pointAt, pointBefore, readable, trimEndOf } from '../syntax/syntax.ts'

export type Span =
  /** Words; a line feed is a break in the line. */
  | { readonly type: 'words'; readonly value: string }
  | { readonly type: 'void'; readonly node: Inline }
  | { readonly type: 'mark'; readonly mark: Mark; readonly children: Span[] }
  | { readonly type: 'link'; readonly ref: Reference; readonly children: Span[] }
  /** `isShort` if its words are those that a `[^1]` after them attaches to. */
  | { readonly type: 'footnote'; readonly node: Inline; readonly isShort: boolean; readonly children: Span[] }

/** The spans of a line, without white space at its ends. */
export function spansOf(nodes: Words): Span[] {
  const parts = partsOf(nodes, readable)
  const from = parts.findIndex(part => !isBlank(part))
  return nest(
    merge(settle(from < 0 ? [] : parts.slice(from, parts.findLastIndex(part => !isBlank(part)) + 1))),
  )
}

/** Whether reading `words[^1]` yields these words: one marked run, or the last word before the mark. */
function isShortFootnote(
  { parts, own, marks }: Holder,
  before: Part | undefined,
  after: Part | undefined,
): boolean {
  const [only] = parts
  if (parts.length !== 1 || only?.type !== 'words' || only.isBlank || only.value.includes('\n')) return false
  if (own.length > 0) {
    // Words beside it with the same marks would become one run with it.
    const isApart = (part: Part | undefined) =>
      part === undefined || part.type !== 'words' || commonMarks(part.marks, own).length === 0
    return marks.length === 0 && isApart(before) && isApart(after)
  }
  const isPlainBefore = before?.type === 'words' && before.marks.length === 0
  return isLastWord(isPlainBefore ? before.value : '', only.value)
}

/** The parts as a tree; `outer` marks are already open and not written again. */
function nest(parts: readonly Part[], outer = 0): Span[] {
  const root: Span[] = []
  const open: { mark: Mark; children: Span[] }[] = []
  for (const [index, part] of parts.entries()) {
    const marks = part.marks.slice(outer)
    const kept = commonMarks(
      open.map(one => one.mark),
      marks,
    ).length
    open.length = kept
    for (const mark of marks.slice(kept)) {
      const children: Span[] = []
      const span: Span = { type: 'mark', mark, children }
      ;(open.at(-1)?.children ?? root).push(span)
      open.push({ mark, children })
    }
    ;(open.at(-1)?.children ?? root).push(spanOf(part, parts[index - 1], parts[index + 1]))
  }
  return root
}

function withoutSpaceAtBreaks(value: string): string {
  if (!value.includes('\n')) return value
  const lines = value.split('\n')
  return lines.map((line, nth) => (nth < lines.length - 1 ? trimEndOf(line) : line)).join('\n')
}

function spanOf(part: Part, before: Part | undefined, after: Part | undefined): Span {
  if (part.type === 'words') return { type: 'words', value: withoutSpaceAtBreaks(part.value) }
  if (part.type === 'void') return { type: 'void', node: part.node }
  const children = nest(merge(part.parts), part.marks.length)
  return part.node.type === 'link'
    ? { type: 'link', ref: part.node.data.ref, children }
    : { type: 'footnote', node: part.node, isShort: isShortFootnote(part, before, after), children }
}

/** The character at the edge of a span that matters to an emoji beside it; empty if it is not part of a word. */
export function edgeOf(span: Span | undefined, edge: 'start' | 'end'): string {
  if (span?.type === 'words')
    return (edge === 'start' ? pointAt(span.value, 0) : pointBefore(span.value, span.value.length)) ?? ''
  // A link that leads nowhere is its words, and so are those of a footnote.
  if (span?.type === 'link' || span?.type === 'footnote')
    return edgeOf(span.children.at(edge === 'start' ? 0 : -1), edge)
  // Two emojis beside each other would share their colons.
  return span?.type === 'void' && span.node.type === 'emoji' ? ':' : ''
}

/** Whether a line is nothing but white space. */
export const isEmptyLine = (nodes: Words): boolean =>
  nodes.every(node => node.object === 'text' && node.leaves.every(leaf => leaf.text.trim() === ''))
