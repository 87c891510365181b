// One expression in a QuickJS runtime of its own, which holds nothing of ours but JSON and is thrown away afterwards.
// QuickJS does not interrupt its native functions, so this runs in a thread that can be ended: see thread.ts.
import type { QuickJSContext, QuickJSWASMModule } from 'quickjs-emscripten-core'
import { threadMs } from '../../base/clock.ts'
import { GUEST, NO_RESULT, THROWN, VALUE } from './guest.ts'

// Processor time, not elapsed time: a busy machine must not change the result.
const PROCESSOR_MILLISECONDS_MAX = 100
const MEMORY_MEGABYTES_MAX = 16
const STACK_BYTES_MAX = 256 * 1024
const MESSAGE_CHARACTERS_MAX = 200

export type Reason = 'syntax' | 'thrown' | 'time' | 'memory' | 'result'

/** `values` is a JSON object; null only checks whether it is an expression. */
export type Task = { readonly expression: string; readonly values: string | null }

export type Failed = {
  readonly kind: 'failed'
  readonly reason: Reason
  /** One short line for people. */
  readonly message: string
}
export type Result = { readonly kind: 'value'; readonly json: string } | Failed

const failed = (reason: Reason, message: string): Failed => ({
  kind: 'failed',
  reason,
  message: message
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .slice(0, MESSAGE_CHARACTERS_MAX)
    .toWellFormed(),
})

export const tooLong = failed('time', `The expression took longer than ${PROCESSOR_MILLISECONDS_MAX} ms.`)
export const tooMuch = failed(
  'memory',
  `The expression took more than ${MEMORY_MEGABYTES_MAX} MB of memory, or called itself too deeply.`,
)

// No clock, no raw memory, no proxies: no rule needs them.
const INTRINSICS = {
  BaseObjects: true,
  Eval: true,
  StringNormalize: true,
  RegExp: true,
  JSON: true,
  MapSet: true,
  Promise: true,
  BigInt: true,
} as const

/** Throws only when QuickJS itself is broken; then this module must not be used again. */
export function runInSandbox(quickjs: QuickJSWASMModule, { expression, values }: Task): Result {
  const end = threadMs() + PROCESSOR_MILLISECONDS_MAX
  let isLate = false
  const runtime = quickjs.newRuntime({
    memoryLimitBytes: MEMORY_MEGABYTES_MAX * 1024 * 1024,
    maxStackSizeBytes: STACK_BYTES_MAX,
    interruptHandler: () => {
      isLate ||= threadMs() > end
      return isLate
    },
  })
  const context = runtime.newContext({ intrinsics: INTRINSICS })
  const result = syntaxFailureOf(context, expression) ?? evaluate(context, expression, values)
  context.dispose()
  runtime.dispose()
  return isLate ? tooLong : result
}

const inParentheses = (expression: string): string => `"use strict";(\n${expression}\n)`
const inBrackets = (expression: string): string => `"use strict";[\n${expression}\n]`
const onItsOwn = (expression: string): string => `"use strict";${expression}`

/**
 * Text in parentheses is one expression, unless it closes them itself: `1); while (true); (1`. Such a text is invalid
 * in brackets, where its first parenthesis closes nothing; so a text that is valid in both is an expression.
 */
function syntaxFailureOf(context: QuickJSContext, expression: string): Failed | undefined {
  const wrapped = compile(context, inParentheses(expression)) ?? compile(context, inBrackets(expression))
  if (wrapped === undefined) return undefined
  const alone = compile(context, onItsOwn(expression))
  if (alone === undefined)
    return failed('syntax', 'This is not one expression: write no statements, its value is the result.')
  if (alone.isExhausted) return tooMuch
  const why = alone.message.endsWith(": ''") ? 'it ends too early' : alone.message
  return failed('syntax', `This is not an expression: ${why}.`)
}

/** The error that code has before it runs, if any. */
function compile(
  context: QuickJSContext,
  code: string,
): { readonly message: string; readonly isExhausted: boolean } | undefined {
  const result = context.evalCode(code, 'expression', { type: 'global', compileOnly: true })
  if (result.error === undefined) {
    result.value.dispose()
    return undefined
  }
  const { name, message } = result.error.consume(error => context.dump(error))
  return { message: String(message), isExhausted: name === 'InternalError' }
}

function evaluate(context: QuickJSContext, expression: string, values: string | null): Result {
  if (values === null) return { kind: 'value', json: 'null' }
  const guest = context.unwrapResult(context.evalCode(GUEST, 'guest', { type: 'global' }))
  const given = [context.newString(values), context.newString(inParentheses(expression))]
  const result = context.callFunction(guest, context.undefined, given)
  for (const handle of [guest, ...given]) handle.dispose()
  // Only errors that cannot be caught get here: running out of time, or of the memory for reporting it.
  if (result.error !== undefined) {
    result.error.dispose()
    return tooMuch
  }
  return toResult(result.value.consume(answer => context.getString(answer)))
}

const EXHAUSTION = /^InternalError: .*(?:out of memory|stack overflow)/

function toResult(answer: string): Result {
  const text = answer.slice(1)
  switch (answer[0]) {
    case VALUE:
      return { kind: 'value', json: text }
    case THROWN:
      return EXHAUSTION.test(text) ? tooMuch : failed('thrown', `The expression failed: ${text}.`)
    case NO_RESULT:
      return EXHAUSTION.test(text) ? tooMuch : failed('result', `The result cannot be used: ${text}.`)
    default:
      throw new Error('the guest answers as guest.ts says')
  }
}
