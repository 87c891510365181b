// The pages of the password speak the language of the browser, and mails that of the person.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../../../test/support/web-bundle.ts'
import { cookieOf } from '../../../test/support/sessions.ts'
import { world } from '../../../test/support/world.ts'
import { invitationJobs } from '../../api/invitations/jobs.ts'
import { createPasswordLink } from '../../api/sessions/password-links.ts'
import { sendPasswordReset } from '../../api/sessions/password-reset.ts'
import type { Message } from '../../platform/mail.ts'

const w = await world()

const show = async (url: string, language: string, cookie = '') => {
  const { payload, headers } = await w.app.inject({ url, headers: { 'accept-language': language, cookie } })
  assert.match(String(headers.vary), /Accept-Language/)
  return payload.slice(payload.indexOf('<main'))
}

test('the pages of a link, of a forgotten password and of the account are German where the browser prefers it', async () => {
  const { edit, create } = w.people
  const link = await w.services.transaction(trx => createPasswordLink(trx, edit.id, { isMailed: true }))
  const cookie = await cookieOf(w, 'create')
  assert.ok(create.id)
  for (const [url, german, english] of [
    [link, /<h1>Passwort wählen<\/h1>.*Passwort wiederholen/s, /<h1>Choose a password<\/h1>/],
    [
      `/password/${'x'.repeat(43)}`,
      /Dieser Link funktioniert nicht.*Alle Spaces/s,
      /This link does not work.*All spaces/s,
    ],
    ['/password', /Passwort vergessen\?/, /Forgot your password\?/],
    ['/account/password', /<h1>Ihr Passwort<\/h1>.*Sie haben kein Passwort/s, /<h1>Your password<\/h1>/],
  ] as const) {
    const shown = await show(url, 'de-AT, en;q=0.5', cookie)
    assert.match(shown, german, url)
    assert.match(shown, /^<main [^>]*lang="de"/, url)
    assert.match(await show(url, 'fr, en;q=0.5', cookie), english, url)
  }
})

const inLanguage = (userId: string, language: 'de' | 'en') =>
  w.services.db.insertInto('mail_languages').values({ user_id: userId, language }).execute()

test('a mail with a link to choose a password is in the language of the person, with the link or why there is none', async () => {
  const sent: Message[] = []
  const mail = { ...w.services.mail, send: async (message: Message) => void sent.push(message) }
  const ask = async (user: string) => {
    await sendPasswordReset({ ...w.services, mail }, { user, by: user, address: null, requestId: null })
    return sent.at(-1)
  }
  const { read, comment } = w.people
  await inLanguage(read.id, 'de')
  const german = await ask(read.id)
  assert.equal(german?.subject, 'Passwort wählen')
  assert.match(german.text, /http:\/\/octavo\.test\/password\/[\w-]{43}\n\nDer Link gilt einmal, /)
  assert.equal((await ask(comment.id))?.subject, 'Choose a password')
  await w.services.db.updateTable('members').set({ disabled: true }).where('user_id', '=', read.id).execute()
  assert.match((await ask(read.id))?.text ?? '', /Mitgliedschaft deaktiviert/)
})

test('an invitation is in the language of the invited person, else in that of who invited them', async () => {
  const sent: Message[] = []
  const mail = { ...w.services.mail, send: async (message: Message) => void sent.push(message) }
  const [job] = invitationJobs({ ...w.services, mail })
  const invite = async (user: string) => {
    const payload = { organization: w.organizationId, user, inviter: w.people.admin.id }
    await job?.run(payload as never, undefined as never)
    return sent.at(-1)
  }
  const { guest, review, admin } = w.people
  assert.match((await invite(guest.id))?.subject ?? '', /invited you to/)
  await inLanguage(admin.id, 'de')
  const german = await invite(guest.id)
  assert.match(german?.subject ?? '', /lädt Sie zu A world ein$/)
  assert.match(german?.text ?? '', /Wählen Sie ein Passwort, um sich anzumelden:\n\nhttp/)
  await inLanguage(review.id, 'en')
  assert.match((await invite(review.id))?.subject ?? '', /invited you to/)
})
