import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '../../../test/support/growth.ts'
import {
  ISSUE_BODY_CHARACTERS_MAX,
  ISSUES_MAX,
  issuesOf,
  type Message,
  SUMMARY_CHARACTERS_MAX,
  TITLE_CHARACTERS_MAX,
} from './issues.ts'

const by =
  (role: Message['role']) =>
  (body: string): Message => ({ role, body })
const [user, assistant, member] = [by('user'), by('assistant'), by('team-member')]
const titlesOf = (subject: string | null, ...messages: Message[]) =>
  issuesOf(subject, messages).map(({ title }) => title)

test('an issue is called by its subject, or by the sentence that asks or complains', () => {
  assert.deepEqual(titlesOf('Re: AW: [#12] SSO login fails', user('Since today.')), ['SSO login fails'])
  assert.deepEqual(titlesOf('Help', user('We like it. But how do I export a page? It is long.')), [
    'But how do I export a page?',
  ])
  assert.deepEqual(titlesOf(null, user('We upgraded. The export ends with error 500. We wait.')), [
    'The export ends with error 500.',
  ])
  assert.deepEqual(titlesOf(null, user('Wir haben umgestellt. Der Export funktioniert nicht mehr.')), [
    'Der Export funktioniert nicht mehr.',
  ])
})

test('messages of support are no issues, and a customer who says nothing has none', () => {
  assert.deepEqual(titlesOf(null, member('Why is the export broken?'), assistant('Error 500.')), [])
  assert.deepEqual(titlesOf(null), [])
  assert.deepEqual(titlesOf(null, user('Thanks!')), [])
  assert.deepEqual(titlesOf('Invoice address', user('')), ['Invoice address'])
})

test('a customer who changes the subject gets another issue, one who continues does not', () => {
  const password = user('How do I reset my password?')
  assert.deepEqual(
    titlesOf(
      null,
      password,
      member('Click on the link.'),
      user('I clicked on it, and nothing happened.'),
      user('That works. Another thing: can I export all pages of a space as PDF documents?'),
    ),
    ['How do I reset my password?', 'Another thing: can I export all pages of a space as PDF documents?'],
  )
  assert.equal(titlesOf(null, password, user('The password is still not reset, what now?')).length, 1)
  const list = '1. How do I invite colleagues into teams?\n2. Why is the search index not updated overnight?'
  assert.equal(titlesOf(null, user(list)).length, 2)
})

test('identifying words are removed from issues', () => {
  const [issue] = issuesOf(null, [
    user(
      'Why does ada@lovelace.test, card 4111 1111 1111 1111, see https://desk.test/u/ada?t=1 fail with error 500?',
    ),
  ])
  assert.equal(issue?.title, 'Why does …, card …, see https://desk.test/… fail with error 500?')
  assert.doesNotMatch(JSON.stringify(issue), /ada|4111/)
})

test('issues are bounded, whatever is said', () => {
  const words = Array.from({ length: 4_000 }, (_, at) => `word${at * 7919}`)
  const many = Array.from({ length: 300 }, (_, at) =>
    user(`Why does ${words.slice(at * 8, at * 8 + 8).join(' ')} fail?`),
  )
  const issues = issuesOf('x'.repeat(512), [...many, user(`${words.join(' ')}?`)])
  assert.ok(issues.length > 1 && issues.length <= ISSUES_MAX)
  for (const { title, summary, body } of issues) {
    assert.ok(title.length <= TITLE_CHARACTERS_MAX)
    assert.ok(summary.length <= SUMMARY_CHARACTERS_MAX)
    assert.ok(body.length <= ISSUE_BODY_CHARACTERS_MAX)
  }
})

test('many messages take time in proportion to them', async () => {
  const shape = (length: number) =>
    Array.from({ length: Math.ceil(length / 64) }, (_, at) =>
      user(`Why is number ${at} of ${at * 31} not shown in red?`),
    )
  await assertLinear('messages', messages => issuesOf(null, messages), shape, 64 * 1024)
})
