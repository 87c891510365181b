// How well clusters of issues agree with known topics, beside k-means on TF-IDF that is given how many there are, and what
// 10,000 conversations take. `node bench/conversations.ts`
import { clustersOf } from '../src/engines/conversations/clusters.ts'
import { issuesOf } from '../src/engines/conversations/issues.ts'
import { matchGroups } from '../src/engines/conversations/matching.ts'
import { wordsOf } from '../src/engines/conversations/text-words.ts'
import { agreementOf } from './conversations/agreement.ts'
import { kMeans } from './conversations/k-means.ts'
import { isCorpusThere, type Labelled, labelledQuestions, shuffled } from './conversations/labelled.ts'
import { report, round } from './measure.ts'

const SEED = Number(process.argv[2] ?? 1)
const MANY = 10_000

if (!isCorpusThere()) {
  report('conversations', { skipped: 'there is no documentation in ../shared/corpus' })
  process.exit(0)
}

/** The issue of a question, as a conversation of one message. */
const bodyOf = ({ text }: Labelled): string => issuesOf(null, [{ role: 'user', body: text }])[0]?.body ?? ''

/** The group of each text; a text in no cluster is a group of its own. */
function groupsOf(texts: readonly string[]): { groups: number[]; count: number; alone: number } {
  const clusters = clustersOf(texts)
  const groups = texts.map((_, at) => clusters.length + at)
  for (const [group, places] of clusters.entries()) for (const place of places) groups[place] = group
  return { groups, count: clusters.length, alone: texts.length - clusters.flat().length }
}

const agreement = (groups: readonly number[], of: readonly Labelled[]) => {
  const { nmi, ari, purity } = agreementOf(
    groups,
    of.map(({ topic }) => topic),
  )
  return { nmi: round(nmi), ari: round(ari), purity: round(purity) }
}

const questions = shuffled(labelledQuestions(SEED), SEED)
const texts = questions.map(bodyOf)
const whole = groupsOf(texts)
const topics = new Set(questions.map(({ topic }) => topic)).size

// In two halves: what is found in the first is found again when the second has come.
const half = texts.slice(0, texts.length / 2)
const first = clustersOf(half)
const before = texts
  .map((_, at) => first.findIndex(places => places.includes(at)))
  .map(at => (at === -1 ? null : `${at}`))
const then = clustersOf(texts)
const kept = new Set(matchGroups(before, then).ids.filter(id => id !== null))

const words = questions.map(({ text }) => wordsOf(text))

const many = shuffled(labelledQuestions(SEED, MANY / topics), SEED)
const beganCpu = process.cpuUsage()
const began = performance.now()
const manyGroups = groupsOf(many.map(bodyOf))
const seconds = (performance.now() - began) / 1000
const { user, system } = process.cpuUsage(beganCpu)

report('conversations', {
  questions: questions.length,
  topics,
  ours: { ...agreement(whole.groups, questions), clusters: whole.count, alone: whole.alone },
  firstHalf: agreement(groupsOf(half).groups, questions.slice(0, half.length)),
  idsKeptFromFirstHalf: round(kept.size / first.length),
  kMeansToldTheNumber: agreement(kMeans(words, topics, SEED), questions),
  [MANY]: {
    conversations: many.length,
    seconds: round(seconds),
    processorSeconds: round((user + system) / 1e6),
    ...agreement(manyGroups.groups, many),
    clusters: manyGroups.count,
    peakMegabytes: Math.round(process.resourceUsage().maxRSS / 1024),
  },
})
