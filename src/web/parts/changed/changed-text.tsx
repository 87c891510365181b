// What is no Markdown, such as a name or a line of settings: the same marks, over plain text.
import { isWord, matchLists, type Pair, withoutIslands } from './matches.ts'

type Props = { readonly before: string | undefined; readonly after: string }
type Run = { readonly kind: 'same' | 'ins' | 'del'; readonly text: string }

export const ChangedText = ({ before = undefined, after }: Props) => (
  <span className="changed plain" dir="auto">
    {runsOf(before ?? after, after).map(({ kind, text }, at) => {
      const Mark = kind
      // biome-ignore lint/suspicious/noArrayIndexKey: the runs have no other identity
      return Mark === 'same' ? <span key={at}>{text}</span> : <Mark key={at}>{text}</Mark>
    })}
  </span>
)

const WORDS = /[\p{L}\p{M}\p{N}_]+|\s+|./gsu

function runsOf(before: string, after: string): Run[] {
  const old = before.match(WORDS) ?? []
  const now = after.match(WORDS) ?? []
  const runs: Run[] = []
  const add = (kind: Run['kind'], text: string) => {
    const last = runs.at(-1)
    if (text === '') return
    if (last?.kind === kind) runs[runs.length - 1] = { kind, text: last.text + text }
    else runs.push({ kind, text })
  }
  const end: Pair = [old.length, now.length]
  const pairs = withoutIslands(matchLists(old, now), end, at => !isWord(now[at] ?? ''))
  let [a, b] = [0, 0]
  for (const [nextA, nextB] of [...pairs, end]) {
    add('del', old.slice(a, nextA).join(''))
    add('ins', now.slice(b, nextB).join(''))
    add('same', now[nextB] ?? '')
    ;[a, b] = [nextA + 1, nextB + 1]
  }
  return runs
}
