import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describe } from './description.ts'
import { DEFAULT_ICON, iconFor } from './icons.ts'

const issue = (title: string) => ({ title, summary: title })
const ISSUES = [
  issue('How do I change the address on my invoice?'),
  issue('The invoice shows the old address of our company'),
  issue('Invoice: wrong address, wrong company, and the printer is on fire since Monday morning'),
  issue('Address on invoice?'),
]

test('a cluster is called by the issue that is most like all of them, in any order', () => {
  const description = describe(ISSUES)
  assert.match(description.label, /invoice/i)
  assert.doesNotMatch(description.label, /fire/)
  assert.equal(description.icon, 'credit-card')
  assert.deepEqual(describe([...ISSUES].reverse()), description)
})

test('a summary does not say one thing twice', () => {
  const { summary } = describe([
    issue('The export fails'),
    issue('The export fails'),
    issue('The export fails!'),
  ])
  assert.equal(summary, 'The export fails.')
})

test('an icon is chosen by the first word that has one', () => {
  assert.equal(iconFor(['passwort', 'rechnung']), 'key')
  assert.equal(iconFor(['密码']), 'key')
  assert.equal(iconFor(['aisle']), DEFAULT_ICON)
  // Of "I cannot log in".
  assert.equal(iconFor(['log', 'password']), 'key')
  assert.equal(iconFor(['logs']), 'chart-line')
})
