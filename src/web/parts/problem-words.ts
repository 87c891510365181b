// What an import found odd, or failed on, in the language of the person: from its code and values, and in the words of
// the server where there is no sentence for the code.
import type { Model } from '../data/client.ts'
import { language, t } from '../messages/messages.ts'
import en from '../messages/new.en.json'
import { sayBytes } from './say-bytes.ts'

type Problem = Model<'GitProblem'>

type Base<Key> = Key extends `${infer One}_other` ? One : Key extends `${string}_one` ? never : Key
type Said = Base<Exclude<keyof (typeof en)['problem'], 'line'>>

const isSaid = (key: string): key is Said =>
  Object.hasOwn(en.problem, key) || Object.hasOwn(en.problem, `${key}_other`)

/** Undefined where only the server has words, which are English. */
export function sayProblem({ code, values = {} }: Problem): string | undefined {
  const key = values.reason === undefined ? code : `${code}-${values.reason}`
  if (!isSaid(key)) return undefined
  const { count = 0, max = 0, name = '' } = values
  return t(`problem.${key}`, { count, name, max: isOfBytes(key) ? sayBytes(max) : numbers.format(max) })
}

const isOfBytes = (key: string): boolean =>
  /^(?:page|include|file|yaml)_too_large/.test(key) || key === 'variables_invalid-text'

const numbers = new Intl.NumberFormat(language)
