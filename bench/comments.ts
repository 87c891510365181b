// What does a list of a thousand comments cost, with their reactions and replies?
//
//   node bench/comments.ts                 on the embedded database
//   DATABASE_URL=postgres://… node bench/comments.ts
//
// The list is asked for over loopback, from a server that runs its jobs. Beside it, in the same run and on the same
// database once the server has stopped: the bare query of the same rows, and reading one row by its key, which is what a
// query costs at least.
import { sql } from 'kysely'
import { createUser, issueToken } from '../src/api/accounts/actions.ts'
import { beginOrganization } from '../src/api/organizations/actions.ts'
import { beginSpace } from '../src/api/spaces/actions.ts'
import { newId } from '../src/base/ids.ts'
import type { Services } from '../src/http/context.ts'
import { withServices } from './in-process.ts'
import { DATABASE, report, round, Times } from './measure.ts'
import { proseOf } from './prose.ts'
import { startedHome, startServer } from './server.ts'

const COMMENTS = 1000
const PEOPLE = 20
const REACTIONS_PER_COMMENT = 5
const REPLIES_PER_COMMENT = 3
const BODY_CHARACTERS = 300
const ROUNDS = 30

const home = await startedHome()
const { spaceId, token } = await withServices(home, fill)
const times = new Times()

const server = await startServer({}, home)
const headers = { authorization: `Bearer ${token}` }
const list = async (query: string) => {
  const answer = await fetch(`${server.url}/v1/spaces/${spaceId}/comments?limit=${COMMENTS}${query}`, {
    headers,
  })
  if (!answer.ok) throw new Error(await answer.text())
  return answer.arrayBuffer()
}
const bytes = (await list('')).byteLength
for (let turn = 0; turn < ROUNDS; turn += 1) {
  await times.take('listMs', () => list(''))
  await times.take('listAsDocumentsMs', () => list('&format=document'))
}
await server.stop()
await withServices(home, async ({ db }) => {
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    await times.take('bareQueryMs', () =>
      db
        .selectFrom('comments')
        .selectAll()
        .where('space_id', '=', spaceId)
        .where('change_request_id', 'is', null)
        .orderBy('posted_at', 'desc')
        .orderBy('id', 'desc')
        .limit(COMMENTS)
        .execute(),
    )
    await times.take('keySelectMs', () =>
      db.selectFrom('spaces').selectAll().where('id', '=', spaceId).execute(),
    )
  }
})

report('comments', {
  database: DATABASE,
  comments: COMMENTS,
  reactions: COMMENTS * REACTIONS_PER_COMMENT,
  replies: COMMENTS * REPLIES_PER_COMMENT,
  bytes,
  ...times.medians(),
  ratio: round(times.median('listMs') / times.median('bareQueryMs')),
})

async function fill(services: Services): Promise<{ spaceId: string; token: string }> {
  return services.transaction(async trx => {
    const admin = await createUser(trx, `bench-${newId()}@localhost`)
    const { secret } = await issueToken(trx, { userId: admin.id, label: 'bench' })
    const organization = await beginOrganization(trx, services.events, admin.id, { title: 'Bench' })
    const space = await beginSpace(trx, services, admin.id, organization.id, { title: 'Bench' })
    const people: string[] = []
    for (let n = 0; n < PEOPLE; n += 1) people.push((await createUser(trx, `bench-${newId()}@localhost`)).id)
    const personAt = (n: number) => people[n % PEOPLE] as string
    const ids = Array.from({ length: COMMENTS }, () => newId())
    // Spread over time, because whole statements share their moment.
    const at = (n: number) => sql<Date>`now() - ${COMMENTS - n} * interval '1 minute'`
    for (let from = 0; from < COMMENTS; from += 100) {
      const batch = ids.slice(from, from + 100).map((id, n) => ({ id, n: from + n }))
      await trx
        .insertInto('comments')
        .values(
          batch.map(({ id, n }) => ({
            id,
            space_id: space.id,
            revision_id: space.revision_id,
            body: proseOf(n, BODY_CHARACTERS),
            posted_by: personAt(n),
            posted_at: at(n),
          })),
        )
        .execute()
      await trx
        .insertInto('comment_replies')
        .values(
          batch.flatMap(({ id, n }) =>
            Array.from({ length: REPLIES_PER_COMMENT }, (_, reply) => ({
              id: newId(),
              comment_id: id,
              body: 'Yes.',
              posted_by: personAt(n + reply),
              posted_at: at(n),
            })),
          ),
        )
        .execute()
      await trx
        .insertInto('reactions')
        .values(
          batch.flatMap(({ id, n }) =>
            Array.from({ length: REACTIONS_PER_COMMENT }, (_, reaction) => ({
              comment_id: id,
              emoji: reaction % 2 === 0 ? '👍' : '🎉',
              user_id: personAt(n + reaction),
            })),
          ),
        )
        .execute()
    }
    return { spaceId: space.id, token: secret }
  })
}
