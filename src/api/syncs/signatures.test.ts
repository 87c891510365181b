import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { isProven } from './signatures.ts'

const SECRET = 'a secret of a hook'
const BODY = Buffer.from('{"ref":"refs/heads/main"}')

async function* inPieces(bytes = BODY) {
  for (const byte of bytes) yield Buffer.from([byte])
}

test('each Git host authenticates in its own way, and nothing else is accepted', async () => {
  const signature = createHmac('sha256', SECRET).update(BODY).digest('hex')
  for (const [headers, expected] of [
    [{ 'x-hub-signature-256': `sha256=${signature}` }, true],
    [{ 'x-gitea-signature': signature }, true],
    [{ 'x-forgejo-signature': signature.toUpperCase() }, true],
    [{ 'x-gitlab-token': SECRET }, true],
    [{ 'x-gitlab-token': '' }, false],
    [{ 'x-gitlab-token': `${SECRET} ` }, false],
    [{ 'x-hub-signature-256': `sha1=${signature}` }, false],
    [{ 'x-hub-signature-256': '' }, false],
    [{ 'x-gitea-signature': createHmac('sha256', 'another').update(BODY).digest('hex') }, false],
    [{ authorization: `Bearer ${SECRET}` }, false],
    [{}, false],
  ] as const)
    assert.equal(await isProven(headers, inPieces(), SECRET), expected, JSON.stringify(headers))
  const changed = Buffer.from(`${BODY} `)
  assert.equal(await isProven({ 'x-gitea-signature': signature }, inPieces(changed), SECRET), false)
})
