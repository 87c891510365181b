// One line of text being written: adjacent leaves with equal marks are joined, with inlines between them.
import { flatMapRuns, trimEndOf } from '../syntax/syntax.ts'
import { haveEqualMarks } from './mark-edges.ts'
import { type Block, fragment, type Inline, inline, type Mark, type Text, text } from './model.ts'
import type { Reference } from './values.ts'

const WORDS = new Intl.Segmenter('en', { granularity: 'word' })
/** Only the end of a leaf is searched for a word, so that many footnotes in one long text stay cheap. */
const WORD_LENGTH_MAX = 100

export class Line {
  #nodes: (Text | Inline)[] = []
  /** White space, dropped if nothing follows it. Separate from the leaf before it, which is not read while it grows. */
  #space: { value: string; readonly marks: readonly Mark[] } | undefined
  #isBlank = true
  /** The footnote of the last node. */
  #noted: string | undefined

  get isEmpty(): boolean {
    return this.#nodes.length === 0 && this.#space === undefined
  }

  /** Whether nothing but white space was written. */
  get isBlank(): boolean {
    return this.#isBlank
  }

  write(value: string, marks: readonly Mark[]): void {
    if (value === '') return
    this.#noted = undefined
    const words = trimEndOf(value)
    if (words !== '') {
      this.#writeSpace()
      this.#add(words, marks)
    }
    if (words.length < value.length) this.#hold(value.slice(words.length), marks)
  }

  #hold(space: string, marks: readonly Mark[]): void {
    if (this.#space !== undefined && haveEqualMarks(this.#space.marks, marks)) this.#space.value += space
    else {
      this.#writeSpace()
      this.#space = { value: space, marks }
    }
  }

  #writeSpace(): void {
    if (this.#space === undefined) return
    this.#add(this.#space.value, this.#space.marks)
    this.#space = undefined
  }

  #add(value: string, marks: readonly Mark[]): void {
    this.#isBlank &&= value.trim() === ''
    const last = this.#lastText()
    const leaf = last?.leaves.at(-1)
    if (leaf !== undefined && haveEqualMarks(leaf.marks, marks)) leaf.text += value
    else if (last !== undefined && leaf !== undefined)
      last.leaves.push({ object: 'leaf', text: value, marks: [...marks] })
    else this.#nodes.push(text(value, marks))
  }

  /** A break in the line: the white space around it is layout and is dropped. */
  breakLine(marks: readonly Mark[]): void {
    this.#space = undefined
    this.write('\n', marks)
  }

  put(node: Inline): void {
    this.#noted = undefined
    this.#push(node)
  }

  #push(node: Inline): void {
    this.#writeSpace()
    this.#isBlank = false
    this.#nodes.push(node)
  }

  /** Appends everything that another line holds. */
  append(other: Line): void {
    other.#writeSpace()
    for (const node of other.#nodes) {
      if (node.object === 'inline') this.put(node)
      else for (const leaf of node.leaves) this.write(leaf.text, leaf.marks)
    }
  }

  /** The words written so far become a link; inlines that a link cannot hold stay between its parts. */
  linkTo(ref: Reference): void {
    this.#writeSpace()
    this.#nodes = flatMapRuns<Text | Inline, Text | Inline>(
      this.#nodes,
      node => node.object === 'text' || node.type === 'inline-image',
      nodes => [inline('link', { ref }, { nodes })],
      node => [node],
    )
  }

  /**
   * Attaches a footnote to the last leaf if it is marked (a bold term), else to the last word; to `label` if nothing is
   * directly before it.
   */
  annotate(label: string, body: readonly Block[]): void {
    this.#writeSpace()
    this.#push(annotation(this.#takeLast() ?? text(label), body))
  }

  /** Appends what another line holds, as words with a footnote. */
  appendNoted(other: Line, footnote: string): void {
    this.append(other)
    this.#noted = footnote
  }

  isNoted(footnote: string): boolean {
    return this.#noted === footnote
  }

  /** Attaches a footnote to everything written so far. */
  annotateAll(body: readonly Block[]): void {
    this.#writeSpace()
    const words: Text = { object: 'text', leaves: [] }
    const others: Inline[] = []
    for (const node of this.#nodes) {
      if (node.object === 'text') for (const leaf of node.leaves) words.leaves.push(leaf)
      else others.push(node)
    }
    this.#nodes = [annotation(words.leaves.length === 0 ? text('') : words, body), ...others]
  }

  #takeLast(): Text | undefined {
    const { leaves } = this.#lastText() ?? { leaves: [] }
    const leaf = leaves.at(-1)
    if (leaf === undefined || leaf.text === '' || /\s$/.test(leaf.text)) return undefined
    if (leaf.marks.length > 0) {
      leaves.pop()
      if (leaves.length === 0) this.#nodes.pop()
      return { object: 'text', leaves: [leaf] }
    }
    const start = startOfLastWord(leaf.text)
    const word = leaf.text.slice(start)
    leaf.text = leaf.text.slice(0, start)
    if (leaf.text === '') leaves.pop()
    if (leaves.length === 0) this.#nodes.pop()
    return text(word)
  }

  /** The finished nodes, without white space at either end. */
  finish(): (Text | Inline)[] {
    trimEdge(this.#nodes, 'start')
    trimEdge(this.#nodes, 'end')
    return this.#nodes
  }

  #lastText(): Text | undefined {
    const node = this.#nodes.at(-1)
    return node?.object === 'text' ? node : undefined
  }
}

/** Words with a footnote. */
export const annotation = (words: Text, body: readonly Block[]): Inline =>
  inline(
    'annotation',
    {},
    { nodes: [words], fragments: [fragment('annotation-body', body, 'annotation-body')] },
  )

/** Whether a footnote after `before` and `words` is attached to exactly these words. */
export const isLastWord = (before: string, words: string): boolean =>
  words !== '' && !/\s$/.test(words) && startOfLastWord(before + words) === before.length

function startOfLastWord(value: string): number {
  const from = Math.max(0, value.length - WORD_LENGTH_MAX)
  let start = value.length
  for (const segment of WORDS.segment(value.slice(from))) if (segment.isWordLike) start = from + segment.index
  // Not a word: the footnote belongs to the characters after the last space.
  if (start < value.length) return start
  while (start > 0 && !/\s/.test(value.charAt(start - 1))) start--
  return start
}

/** Trims the white space at one end of a line, across leaves. */
function trimEdge(nodes: (Text | Inline)[], edge: 'start' | 'end'): void {
  const isStart = edge === 'start'
  const cut = (list: unknown[], count: number) => list.splice(isStart ? 0 : list.length - count, count)
  let emptied = 0
  for (; emptied < nodes.length; emptied++) {
    const node = nodes.at(isStart ? emptied : -1 - emptied)
    if (node?.object !== 'text') break
    let empty = 0
    for (; empty < node.leaves.length; empty++) {
      const leaf = node.leaves.at(isStart ? empty : -1 - empty)
      if (leaf === undefined) break
      leaf.text = isStart ? leaf.text.trimStart() : leaf.text.trimEnd()
      if (leaf.text !== '') break
    }
    cut(node.leaves, empty)
    if (node.leaves.length > 0) break
  }
  cut(nodes, emptied)
}
