import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LABEL_CHARACTERS_MAX } from './description.ts'
import { SUMMARY_CHARACTERS_MAX } from './issues.ts'
import { readDescription, toDescriptionText } from './written-description.ts'

test('a description is read from the requested JSON, even with text around it', () => {
  const description = { label: 'Invoice address', summary: 'Customers want another address.' }
  const json = JSON.stringify(description)
  assert.deepEqual(readDescription(json), description)
  assert.deepEqual(readDescription(`Here it is:\n\`\`\`json\n${json}\n\`\`\`\n`), description)
})

test('an invalid description is not accepted', () => {
  for (const written of ['', 'null', '{', '{}', '[1]', 'Invoices', '{"label": "", "summary": "x"}'])
    assert.equal(readDescription(written), undefined, written)
  assert.equal(readDescription('{"label": 1, "summary": ["x"]}'), undefined)
  assert.equal(readDescription('{"label": " \\n ", "summary": "x"}'), undefined)
})

test('a description is one line of bounded length, without addresses and long numbers', () => {
  const long = 'word '.repeat(1_000)
  const description = readDescription(JSON.stringify({ label: `a\n\u0007${long}`, summary: long }))
  assert.ok(description && description.label.length <= LABEL_CHARACTERS_MAX)
  assert.ok(description.summary.length <= SUMMARY_CHARACTERS_MAX)
  assert.match(description.label, /^a word/)
  const read = readDescription(
    JSON.stringify({
      label: 'Mails to jo@desk.example',
      summary: 'Call +49 170 1234567 at https://x.example/u/7.',
    }),
  )
  assert.doesNotMatch(JSON.stringify(read), /jo@|1234567|\/u\//)
})

test('the model is given at most 20 issues, each between marks', () => {
  const issues = Array.from({ length: 30 }, (_, at) => ({ title: `Title ${at}`, summary: `Summary ${at}` }))
  const text = toDescriptionText(issues, 'issue-x')
  assert.equal(text.match(/<issue-x>/g)?.length, 20)
  assert.match(text, /^<issue-x>\nTitle 0\nSummary 0\n<\/issue-x>\n/)
})
