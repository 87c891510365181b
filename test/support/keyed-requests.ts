// Requests under an Idempotency-Key, and the rows that are kept of them.
import { Type } from 'typebox'
import { sha256 } from '../../src/base/canonical.ts'
import { newId } from '../../src/base/ids.ts'
import { buildApp } from '../../src/http/app.ts'
import type { Context } from '../../src/http/context.ts'
import { callerOperation } from '../../src/http/operation.ts'
import type { Call, Reply, World } from './world.ts'

export const keyed = (key: string, call: Call = {}): Call => ({
  ...call,
  headers: { 'idempotency-key': key },
})

export const hashOf = (key: string): Buffer => Buffer.from(sha256(key), 'hex')

/** What an operation of a test does, for a name in its path. */
export type Deed = (context: Context, name: string) => Promise<string>

/** Writes what `countWrites` counts, in a transaction of its own. */
export const write = (context: Context, name: string): Promise<unknown> =>
  context.transaction(trx =>
    trx
      .insertInto('projections')
      .values({ id: `${name}-${newId()}` })
      .execute(),
  )

export const keyedRequests = (w: World) => ({
  createSpace: (key: string, title: string, call: Call = {}): Promise<Reply> =>
    w.call('POST', `/orgs/${w.organizationId}/spaces`, keyed(key, { body: { title }, ...call })),

  async countSpaces(title: string): Promise<number> {
    const { db } = w.services
    return (await db.selectFrom('spaces').select('id').where('title', '=', title).execute()).length
  },

  async countWrites(name: string): Promise<number> {
    const { db } = w.services
    return (await db.selectFrom('projections').select('id').where('id', 'like', `${name}-%`).execute()).length
  },

  /** The row of a key of the admin. */
  rowOf: (key: string) =>
    w.services.db
      .selectFrom('idempotency_keys')
      .selectAll()
      .where('user_id', '=', w.people.admin.id)
      .where('key_hash', '=', hashOf(key))
      .executeTakeFirst(),

  /** Makes a row what a death leaves behind: without an answer. */
  changeRow: (key: string, change: { state?: 'running' | 'committed'; claimed_until?: Date }) =>
    w.services.db
      .updateTable('idempotency_keys')
      .set({ ...change, status: null, headers: null, body: null })
      .where('key_hash', '=', hashOf(key))
      .execute(),

  /** A server whose one operation does this; the result sends it a request of that name, under the name as its key. */
  serverOf(deed: Deed, keyWaitMs?: number) {
    const operation = callerOperation({
      id: 'test',
      method: 'POST',
      path: '/test/{name}',
      params: Type.Object({ name: Type.String() }),
      summary: 'A test',
      tag: 'Test',
      scope: 'any',
      reply: Type.Object({ said: Type.String() }),
      run: async ({ context, params }) => ({ said: await deed(context, params.name) }),
    })
    const app = buildApp([operation], w.services, undefined, keyWaitMs)
    return async (name: string) => {
      const { statusCode, headers, body } = await app.inject({
        method: 'POST',
        url: `/v1/test/${name}`,
        headers: { authorization: `Bearer ${w.people.admin.token}`, 'idempotency-key': name },
      })
      return { status: statusCode, headers, body: JSON.parse(body) }
    }
  },
})
