import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '../../base/canonical.ts'
import { checkExpression, EXPRESSION_CHARACTERS_MAX, evaluateExpression } from './evaluate.ts'
import { RESULT_CHARACTERS_MAX } from './guest.ts'

const VALUES = { review: { status: 'approved', by: ['ada', 'bob'] }, count: 2 }

const resultOf = async (expression: string): Promise<Json> => {
  const evaluation = await evaluateExpression(expression, VALUES)
  assert.equal(evaluation.kind, 'value', `${expression}: ${JSON.stringify(evaluation)}`)
  return (evaluation as { value: Json }).value
}

/** `reason: message`. */
const failureOf = async (expression: string): Promise<string> => {
  const evaluation = await evaluateExpression(expression, VALUES)
  assert.equal(evaluation.kind, 'failed', `${expression}: ${JSON.stringify(evaluation)}`)
  const { reason, message } = evaluation as { reason: string; message: string }
  assert.match(message, /^[^\n]{1,200}$/)
  return `${reason}: ${message}`
}

/** All of them fail so; what never ends fails by the limit on a test. */
async function failsSoon(reason: RegExp, expressions: readonly string[]): Promise<void> {
  for (const expression of expressions) assert.match(await failureOf(expression), reason, expression)
  assert.equal(await resultOf('count + 1'), 3, 'the next one is evaluated as if nothing had been')
}

test('an expression is evaluated over the values it is given', async () => {
  assert.equal(await resultOf('review.status === "approved" && review.by.length >= count'), true)
  assert.deepEqual(await resultOf('({ by: review.by.map(name => name.toUpperCase()) })'), {
    by: ['ADA', 'BOB'],
  })
  assert.deepEqual(await resultOf('{ a: [1, undefined], b: undefined }'), { a: [1, null] })
  assert.equal(await resultOf('`$' + '{review.by}` /* said */ // twice'), 'ada,bob')
  assert.equal(await resultOf('undefined'), null)
  assert.equal(await resultOf('/^b/.test(review.by[1]) ? "yes" : "no"'), 'yes')
})

test('values are data, whatever they contain', async () => {
  const values = { x: '"); while (true) {} ("', y: { __proto__: null, constructor: '$x' } }
  const evaluation = await evaluateExpression('x + y.constructor', values)
  assert.deepEqual(evaluation, { kind: 'value', value: '"); while (true) {} ("$x' })
  const poisoned = { x: JSON.parse('{"__proto__": {"isAdmin": true}}') }
  assert.deepEqual(await evaluateExpression('[x.isAdmin, ({}).isAdmin]', poisoned), {
    kind: 'value',
    value: [null, null],
  })
})

test('values are frozen to the last leaf', async () => {
  for (const expression of [
    'count = 3',
    'review.status = "open"',
    'review.by[0] = "eve"',
    'review.by.push("eve")',
    'delete review.by',
    'review.by.reverse()',
  ])
    assert.match(await failureOf(expression), /^thrown: The expression failed: TypeError/, expression)
})

test('whatever is more or less than one expression is refused, and says so', async () => {
  const refused = {
    '1; while(true){}': 'not one expression',
    '})(), (function(){': 'unexpected token',
    '1) + (1': "expecting ';'",
    '1); while (true); (1': "expecting ';'",
    '1], [1': "expecting ';'",
    '...review.by': 'unexpected token',
    'if (count) 1': 'not one expression',
    'return 1': 'return',
    'await review': "expecting ';'",
    'yield 1': 'yield',
    'count +': 'it ends too early',
    '"open': 'unexpected end of string',
    '1 /*': 'unexpected end of comment',
    '// nothing': 'not one expression',
    '010': 'octal',
    '/(/': '',
    '': 'empty',
    ' \n': 'empty',
  }
  for (const [expression, why] of Object.entries(refused)) {
    const failure = await failureOf(expression)
    assert.ok(failure.startsWith('syntax: '), `${expression}: ${failure}`)
    assert.ok(failure.includes(why), `${expression}: ${failure}`)
    const problem = await checkExpression(expression)
    assert.equal(`syntax: ${problem?.message}`, failure)
  }
})

test('an expression is checked without being carried out', async () => {
  for (const expression of ['count > 1', '(() => { while (true); })()', 'unknown()', 'a => a', '{ a: 1 }'])
    assert.equal(await checkExpression(expression), undefined, expression)
})

test('an expression that is too long is not even read', async () => {
  const fits = `1${' '.repeat(EXPRESSION_CHARACTERS_MAX - 1)}`
  assert.equal(await resultOf(fits), 1)
  assert.match(await failureOf(`${fits} `), /^syntax: .* 1025 characters; write at most 1024/)
  assert.match((await checkExpression(`${fits} `))?.message ?? '', /1025/)
})

test('an exception is reported in one line', async () => {
  assert.equal(
    await failureOf('unknown.status'),
    "thrown: The expression failed: ReferenceError: 'unknown' is not defined.",
  )
  assert.equal(await failureOf('(() => { throw "a\\n\\u202eb" })()'), 'thrown: The expression failed: a b.')
  assert.match(await failureOf('(() => { throw new Error("x".repeat(1e5)) })()'), /^thrown: .*xxx$/)
  for (const thrown of ['Symbol()', 'null', '{ get message() { throw 1 } }', '{ toString: null }'])
    assert.match(await failureOf(`(() => { throw ${thrown} })()`), /^thrown: /, thrown)
})

test('nothing outside can be reached, and nothing that differs from call to call', async () => {
  const absent = ['process', 'require', 'fetch', 'setTimeout', 'console', 'performance', 'WebAssembly']
  const changing = ['Date', 'WeakRef', 'FinalizationRegistry', 'SharedArrayBuffer', 'Atomics']
  for (const name of [...absent, ...changing])
    assert.equal(await resultOf(`typeof ${name}`), 'undefined', name)
  assert.equal(await resultOf('typeof Math.random'), 'undefined')
  assert.equal(await resultOf('typeof constructor.constructor("return process")'), 'function')
  assert.match(await failureOf('constructor.constructor("return process")()'), /^thrown: .*'process'/)
  assert.match(await failureOf('import("node:fs")'), /^result: .*promise/)
})

test('nothing is kept from one evaluation to the next', async () => {
  assert.equal(await resultOf('(globalThis.kept = 1, Array.prototype.kept = 1, kept)'), 1)
  assert.deepEqual(await resultOf('[typeof kept, [].kept]'), ['undefined', null])
})

test('an expression that runs too long is terminated, wherever it loops', () =>
  failsSoon(/^time: .* longer than 100 ms/, [
    '(() => { while (true); })()',
    '(() => { try { while (true); } finally { while (true); } })()',
    'eval("while (true);")',
    '({ toJSON() { while (true); } })',
    'String({ toString() { while (true); } })',
    '(() => { throw { get message() { while (true); } } })()',
    '(Object.prototype.toJSON = () => { while (true); }, {})',
    '[...(function* () { while (true) yield* []; })()]',
    '[..."ab".repeat(500)].sort(() => { for (;;); })',
  ]))

test('a regular expression without end is ended', () =>
  failsSoon(/^time: .* longer than 100 ms/, ["/(a+)+$/.test('a'.repeat(40) + 'b')"]))

test('native functions that cannot be interrupted end with their thread', () =>
  failsSoon(/^time: .* longer than 100 ms/, ['Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)']))

test('memory and depth are bounded', () =>
  failsSoon(/^memory: .* more than 16 MB/, [
    "'a'.repeat(1e9)",
    "'a'.padEnd(1e9)",
    '(f => f(f))(f => f(f) + 1)',
    '(f => f(f))(f => [1].map(() => f(f)))',
    '({ toJSON() { return { a: this.toJSON() } } })',
  ]))

test('memory that fills slowly ends with it or with the time', () =>
  failsSoon(/^(?:memory|time): /, [
    'new Array(1e9).fill(0)',
    '(() => { const all = new Set(); for (;;) all.add({}) })()',
  ]))

test('an expression may handle what its memory is not enough for', async () => {
  assert.equal(await resultOf("(() => { try { return 'a'.repeat(1e9) } catch { return 1 } })()"), 1)
})

test('a result has to be JSON, within bounds', async () => {
  for (const [expression, why] of [
    ['() => 1', 'it is a function'],
    ['Symbol()', 'it is a symbol'],
    ['(async () => 1)()', 'it is a promise'],
    ['1n', 'BigInt'],
    ['(a => (a.a = a))({})', 'circular'],
    ['({ toJSON() { throw "no" } })', 'no'],
    [`'x'.repeat(${RESULT_CHARACTERS_MAX - 1})`, '65536 characters'],
    ['(x => { for (let i = 0; i < 65; i++) x = [x]; return x })(1)', '64 levels'],
  ] as const) {
    const failure = await failureOf(expression)
    assert.ok(failure.startsWith('result: '), `${expression}: ${failure}`)
    assert.ok(failure.includes(why), `${expression}: ${failure}`)
  }
  assert.equal(((await resultOf(`'x'.repeat(${RESULT_CHARACTERS_MAX - 2})`)) as string).length, 65534)
})

test('what an expression changes about JSON and strings does not reach its own verdict', async () => {
  const poison =
    'JSON.stringify = () => "=1", String.prototype.slice = Array.prototype[Symbol.iterator] = () => { while (true); }'
  assert.deepEqual(await resultOf(`(${poison}, [count])`), [2])
})

test('concurrent evaluations take turns, and terminating one does not affect the others', async () => {
  const expressions = Array.from({ length: 50 }, (_, index) =>
    index === 20 ? 'Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1)' : `count + ${index}`,
  )
  const evaluations = await Promise.all(expressions.map(expression => evaluateExpression(expression, VALUES)))
  for (const [index, evaluation] of evaluations.entries()) {
    if (index === 20) assert.equal(evaluation.kind === 'failed' && evaluation.reason, 'time')
    else assert.deepEqual(evaluation, { kind: 'value', value: index + 2 })
  }
})

test('more than a thousand that wait are refused until others are done', async () => {
  const all = await Promise.allSettled(Array.from({ length: 1001 }, () => evaluateExpression('1', {})))
  assert.deepEqual(
    all.flatMap(one => (one.status === 'rejected' ? [one.reason.code] : [])),
    ['expressions_busy'],
  )
  assert.equal(await resultOf('1'), 1)
})

test('memory is released: evaluations that fill most of it leave room for the next', async () => {
  for (let index = 0; index < 6; index += 1)
    assert.doesNotMatch(await failureOf('Array.from({ length: 5e4 }, () => ["x"]).map(String)'), /^memory/)
  assert.equal(await resultOf('1'), 1)
})
