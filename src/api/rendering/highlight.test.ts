import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type HighlightedCode, isDiagram, type ShownCode } from '../../engines/markdown/html/values.ts'
import { createHighlighter, DEFAULT_LIMITS } from './highlight.ts'

// No test waits so long; a busy machine may take long to load a grammar.
const PATIENT = { ...DEFAULT_LIMITS, pageMs: 60_000, blockMs: 60_000 }
const highlighter = createHighlighter(PATIENT)
after(() => highlighter.close())

function linesOf(shown: ShownCode | undefined): HighlightedCode {
  assert.ok(shown !== undefined && !isDiagram(shown))
  return shown
}

test('coloured lines spell the code exactly, and keywords differ from strings', async () => {
  const code = 'const a = "x" // note\n\n\tfunction f() {}'
  const { codes } = await highlighter.highlight([{ code, language: 'js' }])
  const lines = linesOf(codes[0])
  assert.equal(lines.map(line => line.map(([text]) => text).join('')).join('\n'), code)
  const kinds = new Map(lines.flat().map(([text, kind]) => [text.trim(), kind]))
  assert.equal(kinds.get('const'), 'keyword')
  assert.equal(kinds.get('"x"'), 'string')
  assert.equal(kinds.get('// note'), 'comment')
})

test('unknown languages, no language and code over the bound stay plain', async () => {
  const blocks = [
    { code: 'x', language: 'no-such-language' },
    { code: 'x', language: '__proto__' },
    { code: 'x', language: '' },
    { code: 'x'.repeat(DEFAULT_LIMITS.codeLengthMax + 1), language: 'js' },
  ]
  assert.deepEqual(await highlighter.highlight(blocks), {
    codes: [undefined, undefined, undefined, undefined],
    isComplete: true,
  })
})

test('code that finds no place among what waits is coloured for the next reader', async () => {
  const full = createHighlighter({ ...PATIENT, queueMax: 1 })
  const blocks = ['let a', 'let b', 'let c'].map(code => ({ code, language: 'js' }))
  const { codes, isComplete } = await full.highlight(blocks)
  assert.ok(codes.includes(undefined))
  assert.equal(isComplete, false)
  for (const block of blocks) await full.highlight([block])
  const next = await full.highlight(blocks)
  assert.ok(!next.codes.includes(undefined))
  assert.equal(next.isComplete, true)
  await full.close()
})

test('a line of 90,000 characters does not hold the page', async () => {
  const { codes } = await highlighter.highlight([{ code: `x = "${'a"b'.repeat(30_000)}"`, language: 'js' }])
  assert.equal(linesOf(codes[0])[0]?.[0]?.[1], 'plain')
})

test('a page waits no longer than its bound and is then shown plain', async () => {
  const impatient = createHighlighter({ ...DEFAULT_LIMITS, pageMs: 0 })
  assert.deepEqual(await impatient.highlight([{ code: 'let a', language: 'js' }]), {
    codes: [undefined],
    isComplete: false,
  })
  await impatient.close()
})

test('code that holds its thread for too long is tried twice, then stays plain; the code after it is coloured', async () => {
  const strict = createHighlighter({ ...DEFAULT_LIMITS, pageMs: 20_000, blockMs: 1_000 })
  // Some 4 s of work: one word of 1,990 letters a line costs the grammar 80 ms each.
  const heavy = `${'x'.repeat(1_990)}\n`.repeat(50)
  const blocks = [
    { code: heavy, language: 'ts' },
    { code: '{"a": 1}', language: 'json' },
  ]
  for (const isTriedAgain of [true, false]) {
    const {
      codes: [stuck, next],
      isComplete,
    } = await strict.highlight(blocks)
    assert.equal(stuck, undefined)
    assert.ok(next !== undefined)
    assert.equal(isComplete, !isTriedAgain)
  }
  assert.equal(strict.counts().highlighting.beyondTime, 2)
  await strict.highlight(blocks)
  assert.equal(strict.counts().highlighting.beyondTime, 2)
  await strict.close()
})

test('closing leaves what waits plain for this time, and a later call starts another thread', async () => {
  const closed = createHighlighter(PATIENT)
  const blocks = [{ code: 'let a', language: 'js' }]
  const waiting = closed.highlight(blocks)
  await closed.close()
  assert.deepEqual(await waiting, { codes: [undefined], isComplete: false })
  const later = await closed.highlight(blocks)
  assert.ok(later.codes[0] !== undefined && later.isComplete)
  await closed.close()
})

const diagram = (code: string) => ({ code, language: 'mermaid' })

test('a diagram is drawn once, and one that cannot be drawn stays code for good', async () => {
  const own = createHighlighter(PATIENT)
  const blocks = [
    diagram('flowchart TD\n a --> b'),
    diagram('gitGraph\n commit'),
    diagram('flowchart TD\n a -'),
  ]
  for (let times = 0; times < 2; times += 1) {
    const { codes, isComplete } = await own.highlight(blocks)
    const [drawn, ...others] = codes
    assert.ok(drawn !== undefined && isDiagram(drawn))
    assert.deepEqual([others, isComplete], [[undefined, undefined], true])
  }
  assert.deepEqual([own.counts().drawing.done, own.counts().highlighting.threads], [3, 0])
  await own.close()
})

test('a diagram that takes too long costs its thread alone: it is tried twice, and code beside it is coloured', async () => {
  const strict = createHighlighter({ ...DEFAULT_LIMITS, pageMs: 60_000, diagramMs: 50 })
  // More than a second of work: arrows across a hundred rows.
  const things = Array.from({ length: 150 }, (_, at) => `a${at}`)
  const across = things.slice(0, 75).map((thing, at) => `${thing} --> ${things.at(-1 - at)}`)
  const blocks = [
    diagram(`flowchart TD\n${[things.join(' --> '), ...across].join('\n')}`),
    { code: '{"a": 1}', language: 'json' },
  ]
  for (const isTriedAgain of [true, false]) {
    const { codes, isComplete } = await strict.highlight(blocks)
    assert.equal(codes[0], undefined)
    assert.ok(codes[1] !== undefined)
    assert.equal(isComplete, !isTriedAgain)
  }
  assert.equal(strict.counts().drawing.beyondTime, 2)
  await strict.highlight(blocks)
  assert.equal(strict.counts().drawing.beyondTime, 2)
  await strict.close()
})
