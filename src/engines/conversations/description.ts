// The label and summary of a cluster, in the words of the issue that is most like all of its issues.
import { compareTexts } from '../../base/order.ts'
import { distinctiveWords } from './common-words.ts'
import { iconFor } from './icons.ts'
import { SUMMARY_CHARACTERS_MAX, shorten } from './issues.ts'

export type Described = { readonly title: string; readonly summary: string }
export type Description = { readonly label: string; readonly summary: string; readonly icon: string }

export const LABEL_CHARACTERS_MAX = 100
const SUMMARIES_MAX = 3
const TOP_WORDS = 12
/** A sentence that shares more words with earlier ones repeats them, and is left out. */
const SHARED_WORDS_MAX = 0.6

/** `issues`: at least one. The result does not depend on their order. */
export function describe(issues: readonly Described[]): Description {
  const read = issues.map(issue => ({
    issue,
    words: new Set(distinctiveWords(`${issue.title}\n${issue.summary}`)),
  }))
  const counts = new Map<string, number>()
  for (const { words } of read) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  const ranked = read
    .map(({ issue, words }) => ({ issue, words, worth: worthOf(words, counts) }))
    .sort(
      (a, b) =>
        b.worth - a.worth ||
        compareTexts(a.issue.title, b.issue.title) ||
        compareTexts(a.issue.summary, b.issue.summary),
    )
  const said: string[] = []
  const saidWords: ReadonlySet<string>[] = []
  for (const { issue, words: own } of ranked) {
    if (said.length === SUMMARIES_MAX) break
    if (saidWords.some(other => isCovered(own, other))) continue
    said.push(ended(shorten(issue.summary, SUMMARY_CHARACTERS_MAX / SUMMARIES_MAX - 1)))
    saidWords.push(own)
  }
  const top = [...counts]
    .sort((a, b) => b[1] - a[1] || compareTexts(a[0], b[0]))
    .slice(0, TOP_WORDS)
    .map(([word]) => word)
  return {
    label: shorten(ranked[0]?.issue.title ?? '', LABEL_CHARACTERS_MAX),
    summary: said.join(' '),
    icon: iconFor(top),
  }
}

/** How much of what the issues say a text says, for its length: neither the shortest nor the longest wins. */
function worthOf(words: ReadonlySet<string>, counts: ReadonlyMap<string, number>): number {
  let sum = 0
  // A word that no other issue has says nothing about the cluster.
  for (const word of words) sum += (counts.get(word) ?? 1) - 1
  return sum / Math.sqrt(words.size + LENGTH_SMOOTHING)
}
const LENGTH_SMOOTHING = 4

/** Ends a sentence, so that another can follow. */
const ended = (text: string): string => {
  if (/[.!?…:。！？：]$/.test(text)) return text
  return /\p{Script=Han}$/u.test(text) ? `${text}。` : `${text}.`
}

function isCovered(words: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  let shared = 0
  for (const word of words) if (other.has(word)) shared += 1
  return shared >= SHARED_WORDS_MAX * words.size
}
