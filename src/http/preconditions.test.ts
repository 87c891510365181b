import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { assertLinear } from '../../test/support/growth.ts'
import { world } from '../../test/support/world.ts'
import { newId } from '../base/ids.ts'
import { buildApp } from './app.ts'
import { callerOperation } from './operation.ts'
import { parsePreconditions, requireHead, requireUnchanged } from './preconditions.ts'
import { minimal } from './replies.ts'

const ifMatch = (header: string) => parsePreconditions(['if-match'], { 'if-match': header }).ifMatch
const prefersMinimal = (header: string) =>
  parsePreconditions(['return=minimal'], { prefer: header }).prefersMinimal

test('If-Match is read as RFC 9110 writes it, strong and weak, without its quotes', () => {
  for (const [header, tags] of [
    ['"a"', ['a']],
    ['W/"a"', ['a']],
    ['"a", W/"b" ,"c"', ['a', 'b', 'c']],
    ['"a,b"', ['a,b']],
    [', "a",, "b",', ['a', 'b']],
    ['""', ['']],
    [' * ', ['*']],
    ['"*"', ['*']],
  ] as const)
    assert.deepEqual(ifMatch(header), tags, header)
})

test('an If-Match that cannot be read is refused with how to write it', () => {
  for (const header of [
    '',
    ' ',
    ',',
    'a',
    '"a',
    'a"',
    '"a" "b"',
    'w/"a"',
    'W/a',
    '*, "a"',
    '"a"b"',
    '"\u0001"',
  ])
    assert.throws(
      () => ifMatch(header),
      { kind: 'invalid', message: /^If-Match: write a revision in/ },
      header,
    )
})

test('a header of any length is read in proportion to it', async () => {
  for (const part of ['"', ' ', ',', 'W/', '"a"', '"a",', ' ,', 'W/"'])
    await assertLinear(part, ifMatch, length => part.repeat(length / part.length), 1_000_000)
})

test('Prefer is read as RFC 7240 writes it, and what is unknown is nothing', () => {
  for (const header of [
    'return=minimal',
    'Return="minimal"',
    'respond-async, return = minimal; foo="x"',
    'return=minimal, return=representation',
  ])
    assert.equal(prefersMinimal(header), true, header)
  for (const header of [
    '',
    'return=representation',
    'return',
    'minimal',
    'return=minimal2',
    '=;,',
    'x="return=minimal',
  ])
    assert.equal(prefersMinimal(header), false, header)
  assert.equal(prefersMinimal('return=representation, return=minimal'), false)
})

test('headers that an operation does not support are not even read', () => {
  const headers = { 'if-match': 'nonsense', prefer: 'return=minimal' }
  assert.deepEqual(parsePreconditions([], headers), { ifMatch: null, prefersMinimal: false })
})

test('the refusal for a head that moved names the current one', () => {
  requireHead({ ifMatch: null }, 'r2')
  requireHead({ ifMatch: ['*'] }, 'r2')
  requireHead({ ifMatch: ['r1', 'r2'] }, 'r2')
  assert.throws(() => requireHead({ ifMatch: ['r1'] }, 'r2'), {
    kind: 'precondition',
    code: 'head_moved',
    message: /at the revision r2 now.*If-Match: "r2"/,
  })
})

test('the refusal for what was changed meanwhile names when', () => {
  const now = new Date('2026-01-02T03:04:05.678Z')
  requireUnchanged({ ifMatch: null }, now)
  requireUnchanged({ ifMatch: ['*'] }, now)
  requireUnchanged({ ifMatch: [now.toISOString()] }, now)
  assert.throws(() => requireUnchanged({ ifMatch: ['2026-01-02T03:04:05.677Z'] }, now), {
    kind: 'precondition',
    code: 'changed_meanwhile',
    message: /If-Match: "2026-01-02T03:04:05.678Z"/,
  })
})

test('an operation is given what it supports, after everything that is decided about its caller', async () => {
  const w = await world()
  const head = newId()
  const operation = callerOperation({
    id: 'test',
    method: 'PUT',
    path: '/test',
    summary: 'A test',
    tag: 'Test',
    scope: 'any',
    supportedHeaders: ['if-match', 'return=minimal'],
    reply: Type.Object({ head: Type.String() }),
    run: async ({ context }) => {
      requireHead(context, head)
      return context.prefersMinimal ? minimal() : { head }
    },
  })
  const app = buildApp([operation], w.services)
  const put = async (headers: Record<string, string>, token = w.people.admin.token) => {
    const answer = await app.inject({
      method: 'PUT',
      url: '/v1/test',
      headers: { authorization: `Bearer ${token}`, ...headers },
    })
    return [answer.statusCode, answer.headers['preference-applied'], answer.body]
  }
  const done = JSON.stringify({ head })
  assert.deepEqual(await put({}), [200, undefined, done])
  assert.deepEqual(await put({ 'if-match': `"${head}"` }), [200, undefined, done])
  assert.deepEqual(await put({ prefer: 'return=minimal' }), [204, 'return=minimal', ''])
  assert.equal((await put({ 'if-match': '"other"' }))[0], 412)
  assert.equal((await put({ 'if-match': 'other' }))[0], 400)
  assert.equal((await put({ 'if-match': 'other' }, 'unknown'))[0], 401)
})
