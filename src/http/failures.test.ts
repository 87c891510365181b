import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toFailure } from '../platform/db/failures.ts'
import { toErrorReply } from './failures.ts'

test('a full disk is 507 and names the disk, wherever it is met: the database, a blob, a spooled file', () => {
  const said = [
    toFailure({ code: '53100', message: 'could not extend file "base/5/1": No space left on device' }),
    Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' }),
    Object.assign(new Error('EDQUOT: disk quota exceeded'), { code: 'EDQUOT', syscall: 'write' }),
  ].map(toErrorReply)
  for (const { status, isBug, body } of said) {
    assert.equal(status, 507)
    assert.ok(!isBug)
    assert.match(body.error.message, /disk of the server is full/)
  }
})
