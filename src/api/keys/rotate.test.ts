// What was signed before the key is rotated counts for a while, or ends at once; and other processes know.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newTestDatabase, openBeside, testEngine } from '../../../test/support/database.ts'
import { edit, liveAt } from '../../../test/support/edits.ts'
import { inject } from '../../../test/support/inject.ts'
import { PIXEL, spaceWith } from '../../../test/support/pages.ts'
import { serverOn } from '../../../test/support/server.ts'
import { givePassword } from '../../../test/support/sessions.ts'
import { inSeconds, shareLinkOf, signToken, visitorKeyOf } from '../../../test/support/visitors.ts'
import { worldOn } from '../../../test/support/world.ts'
import { openSecrets, sealSecrets } from '../../access/sealed-secrets.ts'
import { onlyKey } from '../../platform/keys/signing-keys.ts'
import { encodeDevice, findDevice } from '../sessions/devices.ts'
import { removeAllCodes, renewCodes, spendCode } from '../sessions/recovery-codes.ts'
import { findPassword } from '../sessions/rows.ts'
import { finishRotations, replaceKeys, rotateKeys } from './rotate.ts'

const database = await newTestDatabase()
const server = await serverOn(database)
const w = await worldOn(server)
after(async () => {
  await server.close()
  await database.close()
})

await givePassword(w, w.people.read.id, 'eleven parcels by noon')
const passwordHash = (await findPassword(w.services.db, w.people.read.id))?.hash ?? ''

const get = (url: string, app = server.app) =>
  inject(app, { method: 'GET', url: url.replace('http://octavo.test', '') })
const statusOf = async (url: string, app = server.app) => (await get(url, app)).statusCode

/** Something of everything that the key signs, in a space of its own. */
async function signed() {
  const space = await w.createSpace({ visibility: 'share-link' })
  await edit(w, liveAt(space.id), {
    operation: 'insert_files',
    files: [{ name: 'dot.txt', base64: 'Lg==', contentType: 'text/plain' }],
  })
  const guarded = await w.createSpace({ visibility: 'visitor-auth' })
  const link = await shareLinkOf(w, space.id)
  const filePath = `/spaces/${space.id}/content/files`
  const fileUrl = async (): Promise<string> => (await w.call('GET', filePath)).body.items[0].downloadURL
  const key = await visitorKeyOf(w, guarded.id)
  const device = encodeDevice(w.services, w.people.read.email, passwordHash)
  const file = await fileUrl()
  return {
    ...{ space, guarded, link, file, fileUrl, key, device },
    shareUrl: `/v1/spaces/${space.id}/content?shareKey=${link.key}`,
    visit: async (by: string): Promise<number> => {
      const authorization = `Bearer ${signToken(by, { exp: inSeconds(3600) })}`
      const url = `/v1/spaces/${guarded.id}/content`
      return (await inject(server.app, { method: 'GET', url, headers: { authorization } })).statusCode
    },
  }
}

const webhook = async () => {
  const { body } = await w.call('POST', `/orgs/${w.organizationId}/webhooks`, {
    body: { url: 'https://receiver.test/hook', types: ['space.created'] },
  })
  const row = () =>
    w.services.db.selectFrom('webhooks').select('secret').where('id', '=', body.id).executeTakeFirstOrThrow()
  return { secret: body.secret as string, row }
}

const newCode = async (who: 'read' | 'admin'): Promise<string> => {
  const [code = ''] = await w.services.transaction(trx =>
    renewCodes(trx, w.services.signingKey, w.people[who].id),
  )
  return code
}
const isSpent = (who: 'read' | 'admin', code: string) =>
  w.services.transaction(trx => spendCode(trx, w.services.signingKey, w.people[who].id, code))

/** Retires every key but the one that signs, so many hours ago. */
const retireSince = (hours: number) =>
  w.services.transaction(trx =>
    trx
      .updateTable('signing_keys')
      .set({ retires_at: new Date(Date.now() - hours * 3_600_000) })
      .where('retires_at', 'is not', null)
      .execute(),
  )
const keyIds = async (): Promise<string[]> =>
  (await w.services.db.selectFrom('signing_keys').select('id').execute()).map(({ id }) => id)

const keysKnown = () => w.services.signingKey.accepted.length

/** The announcement is heard at once, and the keys are read a moment later. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(resolve => setImmediate(resolve))
}

test('what was signed before a rotation counts until the overlap ends, and what is made after it is new', async () => {
  const before = await signed()
  const hook = await webhook()
  const id = w.services.signingKey.id
  const code = await newCode('read')
  const { resealed } = await rotateKeys(w.services, 30)
  assert.ok(resealed >= 1)
  await until(() => w.services.signingKey.id !== id)
  assert.equal(keysKnown(), 2)
  assert.ok(await isSpent('read', code))
  for (const url of [before.file, before.shareUrl]) assert.equal(await statusOf(url), 200, url)
  assert.equal(await before.visit(before.key), 200)
  assert.notEqual(await findDevice(w.services, w.people.read.email, before.device), undefined)
  const file = await before.fileUrl()
  assert.notEqual(file, before.file, 'kept answers are made again')
  const key = await visitorKeyOf(w, before.guarded.id)
  assert.notEqual(key, before.key)
  assert.equal(await statusOf(file), 200)
  assert.equal(await before.visit(key), 200)
  const { secret } = openSecrets(onlyKey(w.services.signingKey.current), (await hook.row()).secret)
  assert.equal(secret, hook.secret, 'the new key alone opens it')
})

test('a rotation for a compromise ends all that every earlier key signed, at once, and keeps the secrets', async () => {
  const before = await signed()
  const hook = await webhook()
  await rotateKeys(w.services, 30)
  await until(() => keysKnown() >= 2)
  const between = await signed()
  const id = w.services.signingKey.id
  const codes = [await newCode('read'), await newCode('admin')]
  assert.ok((await replaceKeys(w.services)).codes >= codes.length)
  await until(() => w.services.signingKey.id !== id)
  assert.equal(keysKnown(), 1)
  for (const { file, shareUrl, visit, key, device } of [before, between]) {
    for (const url of [file, shareUrl]) assert.ok((await statusOf(url)) >= 401, url)
    assert.ok((await visit(key)) >= 401)
    assert.equal(await findDevice(w.services, w.people.read.email, device), undefined)
  }
  const file = await before.fileUrl()
  assert.equal(await statusOf(file), 200)
  const { body: links } = await w.call('GET', `/spaces/${before.space.id}/share-links`)
  const shareKey = new URL(links.items[0].urls.published).searchParams.get('shareKey')
  assert.equal(await statusOf(`/v1/spaces/${before.space.id}/content?shareKey=${shareKey}`), 200)
  const { secret } = openSecrets(w.services.signingKey, (await hook.row()).secret)
  assert.equal(secret, hook.secret)
})

test('a key that has retired verifies nothing, with nothing left that it encrypted', async () => {
  const before = await signed()
  const hook = await webhook()
  await rotateKeys(w.services, 30)
  await until(() => keysKnown() === 2)
  await retireSince(0.01)
  await until(() => keysKnown() === 1)
  assert.equal(await statusOf(before.file), 404)
  await finishRotations(w.services)
  const { secret } = openSecrets(w.services.signingKey, (await hook.row()).secret)
  assert.equal(secret, hook.secret)
})

test('a recovery code outlives the key that made it, whose row goes when the last of its codes is used', async () => {
  const code = await newCode('read')
  const id = w.services.signingKey.id
  await rotateKeys(w.services, 30)
  await until(() => w.services.signingKey.id !== id)
  await retireSince(25)
  await until(() => keysKnown() === 1)
  await finishRotations(w.services)
  assert.ok((await keyIds()).includes(id))
  assert.ok(await isSpent('read', code))
  await finishRotations(w.services)
  assert.ok((await keyIds()).includes(id), 'nine are left')
  await w.services.transaction(trx => removeAllCodes(trx))
  await finishRotations(w.services)
  assert.deepEqual(await keyIds(), [w.services.signingKey.id])
})

test('a key that was revoked goes a day later, with what processes made with it that had not heard', async () => {
  const late = { ...onlyKey(w.services.signingKey.current), id: w.services.signingKey.id }
  const hook = await webhook()
  await replaceKeys(w.services)
  await until(() => w.services.signingKey.current !== late.current)
  const secret = sealSecrets(late, { secret: hook.secret })
  await w.services.transaction(trx => trx.updateTable('webhooks').set({ secret }).execute())
  const [code = ''] = await w.services.transaction(trx => renewCodes(trx, late, w.people.read.id))
  assert.equal(await isSpent('read', code), false)
  await finishRotations(w.services)
  assert.equal((await keyIds()).length, 2, 'of the last day')
  await retireSince(25)
  await finishRotations(w.services)
  assert.deepEqual(await keyIds(), [w.services.signingKey.id])
  assert.equal(
    openSecrets(onlyKey(w.services.signingKey.current), (await hook.row()).secret).secret,
    hook.secret,
  )
})

test('print views and the text of all pages have addresses of the new key at once', async () => {
  const space = await spaceWith(
    w,
    { 'README.md': '# Rain\n\n![A dot](dot.png)\n', 'dot.png': PIXEL },
    { visibility: 'public' },
  )
  const addresses = async (): Promise<string[]> => {
    const { body } = await w.call('GET', `/spaces/${space}/pdf`)
    const texts = await Promise.all(
      [body.url.replace('/pdf/', '/print/'), `/s/${space}/llms-full.txt`].map(url => get(url)),
    )
    return texts.map(({ payload: text }) => {
      const [address = ''] = /\/files\/[^\s")>]+/.exec(text) ?? []
      return address.replaceAll('&amp;', '&')
    })
  }
  for (const address of await addresses()) assert.equal(await statusOf(address), 200, address)
  const id = w.services.signingKey.id
  await replaceKeys(w.services)
  await until(() => w.services.signingKey.id !== id)
  for (const address of await addresses()) assert.equal(await statusOf(address), 200, address)
})

test('another process signs with the new key, and takes what the old one signed', async () => {
  // The embedded database has one process, and another server in it.
  const beside = testEngine === 'embedded' ? database : await openBeside(database)
  const other = await serverOn(beside)
  try {
    const before = await signed()
    const id = w.services.signingKey.id
    assert.equal(other.services.signingKey.id, id)
    await rotateKeys(w.services, 30)
    await until(
      () => w.services.signingKey.id !== id && other.services.signingKey.id === w.services.signingKey.id,
    )
    // Each has files of its own, so links are tried.
    assert.equal(await statusOf(before.shareUrl, other.app), 200)
    const { body: links } = await w.call('GET', `/spaces/${before.space.id}/share-links`)
    const { searchParams } = new URL(links.items[0].urls.published)
    assert.notEqual(searchParams.get('shareKey'), before.link.key)
    const fresh = `/v1/spaces/${before.space.id}/content?${searchParams}`
    assert.equal(await statusOf(fresh, other.app), 200)
    await replaceKeys(other.services)
    await until(() => keysKnown() === 1 && other.services.signingKey.id === w.services.signingKey.id)
    for (const app of [server.app, other.app])
      for (const url of [before.shareUrl, fresh]) assert.ok((await statusOf(url, app)) >= 401)
  } finally {
    await other.close()
    if (beside !== database) await beside.close()
  }
})
