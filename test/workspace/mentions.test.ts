import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mentionAt, readMentions, writeMentions } from '../../src/web/parts/thread/mentions.ts'

const mentioned = new Map([
  ['Ada', 'u1'],
  ['Ada Lovelace', 'u2'],
  ['B [x]', 'u3'],
])

test('a mention → a link to the person in Markdown, and a name again when it is edited', () => {
  const text = 'Ask @Ada Lovelace, (@Ada) and @B [x]. Not @Adam, ada@Ada.example.'
  const markdown = writeMentions(text, mentioned)
  assert.equal(
    markdown,
    'Ask [@Ada Lovelace](/users/u2), ([@Ada](/users/u1)) and [@B \\[x\\]](/users/u3). Not @Adam, ada@Ada.example.',
  )
  const read = readMentions(markdown)
  assert.equal(read.text, text)
  assert.equal(writeMentions(read.text, read.mentioned), markdown)
})

test('two people of one name → the second stays a link that says who it is', () => {
  const markdown = '[@Ada](/users/u1) and [@Ada](/users/u9)'
  const read = readMentions(markdown)
  assert.equal(read.text, '@Ada and [@Ada](/users/u9)')
  assert.equal(writeMentions(read.text, read.mentioned), markdown)
})

test('what is written after an @ → asks for people; an address of email, a link and another line do not', () => {
  assert.deepEqual(mentionAt('hi @ad', 6), { start: 3, query: 'ad' })
  assert.deepEqual(mentionAt('@', 1), { start: 0, query: '' })
  for (const text of ['ada@ex', '@ ada', 'hi', '@ada\nnow', '[@Ada](/users/u1) '])
    assert.equal(mentionAt(text, text.length), undefined, text)
})
