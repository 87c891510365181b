// `octavo second-factor-reset`: the way back for somebody who has lost their second factor, whether a server runs or not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startedHome } from '../support/home.ts'
import { run, serve } from '../support/process.ts'
import { isSignedIn, PASSWORD, SETTINGS, setUpApp } from '../support/second-factor.ts'
import { tabAt } from '../support/sessions.ts'

const EMAIL = 'admin@localhost'

test('the only admin locks themselves out → the operator lets them in again, and the organization demands a new factor', async () => {
  const home = await startedHome()
  const env = { OCTAVO_HOME: home }
  const server = await serve(home, { env })
  const reset = (email = EMAIL) => run(['second-factor-reset', email], { env })
  const link = (await run(['password-link', EMAIL], { env })).stdout.trim()
  const tab = tabAt(server.url)
  const path = new URL(link).pathname
  await tab.get(path)
  await tab.post(path, { password: PASSWORD, repeat: PASSWORD })
  await tab.get(SETTINGS)
  await setUpApp(tab)
  const [{ id }] = (await server.call('GET', '/orgs')).body.items
  await server.call('PATCH', `/orgs/${id}`, { body: { secondFactor: true } })

  const done = await reset('Admin@LocalHost')
  assert.deepEqual([done.code, done.stdout], [0, 'The second factor is removed.\n'])
  assert.equal((await tab.get(SETTINGS)).status, 303, 'signed out')
  const again = tabAt(server.url)
  await again.get('/sign-in')
  const landed = await again.post('/sign-in', { email: EMAIL, password: PASSWORD, next: '/w' })
  assert.deepEqual([isSignedIn(again), landed.location], [true, `${SETTINGS}?next=%2Fw`])
  await again.get(SETTINGS)
  assert.equal((await setUpApp(again)).codes.length, 10)
  assert.notEqual((await again.get('/w')).location, landed.location)

  await server.end('SIGTERM')
  assert.equal((await reset()).stdout, 'The second factor is removed.\n')
  assert.equal((await reset()).stdout, 'There was no second factor.\n')
  const refused = await reset('nobody@localhost')
  assert.match(refused.stderr, /^octavo: [^\n]*no user with the address nobody@localhost[^\n]*\n$/)
  assert.deepEqual([refused.code, refused.stdout], [1, ''])
})
