import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { world } from '../../../test/support/world.ts'
import { refreshSpecs } from './jobs.ts'

const TEXT = JSON.stringify({ openapi: '3.0.3', info: { title: 'Printers', version: '1' }, paths: {} })

const others = await world()
const own = await world()
const { db } = own.services

/** Servers on hosts of their own, as far as the number of the port tells them apart. */
async function serve(listener: Parameters<typeof createServer>[1]) {
  const server = createServer(listener as never)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const put = async ({ call, organizationId }: typeof own, slug: string, source: object) => {
  const { status, body } = await call('PUT', `/orgs/${organizationId}/openapi/${slug}`, { body: { source } })
  assert.equal(status, 201, JSON.stringify(body))
  return body.id as string
}
const completed = async ({ call, organizationId }: typeof own, slug: string) => {
  for (;;) {
    const { body } = await call('GET', `/orgs/${organizationId}/openapi/${slug}`)
    if (body.processingState === 'complete') return body
    await sleep(5)
  }
}
const rowOf = (id: string) =>
  db
    .selectFrom('openapi_specs')
    .select(['unanswered', 'next_attempt_at', 'last_processed_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const waitingOf = async (id: string) =>
  (await db.selectFrom('jobs').select('id').where('key', '=', id).execute()).length

test('a specification is read while those of another organization wait for a host that never answers', async () => {
  let asked = 0
  const never = await serve(() => {
    asked += 1
  })
  const answering = await serve((_request, response) => response.end(TEXT))
  for (let n = 0; n < 40; n += 1) await put(others, `never-${n}`, { url: `${never}/${n}` })
  while (asked < 4) await sleep(5)
  await put(own, 'text', { text: TEXT })
  await put(own, 'address', { url: `${answering}/api.json` })
  assert.equal((await completed(own, 'text')).lastProcessErrorCode, undefined)
  assert.equal((await completed(own, 'address')).lastProcessErrorCode, undefined)
  // Their own texts wait for no host either, and no more of theirs are asked for at once.
  await put(others, 'text', { text: TEXT })
  assert.equal((await completed(others, 'text')).lastProcessErrorCode, undefined)
  assert.equal(asked, 4)
})

test('of all organizations together, eight specifications of one host are asked for at once, and others come later', async () => {
  const kept: ServerResponse[] = []
  const slow = await serve((_request, response) => void kept.push(response))
  const ids: string[] = []
  for (const each of [own, await world(), await world()])
    for (let n = 0; n < 4; n += 1) ids.push(await put(each, `slow-${n}`, { url: `${slow}/${n}` }))
  const postponed = () =>
    db
      .selectFrom('jobs')
      .select('id')
      .where('key', 'in', ids)
      .where('locked_by', 'is', null)
      .where('run_at', '>', new Date(Date.now() + 1_000))
      .execute()
  while (kept.length <= 8 && (kept.length < 8 || (await postponed()).length < 4)) await sleep(5)
  assert.equal(kept.length, 8)
  for (const response of kept) response.end(TEXT)
})

test('an address that does not answer is asked later each time, and at once when somebody asks for it', async () => {
  let isDown = true
  const site = await serve((_request, response) => {
    response.writeHead(isDown ? 503 : 200).end(TEXT)
  })
  const id = await put(own, 'flaky', { url: `${site}/api.json` })
  await completed(own, 'flaky')
  let wait = 0
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    const row = await rowOf(id)
    assert.ok(row.next_attempt_at instanceof Date && row.last_processed_at instanceof Date)
    const next = row.next_attempt_at.getTime() - row.last_processed_at.getTime()
    assert.equal(row.unanswered, attempt)
    // Each wait is drawn from between half of a bound and the bound, which doubles.
    assert.ok(next >= wait, `${next} after ${wait}`)
    wait = 15 * 60_000 * 2 ** (attempt - 1)
    assert.ok(next <= wait + 5_000, `${next} of ${wait}`)
    // The row of a job is deleted after what the job writes is committed.
    while ((await waitingOf(id)) > 0) await sleep(5)
    await refreshSpecs(own.services)
    assert.equal(await waitingOf(id), 0, 'it is not due yet')
    await db
      .updateTable('openapi_specs')
      .set({ next_attempt_at: new Date(Date.now() - 1_000) })
      .where('id', '=', id)
      .execute()
    await refreshSpecs(own.services)
    while ((await rowOf(id)).unanswered === attempt) await sleep(5)
  }
  isDown = false
  await own.call('PUT', `/orgs/${own.organizationId}/openapi/flaky`, {
    body: { source: { url: `${site}/api.json` } },
  })
  while ((await rowOf(id)).unanswered > 0) await sleep(5)
  assert.equal((await completed(own, 'flaky')).lastProcessErrorCode, undefined)
  assert.equal((await rowOf(id)).next_attempt_at, null)
})
