// What people are told by email about their second factor.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  addPasskey,
  atStep,
  SETTINGS,
  SITE,
  STEP,
  setUpApp,
  signedInTab,
} from '../../../test/support/second-factor.ts'
import { startSmtpServer } from '../../../test/support/smtp-server.ts'
import { type PersonName, world } from '../../../test/support/world.ts'
import { FACTOR_MAIL_TEXTS } from './factor-mail-texts.ts'
import { TRIES_MAX } from './lockout.ts'

const smtp = await startSmtpServer()
after(() => smtp.close())
const w = await world({
  OCTAVO_PUBLIC_URL: SITE,
  OCTAVO_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
  OCTAVO_MAIL_FROM: 'Octavo <octavo@docs.test>',
})

/** What was sent to somebody, once nothing waits to be sent. */
async function mailsTo(person: PersonName) {
  for (let time = 0; time < 1000; time += 1) {
    const waiting = await w.services.db
      .selectFrom('jobs')
      .select('id')
      .where('name', '=', 'sessions.factorMail')
      .execute()
    if (waiting.length === 0) return smtp.taken.filter(({ to }) => to.includes(w.people[person].email))
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  return assert.fail('emails wait in the queue')
}

/** Everything that somebody is told of, one after the other. */
async function doAll(person: PersonName): Promise<void> {
  const tab = await signedInTab(w, person)
  const { codes } = await setUpApp(tab)
  await addPasskey(w, tab, person)
  const passkey = /name="passkey" value="([^"]+)"/.exec((await tab.get(SETTINGS)).text)?.[1] ?? ''
  await tab.post(SETTINGS, { act: 'remove-passkey', passkey })
  const step = await atStep(w, person)
  await step.post(STEP, { kind: 'recovery_code', code: codes[0] ?? '', next: '/' })
  await tab.get(SETTINGS)
  await tab.post(SETTINGS, { act: 'renew-codes' })
  await tab.post(SETTINGS, { act: 'remove-app' })
  await setUpApp(tab)
  const stranger = await atStep(w, person)
  for (let tries = 0; tries < TRIES_MAX; tries += 1)
    await stranger.post(STEP, { kind: 'totp', code: '000000', next: '/' })
  const { id } = w.people[person]
  await w.call('DELETE', `/orgs/${w.organizationId}/members/${id}/second-factor`)
}

const ORDER = [
  ...['totp_added', 'passkey_added', 'passkey_removed', 'code_used', 'codes_renewed'],
  ...['totp_removed', 'totp_added', 'locked', 'reset'],
] as const

test('each change, a recovery code that is used and codes that are locked → one mail, with the page that shows it', async () => {
  await doAll('edit')
  const mails = await mailsTo('edit')
  const told = ORDER.map(change => FACTOR_MAIL_TEXTS.en.changes[change as 'reset'])
  assert.deepEqual(mails.map(({ text }) => text.split('\n', 1)[0]?.trim()).sort(), told.sort())
  for (const { headers, text } of mails) {
    assert.equal(headers.subject, 'Two-step sign-in')
    assert.match(text, /http:\/\/localhost\/account\/second-factor/)
    assert.match(text, /If this was not you/)
  }
})

test('who has German mail → the same in German, also of what others do', async () => {
  await w.call('PATCH', '/user/notification-settings', { as: 'review', body: { language: 'de' } })
  await doAll('review')
  const mails = await mailsTo('review')
  const told = ORDER.map(change => FACTOR_MAIL_TEXTS.de.changes[change as 'reset'])
  assert.deepEqual(mails.map(({ text }) => text.split('\n', 1)[0]?.trim()).sort(), told.sort())
  for (const { headers, text } of mails) {
    assert.equal(headers.subject, 'Anmeldung in zwei Schritten')
    assert.match(text, /Wenn Sie das nicht waren/)
  }
})
