// Why the server refuses something is said in the language of the person.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FailureKind } from '../../src/base/errors.ts'
import { keysOf } from '../../src/base/objects.ts'
import { statusOf } from '../../src/http/failures.ts'
import { REASONS } from '../../src/http/refusals.ts'
import { skipBrowser as skip } from '../support/browser.ts'
import { proposeFiles } from '../support/change-requests.ts'
import { isNarrow } from '../support/circumstances.ts'
import { spaceWith } from '../support/pages.ts'
import { assertAccessible, openWorkspace } from '../support/workspace.ts'
import { world } from '../support/world.ts'

const w = await world()
await w.services.db
  .updateTable('users')
  .set({ display_name: 'Maya' })
  .where('id', '=', w.people.create.id)
  .execute()

test('rules that prevent a merge and a merge that is refused are told in German, with the words that the space gave a rule', {
  skip,
}, async () => {
  const space = await spaceWith(w, { 'README.md': '# Start\n\nWords.\n' }, { title: 'Handbook' })
  const setRules = (rules: readonly object[]) =>
    w.call('PATCH', `/spaces/${space}`, { body: { mergeRules: { type: 'rules', rules } } })
  await setRules([
    { rule: 'require_specific_reviewers', users: [w.people.create.id] },
    { rule: 'custom', expression: 'false', message: 'Freigabe durch die Redaktion.' },
  ])
  const { body } = await w.call('POST', `/spaces/${space}/change-requests`, {
    as: 'edit',
    body: { subject: 'Say when' },
  })
  await proposeFiles(w, body.id, { 'README.md': '# Start\n\nOther words.\n' }, 'edit')
  const look = { locale: 'de' }
  await openWorkspace(
    w,
    'review',
    `/w/s/${space}/c/${body.number}`,
    async page => {
      const state = page.getByRole('complementary', { name: 'Stand des Change Requests' })
      if (isNarrow) await state.getByRole('button', { expanded: false }).click()
      const rules = state.getByRole('list', { name: 'Merge-Regeln' })
      await rules.getByText(/^Noch nicht zugestimmt: \W*Maya\W*\. Bitte ein Review anfragen\.$/).waitFor()
      await rules.getByText('Freigabe durch die Redaktion. (Es ist false, muss aber true sein.)').waitFor()
      await assertAccessible(page)
      await setRules([])
      await page.reload()
      if (isNarrow) await state.getByRole('button', { expanded: false }).click()
      const merge = state.getByRole('button', { name: 'Mergen', exact: true })
      await merge.waitFor()
      // As if the rule had been made since the page was read.
      await page.route('**/merge', async route => {
        await setRules([{ rule: 'require_at_least_one_review' }])
        await route.fallback()
      })
      await merge.click()
      await page
        .getByText(/^Eine Merge-Regel erlaubt das nicht: Jemand anders als .* muss ein Review geben\./)
        .first()
        .waitFor()
    },
    look,
  )
})

/** All kinds; which of them end in a dialog, or in an error of the server, is told elsewhere. */
const KINDS: Readonly<Record<FailureKind, 'here' | 'elsewhere'>> = {
  invalid: 'here',
  unauthenticated: 'elsewhere',
  forbidden: 'here',
  missing: 'here',
  misdirected: 'here',
  conflict: 'here',
  precondition: 'here',
  too_large: 'here',
  throttled: 'here',
  storage_full: 'elsewhere',
  unavailable: 'elsewhere',
}
const OF_DIALOGS: ReadonlySet<string> = new Set(['session_expired', 'confirm_identity'])
const REFUSALS = [
  ...keysOf(KINDS)
    .filter(kind => KINDS[kind] === 'here')
    .map(kind => ({ code: statusOf(kind) })),
  ...REASONS.filter(reason => !OF_DIALOGS.has(reason)).map(reason => ({
    code: statusOf('conflict'),
    reason,
    ...(reason === 'merge_rule_failed' ? { values: { rule: 'require_at_least_one_review' } } : {}),
  })),
]

test('every reason for which the server refuses something, and every kind without one, is told in German', {
  skip,
}, async () => {
  const space = await spaceWith(w, { 'README.md': '# Start\n' })
  await openWorkspace(
    w,
    'admin',
    `/w/s/${space}`,
    async page => {
      const left = [...REFUSALS]
      await page.route('**/share-links?*', route => {
        const error = left.shift() ?? { code: 400 }
        const body = JSON.stringify({ error: { ...error, message: 'Only in English.' } })
        return route.fulfill({ status: error.code, contentType: 'application/json', body })
      })
      await page.getByRole('button', { name: 'Teilen' }).click()
      const message = page.getByRole('alertdialog')
      for (const refusal of REFUSALS) {
        await page.getByRole('button', { name: 'Links anzeigen' }).click()
        const words = await message.innerText()
        assert.doesNotMatch(words, /English|undefined|refusal\.|state\./, JSON.stringify(refusal))
        await message.getByRole('button').click()
        await message.waitFor({ state: 'detached' })
      }
    },
    { locale: 'de' },
  )
})
