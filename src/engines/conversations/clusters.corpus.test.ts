// On short questions made of real documentation: at least as good as k-means with the right number of topics.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agreementOf } from '../../../bench/conversations/agreement.ts'
import { kMeans } from '../../../bench/conversations/k-means.ts'
import { isCorpusThere, labelledQuestions, shuffled } from '../../../bench/conversations/labelled.ts'
import { clustersOf } from './clusters.ts'
import { wordsOf } from './text-words.ts'

const skip = isCorpusThere() ? false : 'the corpus is not beside the project'

test('clusters agree with topics that they do not know', { skip }, () => {
  const questions = shuffled(labelledQuestions(3), 3)
  const known = questions.map(({ topic }) => topic)
  const clusters = clustersOf(questions.map(({ text }) => text))
  const groups = known.map((_, at) => clusters.length + at)
  for (const [group, places] of clusters.entries()) for (const place of places) groups[place] = group
  const ours = agreementOf(groups, known)
  const words = questions.map(({ text }) => wordsOf(text))
  const theirs = agreementOf(kMeans(words, new Set(known).size, 3, 1), known)
  assert.ok(ours.nmi > theirs.nmi && ours.ari > theirs.ari, JSON.stringify({ ours, theirs }))
  assert.ok(ours.nmi > 0.55 && ours.ari > 0.25, JSON.stringify(ours))
})
