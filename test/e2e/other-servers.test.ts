// What is loaded only when the server speaks with another one: the installed program has all of it. What each of them may
// answer is tested beside the code.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startedHome } from '../support/home.ts'
import { identityProvider } from '../support/identity-provider.ts'
import { modelServer } from '../support/model-server.ts'
import { CLIENT, lyingProvider } from '../support/openid-provider.ts'
import { serve } from '../support/process.ts'
import { startReceiver } from '../support/receiver.ts'
import { startSmtpServer } from '../support/smtp-server.ts'

const model = await modelServer()
const smtp = await startSmtpServer()
after(() => smtp.close())
const openId = await lyingProvider({ email: 'admin@localhost', email_verified: true })
const server = await serve(await startedHome(), {
  env: {
    OCTAVO_ALLOW_PRIVATE_HOSTS: '127.0.0.1',
    OCTAVO_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    OCTAVO_MAIL_FROM: 'octavo@docs.test',
    OCTAVO_AI_BASE_URL: model.baseUrl,
    OCTAVO_AI_MODEL: 'a-model',
    OCTAVO_OIDC_ISSUER: openId.issuer,
    OCTAVO_OIDC_CLIENT_ID: CLIENT.clientId,
    OCTAVO_OIDC_CLIENT_SECRET: CLIENT.clientSecret,
  },
})
const { body: organizations } = await server.call('GET', '/orgs')
const organization = `/orgs/${organizations.items[0].id}`
const { body: spaces } = await server.call('GET', `${organization}/spaces`)

test('an event is sent to the receiver of a webhook', async () => {
  const receiver = await startReceiver()
  const { status, body: webhook } = await server.call('POST', `${organization}/webhooks`, {
    body: { url: receiver.url, types: ['space.changed'] },
  })
  assert.equal(status, 201)
  await server.call('PATCH', `/spaces/${spaces.items[0].id}`, { body: { title: 'Handbook' } })
  const [received] = await receiver.has(1)
  assert.equal(received?.body.type, 'space.changed')
  assert.equal(received?.headers['x-octavo-webhook'], webhook.id)
})

test('an invited person is sent a mail', async () => {
  const { status } = await server.call('POST', `${organization}/invites`, {
    body: { emails: ['grace@people.test'], role: 'read' },
  })
  assert.equal(status, 200)
  while (smtp.taken.length === 0) await sleep(20)
  assert.deepEqual(smtp.taken[0]?.to, ['grace@people.test'])
})

test('a question is answered by a language model', async () => {
  await server.call('PATCH', `/spaces/${spaces.items[0].id}`, { body: { searchScope: 'organization' } })
  model.say({ pieces: ['Change requests ', 'are merged [1].'] })
  const { body } = await server.call('POST', `${organization}/ask?details=true`, {
    body: { query: 'How are change requests merged?' },
  })
  assert.match(body.answer.answer.markdown, /^Change requests are merged/)
})

test('a person signs in with SAML', async () => {
  const idp = await identityProvider({ email: 'ada@people.test', name: 'Ada Lovelace' })
  const { status, body: provider } = await server.call('POST', `${organization}/saml`, {
    body: {
      ...{ label: 'Staff', entityID: idp.entityId, ssoURL: idp.ssoUrl, certificate: idp.key.certificate },
      defaultRole: 'read',
    },
  })
  assert.equal(status, 201)
  idp.trust(await (await fetch(provider.service.entityID)).text())
  const start = await fetch(provider.service.startURL, { redirect: 'manual' })
  const form = await (await fetch(start.headers.get('location') ?? '')).text()
  const [, action = ''] = /action="([^"]+)"/.exec(form) ?? []
  const fields = [...form.matchAll(/<input name="([^"]+)" value="([^"]*)">/g)]
  const posted = await fetch(action, {
    method: 'POST',
    body: new URLSearchParams(fields.map(([, name = '', value = '']) => [name, value])),
    redirect: 'manual',
  })
  const finish = await fetch(new URL(posted.headers.get('location') ?? '', server.url), {
    headers: { cookie: cookiesOf(start) },
    redirect: 'manual',
  })
  assert.match(cookiesOf(finish), /octavo_session=[\w-]/, await finish.text())
})

test('a person signs in with OpenID Connect', async () => {
  const start = await fetch(`${server.url}/sso/oidc/start`, { redirect: 'manual' })
  const provider = await fetch(start.headers.get('location') ?? '', { redirect: 'manual' })
  // It leads to the address of the server in tests that start none.
  const { search } = new URL(provider.headers.get('location') ?? '')
  const back = await fetch(`${server.url}/sso/oidc/callback${search}`, {
    headers: { cookie: cookiesOf(start) },
    redirect: 'manual',
  })
  assert.match(cookiesOf(back), /octavo_session=[\w-]/, await back.text())
})

const cookiesOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map(cookie => cookie.split(';')[0])
    .join('; ')
