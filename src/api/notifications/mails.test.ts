import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { allTold, mentionOf, notificationsOf } from '../../../test/support/notifications.ts'
import { startSmtpServer } from '../../../test/support/smtp-server.ts'
import { world } from '../../../test/support/world.ts'
import { mailNotifications } from './mails.ts'

const smtp = await startSmtpServer()
after(() => smtp.close())
const w = await world({
  OCTAVO_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
  OCTAVO_MAIL_FROM: 'Octavo <octavo@docs.test>',
})
const { db } = w.services
const { id: edit, email } = w.people.edit

async function newTalk() {
  await sql`update notifications set to_mail = false`.execute(db)
  const { id: space } = await w.createSpace({ title: 'See https://evil.example' })
  const { body } = await w.call('POST', `/spaces/${space}/change-requests`, {
    as: 'edit',
    body: { subject: 'Better words' },
  })
  const say = (markdown: string) =>
    w.call('POST', `/spaces/${space}/change-requests/${body.id}/comments`, {
      as: 'review',
      body: { body: { markdown } },
    })
  const begin = smtp.taken.length
  const mails = async () => {
    await mailNotifications(w.services, edit)
    return smtp.taken.slice(begin)
  }
  return { space, say, mails }
}

test('a burst → one job of five minutes and one mail, with a link to each place and to the settings', async () => {
  const { space, say, mails } = await newTalk()
  await say('One')
  await say(`Two ${mentionOf(w, 'edit')}`)
  await allTold(w)
  const { rows: jobs } = await sql<{ seconds: number }>`
    select extract(epoch from run_at - now())::integer as seconds from jobs
    where name = 'notifications.mail' and key = ${edit}`.execute(db)
  assert.equal(jobs.length, 1)
  assert.ok((jobs[0]?.seconds ?? 0) > 200 && (jobs[0]?.seconds ?? 0) <= 300)
  const [mail, ...more] = await mails()
  assert.deepEqual(more, [])
  assert.deepEqual([mail?.to, mail?.headers.subject], [[email], '2 notifications'])
  assert.match(
    mail?.text ?? '',
    /wrote a comment: Better words \(See https evil example\)\s+http:\/\/octavo\.test\/w\/s\//,
  )
  assert.match(mail?.text ?? '', new RegExp(`mentioned you: .*\\s+http://octavo.test/w/s/${space}/c/1`))
  assert.match(mail?.text ?? '', /http:\/\/octavo\.test\/w\/me\/notifications/)
  assert.ok(!mail?.text.includes('evil.example'))
  assert.equal((await mails()).length, 1, 'and nothing of it again')
})

test('what was read meanwhile, or may no longer be seen → no mail', async () => {
  const { space, say, mails } = await newTalk()
  await say('One')
  const [one] = await notificationsOf(w, 'edit')
  await w.call('PATCH', `/user/notifications/${one.id}`, { as: 'edit', body: { read: true } })
  assert.equal((await mails()).length, 0)
  await say('Two')
  await allTold(w)
  await w.call('PATCH', `/spaces/${space}/permissions/users/${edit}`, { body: { role: null } })
  assert.equal((await mails()).length, 0)
})

test('a person writes in German, wants no mail of comments, and no mentions in the list → is mailed of mentions alone', async () => {
  const { say, mails } = await newTalk()
  const { body } = await w.call('PATCH', '/user/notification-settings', {
    as: 'edit',
    body: { language: 'de', kinds: { comment: { mail: false }, mention: { app: false } } },
  })
  assert.deepEqual([body.language, body.mail], ['de', true])
  await say('One')
  await say(mentionOf(w, 'edit'))
  await allTold(w)
  const [mail, ...more] = await mails()
  assert.deepEqual(more, [])
  assert.match(mail?.headers.subject ?? '', /hat Sie|=\?UTF-8/)
  assert.match(mail?.text ?? '', /hat Sie erwähnt: Better words/)
  const kinds = (await notificationsOf(w, 'edit', '?unread=true')).map(({ kind }: { kind: string }) => kind)
  assert.ok(kinds.includes('comment'))
})

test('a mail server that fails → the mail is sent by the next attempt', async () => {
  const { say, mails } = await newTalk()
  await say(mentionOf(w, 'edit'))
  await allTold(w)
  smtp.answerNext('rcpt', '451 later')
  await assert.rejects(mails())
  assert.equal((await mails()).length, 1)
})
