import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { givePassword } from '../../../test/support/sessions.ts'
import { world } from '../../../test/support/world.ts'
import { DEVICE_DAYS_MAX, encodeDevice, findDevice } from './devices.ts'
import { findPassword } from './rows.ts'

const w = await world()
const { services } = w
const { read, edit } = w.people
for (const { id } of [read, edit]) await givePassword(w, id, 'rain on a tin roof')
const DAY_MS = 24 * 60 * 60 * 1000

const newCookie = async ({ id, email }: { id: string; email: string }) =>
  encodeDevice(services, email, (await findPassword(services.db, id))?.hash ?? '')

test('a device is known for its address alone, and each is another one', async () => {
  const [first, second] = [await newCookie(read), await newCookie(read)]
  const device = await findDevice(services, read.email, first)
  assert.ok(device)
  assert.notDeepEqual(await findDevice(services, read.email, second), device)
  assert.equal(await findDevice(services, edit.email, first), undefined)
  assert.equal(await findDevice(services, 'nobody@people.test', first), undefined)
})

test('a forged cookie is no device, whatever part of it was changed', async () => {
  const cookie = await newCookie(read)
  for (let index = 0; index < cookie.length; index += 1) {
    const other = cookie[index] === 'a' ? 'b' : 'a'
    const forged = cookie.slice(0, index) + other + cookie.slice(index + 1)
    assert.equal(await findDevice(services, read.email, forged), undefined, String(index))
  }
  for (const text of [undefined, '', '...', `${cookie}a`, cookie.slice(1), `${cookie}\n`])
    assert.equal(await findDevice(services, read.email, text), undefined)
})

test('a cookie ends after its time', async () => {
  const issuedAt = Date.now()
  const cookie = await newCookie(read)
  mock.timers.enable({ apis: ['Date'], now: issuedAt + DEVICE_DAYS_MAX * DAY_MS - 60_000 })
  try {
    assert.ok(await findDevice(services, read.email, cookie))
    mock.timers.setTime(issuedAt + DEVICE_DAYS_MAX * DAY_MS + 60_000)
    assert.equal(await findDevice(services, read.email, cookie), undefined)
  } finally {
    mock.timers.reset()
  }
})

test('a cookie ends with the password that it was issued for', async () => {
  const cookie = await newCookie(edit)
  assert.ok(await findDevice(services, edit.email, cookie))
  await givePassword(w, edit.id, 'snow on a slate roof')
  assert.equal(await findDevice(services, edit.email, cookie), undefined)
})
