// Conversations that are deleted or replaced while their issues get clusters, and while these are described.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allRead, conversation } from '../../../test/support/conversations.ts'
import { testEngine } from '../../../test/support/database.ts'
import { untilSomebodyWaits } from '../../../test/support/lock-waits.ts'
import { type World, world } from '../../../test/support/world.ts'
import { newId } from '../../base/ids.ts'
import type { Trx } from '../../platform/db/database.ts'
import type { LanguageModel } from '../../platform/model/model.ts'
import { describeChanged } from './describe.ts'
import { findQuoting } from './issue-rows.ts'
import { readConversations } from './read.ts'
import { removeConversation } from './rows.ts'
import { forgetWordsOf, insertClusters, lockClusters, markChanged, placeIssues } from './written-clusters.ts'

const skip = testEngine === 'embedded' && 'one connection has one transaction at a time'

const SECRET = 'Where is the invoice of Ottilie Wunderlich for the last year?'

/** A conversation with its issue. */
async function withSecret(w: World) {
  const path = `/orgs/${w.organizationId}`
  await w.call('POST', `${path}/conversations`, { body: conversation('secret', SECRET) })
  await allRead(w)
  const { body } = await w.call('GET', `${path}/conversations-issues`)
  const [{ issue }] = body.items
  assert.match(JSON.stringify(issue), /Ottilie/)
  return { path, issue: issue.id as string, conversation: issue.conversation as string }
}

/** As clustering and describing do it. */
async function quoteInNewCluster(trx: Trx, { organizationId }: World, issue: string): Promise<void> {
  const cluster = newId()
  await lockClusters(trx, organizationId)
  await insertClusters(trx, organizationId, [cluster])
  await placeIssues(trx, new Map([[issue, cluster]]))
  await trx
    .updateTable('conversation_clusters')
    .set({ label: SECRET, summary: SECRET, state: 'described' })
    .where('id', '=', cluster)
    .execute()
}

const quoting = async (w: World) =>
  JSON.stringify((await w.call('GET', `/orgs/${w.organizationId}/conversations-clusters`)).body)

test('a conversation that is deleted while its issue gets a cluster is not quoted by it', {
  skip,
}, async () => {
  const w = await world()
  const { path, issue, conversation } = await withSecret(w)
  let deleting: ReturnType<World['call']> | undefined
  await w.services.db.transaction().execute(async trx => {
    await quoteInNewCluster(trx, w, issue)
    deleting = w.call('DELETE', `${path}/conversations/${conversation}`)
    await untilSomebodyWaits(trx)
  })
  assert.equal((await deleting)?.status, 204)
  assert.doesNotMatch(await quoting(w), /Ottilie/)
})

test('a conversation that is replaced while its issue gets a cluster is not quoted by it', {
  skip,
}, async () => {
  const w = await world()
  const { issue, conversation: id } = await withSecret(w)
  const { db } = w.services
  const parts = JSON.stringify([
    { type: 'message', role: 'user', body: 'Where is the invoice of our company?' },
  ])
  let reading: Promise<void> | undefined
  await db.transaction().execute(async trx => {
    await quoteInNewCluster(trx, w, issue)
    await db.updateTable('conversations').set({ parts, processed_at: null }).where('id', '=', id).execute()
    reading = readConversations(w.services, w.organizationId, new AbortController().signal)
    await untilSomebodyWaits(trx)
  })
  await reading
  assert.doesNotMatch(await quoting(w), /Ottilie/)
})

test('a cluster that is described while a conversation is deleted is described without it', {
  skip,
}, async () => {
  const w = await world()
  const { path, conversation: id } = await withSecret(w)
  const { organizationId, services } = w
  await w.call('POST', `${path}/conversations`, { body: conversation('other', 'Where is our last invoice?') })
  await allRead(w)
  const { body } = await w.call('GET', `${path}/conversations-issues`)
  const [cluster, another] = body.items.map((one: { issue: { cluster: string } }) => one.issue.cluster)
  assert.equal(cluster, another)
  await services.transaction(trx => markChanged(trx, [cluster]))
  const asked: string[] = []
  const model: LanguageModel = {
    async *write({ text }) {
      asked.push(text)
      yield ''
    },
  }
  let describing: Promise<void> | undefined
  await services.db.transaction().execute(async trx => {
    await lockClusters(trx, organizationId)
    const clusters = await findQuoting(trx, { id, organization_id: organizationId })
    await removeConversation(trx, id)
    await forgetWordsOf(trx, clusters)
    describing = describeChanged({ ...services, model }, organizationId, new AbortController().signal)
    await untilSomebodyWaits(trx)
  })
  await describing
  assert.equal(asked.length, 1)
  assert.doesNotMatch(asked.join(), /Ottilie/)
  assert.doesNotMatch(await quoting(w), /Ottilie/)
})
