// Marks in the HTML of two versions of a block which words were removed and which inserted.
import { readMarkup } from '../../parts/markup.tsx'

export type Marked = {
  readonly before: string
  readonly after: string
  /** Both in one, where both are built alike. */
  readonly merged: string | undefined
}

// In scripts without spaces every character is a word, so that a changed sentence is not one long word. White space
// belongs to the word before it.
const WORD =
  /(?:[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]|[\p{L}\p{M}\p{N}_]+|[^\s])\s*|\s+/gu
// Compared in pairs: a longer text is marked as a whole.
const PAIRS_MAX = 2_000_000
/** Parts of a block that are not text of it. */
const APART = '.anchor, .unseen, svg, button'

type Word = { readonly text: string; readonly node: Text; readonly start: number; readonly end: number }

export function markWords(before: string, after: string): Marked {
  const [old, now, both] = [readMarkup(before), readMarkup(after), readMarkup(after)]
  const [oldWords, nowWords, bothWords] = [wordsIn(old), wordsIn(now), wordsIn(both)]
  const pairs = matchWords(oldWords, nowWords)
  const kept = new Set(pairs.map(([at]) => at))
  const known = new Set(pairs.map(([, at]) => at))
  const isAlike = shapeOf(old) === shapeOf(now) && pairs.length > 0
  // Marking splits the nodes that words are in.
  const gaps = gapsOf(oldWords, pairs, bothWords.length)
  mark(oldWords, 'del', at => !kept.has(at))
  mark(nowWords, 'ins', at => !known.has(at))
  if (isAlike) mark(bothWords, 'ins', at => !known.has(at), gaps)
  return { before: htmlOf(old), after: htmlOf(now), merged: isAlike ? htmlOf(both) : undefined }
}

function wordsIn(root: Node): Word[] {
  const words: Word[] = []
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!(node instanceof Text) || node.parentElement?.closest(APART) != null) continue
    for (const { 0: text, index } of node.data.matchAll(WORD))
      words.push({ text: text.trim(), node, start: index, end: index + text.length })
  }
  return words
}

type Pair = readonly [before: number, after: number]

/** The longest common sequence, in order. */
function matchWords(a: readonly Word[], b: readonly Word[]): Pair[] {
  let start = 0
  while (start < Math.min(a.length, b.length) && a[start]?.text === b[start]?.text) start += 1
  let end = 0
  while (
    end < Math.min(a.length, b.length) - start &&
    a[a.length - 1 - end]?.text === b[b.length - 1 - end]?.text
  )
    end += 1
  const head: Pair[] = Array.from({ length: start }, (_, at) => [at, at])
  const tail: Pair[] = Array.from({ length: end }, (_, at) => [a.length - end + at, b.length - end + at])
  const middle = matchBetween(a.slice(start, a.length - end), b.slice(start, b.length - end))
  return [...head, ...middle.map(([i, j]): Pair => [i + start, j + start]), ...tail]
}

function matchBetween(a: readonly Word[], b: readonly Word[]): Pair[] {
  if (a.length * b.length > PAIRS_MAX) return []
  const width = b.length + 1
  const best = new Uint16Array((a.length + 1) * width)
  const bestAt = (i: number, j: number): number => best[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      best[i * width + j] =
        a[i]?.text === b[j]?.text ? bestAt(i + 1, j + 1) + 1 : Math.max(bestAt(i + 1, j), bestAt(i, j + 1))
  const pairs: Pair[] = []
  let [i, j] = [0, 0]
  while (i < a.length && j < b.length) {
    if (a[i]?.text === b[j]?.text) pairs.push([i++, j++])
    else if (bestAt(i + 1, j) >= bestAt(i, j + 1)) i += 1
    else j += 1
  }
  return pairs
}

/** Removed words by the word of the newer text that they stood before; its number of words is the end. */
function gapsOf(words: readonly Word[], pairs: readonly Pair[], end: number): Map<number, string> {
  const gaps = new Map<number, string>()
  let next = 0
  let place = 0
  for (const [before, after] of [...pairs, [words.length, end] as const]) {
    const gone = words.slice(next, before)
    if (gone.length > 0)
      gaps.set(place, gone.map(({ node, start, end }) => node.data.slice(start, end)).join(''))
    next = before + 1
    place = after + 1
  }
  return gaps
}

/** Wraps runs of words, and puts removed ones where they stood: from the end, so that the places of earlier words stay. */
function mark(
  words: readonly Word[],
  tag: 'ins' | 'del',
  isMarked: (at: number) => boolean,
  gaps: ReadonlyMap<number, string> = new Map(),
): void {
  const last = words.at(-1)
  const atEnd = gaps.get(words.length)
  if (atEnd !== undefined && last !== undefined) putBefore(last.node.splitText(last.end), atEnd)
  let at = words.length - 1
  while (at >= 0) {
    const word = words[at]
    if (word === undefined) return
    let first = at
    while (isMarked(at) && !gaps.has(first) && isMarked(first - 1) && words[first - 1]?.node === word.node)
      first -= 1
    const { node, start } = words[first] ?? word
    if (isMarked(at)) {
      const run = node.splitText(start)
      run.splitText(word.end - start)
      const element = document.createElement(tag)
      run.replaceWith(element)
      element.append(run)
      const gone = gaps.get(first)
      if (gone !== undefined) putBefore(element, gone)
    } else {
      const gone = gaps.get(at)
      if (gone !== undefined) putBefore(node.splitText(start), gone)
    }
    at = first - 1
  }
}

function putBefore(node: ChildNode, text: string): void {
  const element = document.createElement('del')
  element.textContent = text
  node.before(element)
}

/** The elements in order, without their text. */
const shapeOf = (root: DocumentFragment): string =>
  [...root.querySelectorAll(':not(a, em, strong, code, del, ins, mark, sub, sup, span)')]
    .map(({ tagName }) => tagName)
    .join()

function htmlOf(root: DocumentFragment): string {
  const box = document.createElement('div')
  box.append(root)
  return box.innerHTML
}
