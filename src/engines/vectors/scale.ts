// What the angles of a model mean. Models differ: in some, unrelated texts are at 0.1 and texts that mean the same at
// 0.5, in others at 0.7 and 0.8. So it is measured, on pairs that are known to be related or unrelated.
import { nearest } from './nearest.ts'

/** Cosines of angles, from -1 to 1. */
export type Scale = {
  /** The mean for a text and the answer to another one. */
  readonly unrelated: number
  /** The mean for a text and its own answer. */
  readonly related: number
  /** Hardly anything unrelated is beyond it. */
  readonly floor: number
}

/** One unrelated pair in 160 is beyond this many standard deviations. */
const DEVIATIONS = 2.5
/** The least share of the way from `unrelated` to `related`. */
const WAY_MIN = 0.5

/** Undefined for a model that does not separate the pairs. `questions` and `answers`: the vectors of each pair. */
export function scaleOf(questions: readonly Int8Array[], answers: readonly Int8Array[]): Scale | undefined {
  const own: number[] = []
  const others: number[] = []
  for (const [at, question] of questions.entries())
    for (const [other, answer] of answers.entries()) {
      const [near] = nearest([{ bytes: answer, dimensions: answer.length }], question, 1)
      ;(at === other ? own : others).push(near?.score ?? 0)
    }
  const related = mean(own)
  const unrelated = mean(others)
  if (!(related > unrelated)) return undefined
  const deviation = Math.sqrt(mean(others.map(score => (score - unrelated) ** 2)))
  const floor = Math.max(unrelated + DEVIATIONS * deviation, unrelated + WAY_MIN * (related - unrelated))
  return { unrelated, related, floor }
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** The nearest text to a question is closer than the mean of related ones. */
const FULL_WAY = 2

/** How close a cosine is: 0 for unrelated texts, 1 for the closest. */
export const closenessOf = ({ unrelated, related }: Scale, cosine: number): number =>
  Math.min(1, Math.max(0, (cosine - unrelated) / (FULL_WAY * (related - unrelated))))
