// No operation escapes: each is refused to nobody (401), strangers (404) and weak roles (403) before its body is read,
// and only then does a bad body count (400). An operation that is added without a place in this test fails it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { operations } from '../../src/api/index.ts'
import type { Operation } from '../../src/http/operation.ts'
import type { PersonName } from '../support/world.ts'
import { pathOf, w, weakPerson } from './scene.ts'

const BAD_BODY = JSON.stringify({
  ...{ title: 1, label: 2, url: 3, displayName: 4, operations: 5, subject: 6, changes: 7, users: 8, body: 9 },
  ...{ status: 10, resolutions: 11, id: 12 },
})

const send = (operation: Operation, as: PersonName | null, headers: Readonly<Record<string, string>> = {}) =>
  w.call(operation.method, pathOf(operation), {
    as,
    headers,
    ...(operation.body === undefined ? {} : { payload: BAD_BODY }),
  })

for (const operation of operations) {
  describe(`${operation.method} ${operation.path}`, () => {
    test('answers 401 without a token, unless it is open to everyone', async () => {
      const { status, body, headers } = await send(operation, null)
      if (operation.may === 'anyone') return assert.ok(status < 400)
      assert.equal(status, 401)
      assert.equal(body.error.code, 401)
      assert.match(headers['www-authenticate'] ?? '', /^Bearer/)
    })

    if (operation.place !== null && operation.absent === undefined) {
      test('answers 404 to a stranger, whatever the body', async () => {
        const { status, body } = await send(operation, 'stranger')
        assert.equal(status, 404, body?.error?.message)
      })
    }

    if (operation.place !== null && operation.absent === 'done') {
      test('tells a stranger nothing and deletes nothing', async () => {
        assert.equal((await send(operation, 'stranger')).status, 204)
        const { status } = await w.call('GET', pathOf(operation))
        assert.equal(status, 200)
      })
    }

    const weak = weakPerson(operation)
    if (weak !== undefined) {
      test(`answers 403 to the role ${weak}, whatever the body`, async () => {
        const { status, body } = await send(operation, weak)
        assert.equal(status, 403, body?.error?.message)
        assert.match(body.error.message, /needs the role/)
      })
    }

    if (operation.body !== undefined && operation.place !== null && operation.place.subject !== 'user') {
      test('names the wrong field to whoever may call it', async () => {
        const { status, body } = await send(operation, 'admin')
        assert.equal(status, 400)
        assert.match(body.error.message, /^body/)
      })
    }

    if (operation.method === 'POST' && operation.place?.subject !== 'user') {
      test('refuses an Idempotency-Key that is none, but only to whoever may call it', async () => {
        const headers = { 'idempotency-key': '' }
        const { status, body } = await send(operation, 'admin', headers)
        assert.equal(status, 400)
        assert.match(body.error.message, /^Idempotency-Key: /)
        if (operation.place !== null) assert.equal((await send(operation, 'stranger', headers)).status, 404)
      })
    }

    if (operation.honours.includes('if-match')) {
      test('refuses an If-Match that cannot be read, but only to whoever may call it', async () => {
        const { status, body } = await send(operation, 'admin', { 'if-match': 'unquoted' })
        assert.equal(status, 400)
        assert.match(body.error.message, /^If-Match: /)
        assert.equal((await send(operation, 'stranger', { 'if-match': 'unquoted' })).status, 404)
      })
    }

    if (operation.place !== null) {
      test('answers 404 for a thing that is not there', async () => {
        const path = operation.path.replaceAll(/\{(\w+)\*?\}/g, 'nowhere')
        const { status } = await w.call(operation.method, path)
        assert.equal(status, operation.absent === 'done' ? 204 : 404)
      })
    }
  })
}

test('a token narrowed to another scope is refused with 403 by every operation that needs one', async () => {
  const { body: token } = await w.call('POST', '/user/tokens', {
    body: { label: 'narrow', scopes: ['organization:ask'] },
  })
  for (const operation of operations) {
    if (operation.scope === 'any') continue
    const { status, body } = await w.call(operation.method, pathOf(operation), { as: token })
    assert.equal(status, 403, `${operation.id}: ${body?.error?.message}`)
  }
})

test('every operation has an id, a path and a method of its own', () => {
  assert.equal(new Set(operations.map(operation => operation.id)).size, operations.length)
  assert.equal(
    new Set(operations.map(operation => `${operation.method} ${operation.path}`)).size,
    operations.length,
  )
})
