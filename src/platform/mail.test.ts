import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startSmtpServer } from '../../test/support/smtp-server.ts'
import { Failure } from '../base/errors.ts'
import type { MailConfig } from './config.ts'
import { createMail, SUBJECT_CHARACTERS_MAX } from './mail.ts'

const server = await startSmtpServer()
after(() => server.close())

const config: MailConfig = {
  host: '127.0.0.1',
  port: server.port,
  isSecure: false,
  from: 'Octavo <octavo@docs.test>',
}
const message = { to: 'ada@people.test', subject: 'Hello', text: 'Words.\n' }
const failureOf = async (sending: Promise<void>): Promise<Failure> => {
  const failure = await sending.then(
    () => undefined,
    error => error,
  )
  assert.ok(failure instanceof Failure)
  return failure
}

test('a message arrives as plain text, from whom the operator says, to its one address', async () => {
  const mail = createMail(config)
  assert.ok(mail.isConfigured)
  await mail.send({ to: 'ada@people.test', subject: 'Grüße an Ada', text: 'Eins – zwei.\n.\nEnde.\n' })
  const taken = server.taken.at(-1)
  assert.deepEqual([taken?.from, taken?.to], ['octavo@docs.test', ['ada@people.test']])
  assert.equal(taken?.headers.from, 'Octavo <octavo@docs.test>')
  assert.equal(taken?.headers.to, 'ada@people.test')
  assert.equal(taken?.headers.subject, 'Grüße an Ada')
  assert.match(taken?.headers['content-type'] ?? '', /^text\/plain/)
  assert.equal(taken?.headers['auto-submitted'], 'auto-generated')
  assert.equal(taken?.text.trimEnd(), 'Eins – zwei.\n.\nEnde.')
})

test('no text begins a header, another recipient or another message', async () => {
  const mail = createMail(config)
  const before = server.taken.length
  await mail
    .send({
      to: 'ada@people.test\r\nRCPT TO:<eve@evil.test>',
      subject: 'Hello\r\nBcc: eve@evil.test\r\n\r\n<b>Buy</b>\u2028X-Evil: 1',
      text: 'Words.\r\n.\r\nMAIL FROM:<eve@evil.test>\r\nRCPT TO:<eve@evil.test>\r\n',
    })
    .catch(() => {})
  await mail.send({ ...message, subject: 'Hello\r\nBcc: eve@evil.test', to: 'ada@people.test' })
  await mail.send({ ...message, to: 'ada@people.test, eve@evil.test' }).catch(() => {})
  for (const { to, headers } of server.taken.slice(before)) {
    assert.ok(!to.includes('eve@evil.test'))
    for (const name of ['bcc', 'cc', 'x-evil']) assert.equal(headers[name], undefined)
  }
  assert.equal(server.taken.slice(before).find(one => one.headers.subject?.includes('Bcc'))?.to.length, 1)
  assert.ok(!server.lines.some(line => /^(RCPT TO|MAIL FROM):<eve@/.test(line)))
})

test('a subject has a bound', async () => {
  await createMail(config).send({ ...message, subject: 'x'.repeat(10_000) })
  assert.equal(server.taken.at(-1)?.headers.subject?.length, SUBJECT_CHARACTERS_MAX)
})

test('user and password are sent to the server where there are any', async () => {
  const credentials = { user: 'octavo', password: 'p:w' }
  await createMail({ ...config, credentials }).send(message)
  assert.equal(server.login, 'octavo:p:w')
})

test('a password never goes over an open line to another machine', async () => {
  const seen = server.lines.length
  const credentials = { user: 'octavo', password: 'secret' }
  // this machine, not written as such
  const mail = createMail({ ...config, host: '0.0.0.0', credentials })
  assert.equal((await failureOf(mail.send(message))).kind, 'unavailable')
  assert.ok(!server.lines.slice(seen).some(line => line.startsWith('AUTH')))
})

test('a server that is away, slow to like us or full is asked again later', async () => {
  const mail = createMail(config)
  for (const [command, answer] of [
    ['greeting', '421 Too busy'],
    ['greeting', 'drop'],
    ['mail', '451 Later'],
    ['rcpt', '452 Full'],
    ['message', '451 Later'],
  ] as const) {
    server.answerNext(command, answer)
    assert.equal((await failureOf(mail.send(message))).code, 'mail_unavailable', answer)
  }
  assert.equal((await failureOf(createMail({ ...config, port: 1 }).send(message))).kind, 'unavailable')
})

test('a message that the server will never take is given up', async () => {
  const mail = createMail(config)
  for (const [command, answer] of [
    ['rcpt', '550 No such person'],
    ['message', '554 Not such words'],
  ] as const) {
    server.answerNext(command, answer)
    const failure = await failureOf(mail.send(message))
    assert.deepEqual([failure.kind, failure.code], ['invalid', 'mail_refused'], answer)
  }
})

test('wrong credentials are the operator’s to mend, and no reason to lose a message', async () => {
  server.answerNext('auth', '535 Wrong')
  const mail = createMail({ ...config, credentials: { user: 'octavo', password: 'old' } })
  assert.equal((await failureOf(mail.send(message))).kind, 'unavailable')
})

test('without a mail server nothing is sent, and callers can tell beforehand', async () => {
  const mail = createMail(undefined)
  assert.equal(mail.isConfigured, false)
  assert.equal((await failureOf(mail.send(message))).code, 'mail_not_configured')
})
