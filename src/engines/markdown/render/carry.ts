// A change carried over to the text that somebody wrote. A block is rendered as it was and as it is now; the
// differences between the two renderings are applied to the written text, at the tokens that say the same. Every other
// byte stays, even where the writer's notation differs from the renderer's.
import type { Position } from '../syntax/syntax.ts'
import { align } from './alignment.ts'
import { type Tokens, tokensOf } from './tokens.ts'

const LINE_END = /^[\r\n]/

/** A text, and the places in it where words are read, in ascending order. */
export type Worded = { readonly text: string; readonly words: readonly Position[] }

/**
 * `written` with the edits that turn `was` into `is`. `was` says the same as `written`, but the result need not say the
 * same as `is`: the caller reads it and checks.
 */
export function carryOver(written: Worded, was: Worded, is: string): string {
  const source = tokensOf(written.text, written.words)
  const before = tokensOf(was.text, was.words)
  const after = tokensOf(is, [])
  const pieces: string[] = []
  let done = 0
  for (const { start, end, to, toEnd } of placeEdits(editsOf(before, after), source, before, after)) {
    pieces.push(written.text.slice(done, start), is.slice(after.starts[to], after.starts[toEnd]))
    done = end
  }
  return pieces.join('') + written.text.slice(done)
}

type Span = { readonly start: number; readonly end: number }

/** The tags of elements among tokens. */
function elementTags(all: readonly string[], from: number, to: number): (Span & { readonly text: string })[] {
  const tags: (Span & { readonly text: string })[] = []
  let start: number | undefined
  for (let at = from; at < to; at++) {
    if (all[at] === '<') start = at
    else if (all[at] === '>' && start !== undefined) {
      tags.push({ start, end: at + 1, text: all.slice(start, at + 1).join('') })
      start = undefined
    }
  }
  return tags
}

/** For each token of the rendering, the same token of the source, or -1; ascending. */
function pairTokens(source: Tokens, before: Tokens): Int32Array {
  const pairs = new Int32Array(before.all.length).fill(-1)
  let sourceFrom = 0
  let from = 0
  const pairSingly = (ours: Span, theirs: Span): void => {
    for (const run of align(
      source.all.slice(ours.start, ours.end),
      before.all.slice(theirs.start, theirs.end),
    ))
      for (let nth = 0; nth < run.length; nth++) pairs[theirs.start + run.b + nth] = ours.start + run.a + nth
  }
  const pairBetween = (sourceTo: number, to: number): void => {
    const ours = elementTags(source.all, sourceFrom, sourceTo)
    const theirs = elementTags(before.all, from, to)
    // Whole tags first: the signs of `</code>` are also in `</li>`.
    let done = { ours: sourceFrom, theirs: from }
    for (const run of align(
      ours.map(tag => tag.text),
      theirs.map(tag => tag.text),
    ))
      for (let nth = 0; nth < run.length; nth++) {
        const our = ours[run.a + nth]
        const their = theirs[run.b + nth]
        if (our === undefined || their === undefined) continue
        pairSingly({ start: done.ours, end: our.start }, { start: done.theirs, end: their.start })
        pairSingly(our, their)
        done = { ours: our.end, theirs: their.end }
      }
    pairSingly({ start: done.ours, end: sourceTo }, { start: done.theirs, end: to })
  }
  // Words first: a destination or an attribute may say the same as words beside it.
  for (const run of align(source.said, before.said))
    for (const [nth, ours] of source.words.slice(run.a, run.a + run.length).entries()) {
      const theirs = before.words[run.b + nth] ?? from
      pairBetween(ours, theirs)
      pairs[theirs] = ours
      sourceFrom = ours + 1
      from = theirs + 1
    }
  pairBetween(source.all.length, before.all.length)
  return pairs
}

/** The tokens `from … fromEnd` of one rendering became the tokens `to … toEnd` of the other. */
type Edit = { readonly from: number; readonly fromEnd: number; readonly to: number; readonly toEnd: number }
/** An edit, and what it takes the place of in the source. */
type Placed = Edit & Position

function editsOf(before: Tokens, after: Tokens): Edit[] {
  const edits: Edit[] = []
  const end = { a: before.all.length, b: after.all.length, length: 0 }
  let from = 0
  let to = 0
  for (const { a, b, length } of [...align(before.all, after.all), end]) {
    if (a > from || b > to) edits.push({ from, fromEnd: a, to, toEnd: b })
    from = a + length
    to = b + length
  }
  return edits.map((edit, index) => {
    const last = edits[index - 1] ?? { fromEnd: 0, toEnd: 0 }
    const next = edits[index + 1] ?? { from: before.all.length, to: after.all.length }
    let by = 0
    if (edit.from === edit.fromEnd) by = slideToLine(after.all, edit.to, edit.toEnd, last.toEnd, next.to)
    else if (edit.to === edit.toEnd)
      by = slideToLine(before.all, edit.from, edit.fromEnd, last.fromEnd, next.from)
    return { from: edit.from + by, fromEnd: edit.fromEnd + by, to: edit.to + by, toEnd: edit.toEnd + by }
  })
}

/**
 * How far down or up the tokens `from … end`, which only one side has, can move to begin with a line: if `a¶b¶c¶` loses
 * `b`, either `¶b` or `b¶` is gone.
 */
function slideToLine(all: readonly string[], from: number, end: number, least: number, most: number): number {
  const isLine = (by: number): boolean => from + by === 0 || LINE_END.test(all[from + by - 1] ?? '')
  const length = end - from
  let by = 0
  while (!isLine(by) && by < length && end + by < most && all[from + by] === all[end + by]) by++
  if (isLine(by)) return by
  by = 0
  while (!isLine(by) && -by < length && from + by > least && all[from + by - 1] === all[end + by - 1]) by--
  return isLine(by) ? by : 0
}

/** The places of the edits, in ascending order; edits without a place of their own are joined to their neighbours. */
function placeEdits(edits: readonly Edit[], source: Tokens, before: Tokens, after: Tokens): Placed[] {
  const placeOf = placesIn(source, before, after)
  const all: Placed[] = []
  for (const edit of edits) {
    let placed = placeOf(edit)
    for (let last = all.at(-1); last !== undefined; last = all.at(-1)) {
      if (placed.from >= last.fromEnd && placed.start >= last.end) break
      all.pop()
      const fromEnd = Math.max(edit.fromEnd, last.fromEnd)
      placed = placeOf({ ...last, fromEnd, toEnd: edit.toEnd + fromEnd - edit.fromEnd })
    }
    all.push(placed)
  }
  return all
}

const placedAt = (start: number, edit: Edit): Placed => ({ ...edit, start, end: start })

/** Where in the source an edit goes: between the nearest paired tokens around it. */
function placesIn(source: Tokens, before: Tokens, after: Tokens): (edit: Edit) => Placed {
  const pairs = pairTokens(source, before)
  const count = pairs.length
  const pairOf = (token: number): number => pairs[token] ?? -1
  const isPaired = (token: number): boolean => pairOf(token) >= 0
  const placeOf = (token: number): number => source.starts[token] ?? 0
  const startOf = (token: number): number => placeOf(token === count ? source.all.length : pairOf(token))
  const endOf = (token: number): number => (token < 0 ? 0 : placeOf(pairOf(token) + 1))
  // For each boundary, the nearest one at or before it after a paired token, and at or after it before a paired token.
  const left = new Int32Array(count + 1)
  for (const at of pairs.keys()) left[at + 1] = isPaired(at) ? at + 1 : (left[at] ?? 0)
  const right = new Int32Array(count + 1).fill(count)
  for (let at = count - 1; at >= 0; at--) right[at] = isPaired(at) ? at : (right[at + 1] ?? count)

  const words = new Set(before.words)
  /**
   * Whether words inserted before another follow a sign, and only the rendering separates them from it: in `| new c`,
   * written over `|c`, what was inserted is `new ` and not ` new`.
   */
  const isBesideWord = (from: number, to: number, toEnd: number): boolean =>
    words.has(from + 1) && !words.has(from - 1) && after.all[to] === before.all[from] && toEnd > to

  return ({ from, fromEnd, to, toEnd }) => {
    const first = left[from] ?? 0
    const last = right[fromEnd] ?? count
    if (from === fromEnd) {
      const isBelow = LINE_END.test(after.all[to] ?? '')
      if (last === from && (first !== from || isBelow))
        return placedAt(startOf(from), { from, fromEnd, to, toEnd })
      if (first === from && last === from + 1 && isBesideWord(from, to, toEnd))
        return placedAt(startOf(last), { from: last, fromEnd: last, to: to + 1, toEnd: toEnd + 1 })
      if (first === from) return placedAt(endOf(from - 1), { from, fromEnd, to, toEnd })
    }
    const isOpen = from === fromEnd || !isPaired(from)
    // Removing the end of a page removes everything that is written there.
    const isTail = to === toEnd && last === fromEnd && LINE_END.test(before.all[from] ?? '')
    const isOpenEnd = from === fromEnd || !isPaired(fromEnd - 1) || isTail
    return {
      from: isOpen ? first : from,
      to: isOpen ? to - (from - first) : to,
      start: isOpen ? endOf(first - 1) : startOf(from),
      fromEnd: isOpenEnd ? last : fromEnd,
      toEnd: isOpenEnd ? toEnd + (last - fromEnd) : toEnd,
      end: isOpenEnd ? startOf(last) : endOf(fromEnd - 1),
    }
  }
}
