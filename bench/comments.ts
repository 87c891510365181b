// What does a list of a thousand comments cost, with their reactions and replies?
//
//   node bench/comments.ts                 on the embedded database
//   DATABASE_URL=postgres://… node bench/comments.ts
//
// Beside it, in the same run: the bare query of the same rows, and reading one row by its key, which is what a query
// costs at least. The list goes through the whole server, its answer included. Turns alternate, so that a slow moment
// of the machine meets all of them.
import { join } from 'node:path'
import { sql } from 'kysely'
import { createUser, issueToken } from '../src/api/accounts/actions.ts'
import { beginOrganization } from '../src/api/organizations/actions.ts'
import { beginSpace } from '../src/api/spaces/actions.ts'
import { newId } from '../src/base/ids.ts'
import { openRuntime } from '../src/cli/runtime.ts'
import { buildServer } from '../src/cli/server.ts'
import { readConfig } from '../src/platform/config.ts'
import { createLog } from '../src/platform/log.ts'
import { median, print, proseOf, round, temporaryFolder, timeMs } from './measure.ts'

const COMMENTS = 1000
const PEOPLE = 20
const REACTIONS_PER_COMMENT = 5
const REPLIES_PER_COMMENT = 3
const BODY_CHARACTERS = 300
const ROUNDS = 30

const config = readConfig({
  ...process.env,
  OCTAVO_HOME: join(temporaryFolder(), 'home'),
  OCTAVO_LOG_LEVEL: 'error',
})
const runtime = await openRuntime(config, createLog('error'))
const { services } = runtime
const { db } = services
const { spaceId, token } = await fill()
const app = buildServer(services)

const list = async (query: string) => {
  const answer = await app.inject({
    url: `/v1/spaces/${spaceId}/comments?limit=${COMMENTS}${query}`,
    headers: { authorization: `Bearer ${token}` },
  })
  if (answer.statusCode !== 200) throw new Error(answer.payload)
  return answer
}
const bytes = (await list('')).rawPayload.length
const bare = () =>
  db
    .selectFrom('comments')
    .selectAll()
    .where('space_id', '=', spaceId)
    .where('change_request_id', 'is', null)
    .orderBy('posted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(COMMENTS)
    .execute()
const byKey = () => db.selectFrom('spaces').selectAll().where('id', '=', spaceId).execute()

const runs: Record<string, () => Promise<unknown>> = {
  listMs: () => list(''),
  listAsDocumentsMs: () => list('&format=document'),
  bareQueryMs: bare,
  keySelectMs: byKey,
}
const times = new Map(Object.keys(runs).map(name => [name, [] as number[]]))
for (let turn = 0; turn < ROUNDS; turn += 1) {
  for (const [name, run] of Object.entries(runs)) times.get(name)?.push(await timeMs(run))
}
await app.close()
await runtime.close()

const medians = Object.fromEntries([...times].map(([name, values]) => [name, round(median(values))]))
print({
  bench: 'comments',
  database: config.databaseUrl === undefined ? 'embedded' : 'postgres',
  comments: COMMENTS,
  reactions: COMMENTS * REACTIONS_PER_COMMENT,
  replies: COMMENTS * REPLIES_PER_COMMENT,
  bytes,
  ...medians,
  ratio: round((medians.listMs as number) / (medians.bareQueryMs as number)),
})

async function fill(): Promise<{ spaceId: string; token: string }> {
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
