// Expressions that people write, such as merge rules: JavaScript over given values, run where nothing else can be
// reached, within bounds on length, time, memory and result.
import { assert } from '../../base/assert.ts'
import type { Json } from '../../base/canonical.ts'
import { nestsDeeperThan } from '../../base/json-depth.ts'
import type { Failed } from './sandbox.ts'
import { runInThread } from './thread.ts'

export const EXPRESSION_CHARACTERS_MAX = 1024
// Code that walks a result may recurse.
const RESULT_LEVELS_MAX = 64
const NAME = /^[A-Za-z_$][\w$]*$/

export type Evaluation = { readonly kind: 'value'; readonly value: Json } | Failed

/**
 * Evaluates one expression (not statements) over these values, each a deeply frozen global of that name. The result is
 * converted to JSON; undefined becomes null. There is no clock, no randomness and no state: the same expression over
 * the same values has the same result. Expressions take turns, a fraction of a millisecond each.
 *
 * Never throws for anything the expression does; throws `unavailable` if too many others wait.
 */
export async function evaluateExpression(
  expression: string,
  values: Readonly<Record<string, Json>>,
): Promise<Evaluation> {
  for (const name of Object.keys(values)) assert(NAME.test(name), `${name} can be the name of a value`)
  const result = refuse(expression) ?? (await runInThread({ expression, values: JSON.stringify(values) }))
  if (result.kind === 'failed') return result
  if (nestsDeeperThan(result.json, RESULT_LEVELS_MAX)) {
    const message = `The result cannot be used: it is nested more than ${RESULT_LEVELS_MAX} levels deep.`
    return { kind: 'failed', reason: 'result', message }
  }
  return { kind: 'value', value: JSON.parse(result.json) }
}

/** Whether it is an expression at all: for checking rules when they are saved. Does not run it. */
export async function checkExpression(expression: string): Promise<{ readonly message: string } | undefined> {
  const result = refuse(expression) ?? (await runInThread({ expression, values: null }))
  return result.kind === 'failed' ? { message: result.message } : undefined
}

function refuse(expression: string): Failed | undefined {
  const { length } = expression
  if (length > EXPRESSION_CHARACTERS_MAX) {
    const message = `The expression has ${length} characters; write at most ${EXPRESSION_CHARACTERS_MAX}.`
    return { kind: 'failed', reason: 'syntax', message }
  }
  if (expression.trim() !== '') return undefined
  return { kind: 'failed', reason: 'syntax', message: 'The expression is empty.' }
}
