// Marks what changed between two rendered texts, by word and in place: in the newer text what was added, and beside what
// stayed what was removed.
import { isWord, matchLists, type Pair, START, withoutIslands } from './matches.ts'
import { markRemoved } from './removed.ts'
import { type Token, tokensOf } from './tokens.ts'

/** Changes `after`, which then shows both. */
export function markChanges(before: Element, after: Element): void {
  const old = tokensOf(before)
  const now = tokensOf(after)
  const pairs = matchLists(
    old.map(({ key }) => key),
    now.map(({ key }) => key),
  )
  let [endA, endB] = [old.length, now.length]
  // From the end, so that places before it stay what they are while texts are split.
  for (const [a, b] of [START, ...readablePairs(pairs, old, now)].reverse()) {
    const [removed, added] = [old.slice(a + 1, endA), now.slice(b + 1, endB)]
    markAdded(added, now[endB])
    if (removed.length > 0) markRemoved(removed, after, now[b])
    ;[endA, endB] = [a, b]
  }
}

function readablePairs(pairs: readonly Pair[], old: readonly Token[], now: readonly Token[]): Pair[] {
  const isIsland = (at: number) => {
    const token = now[at]
    return token?.kind === 'word' && !isWord(token.text)
  }
  return withWholeBlocks(withoutIslands(pairs, [old.length, now.length], isIsland), old, now)
}

/**
 * Of blocks that begin alike, either beginning may be the one that stayed. What was added or removed begins with its own,
 * and not at the end of the block before.
 */
function withWholeBlocks(pairs: readonly Pair[], old: readonly Token[], now: readonly Token[]): Pair[] {
  const moved = [...pairs]
  let [endA, endB] = [old.length, now.length]
  for (let at = moved.length - 1; at >= 0; at -= 1) {
    const [a, b] = moved[at] ?? START
    const isRemoval = endB === b + 1 && endA > a + 1
    const isAddition = endA === a + 1 && endB > b + 1
    if (isRemoval && old[a + 1]?.kind !== 'block' && old[a]?.key === old[endA - 1]?.key)
      moved[at] = [endA - 1, b]
    else if (isAddition && now[b + 1]?.kind !== 'block' && now[b]?.key === now[endB - 1]?.key)
      moved[at] = [a, endB - 1]
    ;[endA, endB] = moved[at] ?? START
  }
  return moved
}

/** `next` follows them. */
function markAdded(added: readonly Token[], next: Token | undefined): void {
  let end: number | undefined
  for (let at = added.length - 1; at >= 0; at -= 1) {
    const token = added[at]
    const before = added[at - 1]
    if (token?.kind === 'thing') wrap(token.element)
    else if (token?.kind === 'word') {
      end ??= token.end
      if (before?.kind === 'word' && before.node === token.node) continue
      wrap(cutOut(token.node, token.start, end))
      end = undefined
    } else if (token?.kind === 'block' && at === added.length - 1 && next?.block === token.block)
      token.block.classList.add('changed-block')
  }
}

/** `node` keeps what is before. */
function cutOut(node: Text, start: number, end: number): Text {
  if (end < node.data.length) node.splitText(end)
  return start === 0 ? node : node.splitText(start)
}

function wrap(node: ChildNode): void {
  const mark = document.createElement('ins')
  node.replaceWith(mark)
  mark.append(node)
}
