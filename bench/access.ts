// What does it cost to know who may do what?
//
//   node bench/access.ts                 on the embedded database
//   DATABASE_URL=postgres://… node bench/access.ts
//
// An organization of 10,000 spaces in 1,000 collections, three deep, with 1,000 members, 100 teams and what was given to
// them here and there. Two questions:
//
// - `read`: of a page that is read with a token, which part is the decision about the role? Warm, as reads follow one
//   another, and cold, when something was written before each of them, so that nothing is kept.
// - `list`: the first page of the spaces that a member may see, with the count of all of them. Beside it, in the same
//   run: reading one row by its key, which is what a query costs at least.
//
// Everything goes through the whole server without a network. Turns alternate, so that a slow moment of the machine meets
// all of them.
import { join } from 'node:path'
import { NO_PROOFS } from '../src/access/proofs.ts'
import { type Person, personOf } from '../src/access/roles.ts'
import { listSpaces } from '../src/api/spaces/lists.ts'
import { findCachedSpace, findSpaceFor } from '../src/api/spaces/place.ts'
import { openRuntime } from '../src/cli/runtime.ts'
import { buildServer } from '../src/cli/server.ts'
import { readConfig } from '../src/platform/config.ts'
import { createLog } from '../src/platform/log.ts'
import { median, print, proseOf, round, temporaryFolder, timeMs } from './measure.ts'
import { COLLECTIONS, fillOrganization, MEMBERS, SPACES, TEAMS } from './organization.ts'

const PAGE_BYTES = 4000
const LIST_ROUNDS = 40
const READ_ROUNDS = 300

const config = readConfig({
  ...process.env,
  OCTAVO_HOME: join(temporaryFolder(), 'home'),
  OCTAVO_LOG_LEVEL: 'error',
})
const runtime = await openRuntime(config, createLog('error'))
const { services } = runtime
const { db, principals } = services
const { organizationId, spaceId, tokens } = await fillOrganization(services)
const app = buildServer(services)
const pageId = await writePage(tokens.admin as string)

print({
  bench: 'access',
  database: config.databaseUrl === undefined ? 'embedded' : 'postgres',
  spaces: SPACES,
  collections: COLLECTIONS,
  members: MEMBERS,
  teams: TEAMS,
  read: await measureReads(),
  list: await measureLists(),
})
await app.close()
await runtime.close()

async function get(path: string, token: string) {
  const answer = await app.inject({ url: `/v1${path}`, headers: { authorization: `Bearer ${token}` } })
  if (answer.statusCode !== 200) throw new Error(answer.payload)
  return answer
}

async function principalOf(token: string) {
  const principal = await principals.find(token)
  if (principal?.kind !== 'user') throw new Error('a token of the bench is no person')
  return principal
}

/** The decision alone is what admission does for the place: the space is found, then the role on it. */
async function measureReads() {
  const token = tokens.read as string
  const path = `/spaces/${spaceId}/content/page/${pageId}`
  const asking = async () => ({ ...services, principal: await principalOf(token), proofs: NO_PROOFS })
  const decide = async () => {
    const context = await asking()
    // The row of the space is read for the content in any case.
    await findCachedSpace(services, spaceId)
    return timeMs(() => findSpaceFor(context, spaceId))
  }
  const times = {
    warm: [] as number[],
    warmRole: [] as number[],
    cold: [] as number[],
    coldRole: [] as number[],
  }
  await get(path, token)
  for (let turn = 0; turn < READ_ROUNDS; turn += 1) {
    times.warm.push(await timeMs(() => get(path, token)))
    times.warmRole.push(await decide())
    services.changes.touch()
    times.cold.push(await timeMs(() => get(path, token)))
    services.changes.touch()
    times.coldRole.push(await decide())
  }
  const { warm, warmRole, cold, coldRole } = {
    warm: median(times.warm),
    warmRole: median(times.warmRole),
    cold: median(times.cold),
    coldRole: median(times.coldRole),
  }
  return {
    warm: { requestMs: round(warm), roleMs: round(warmRole), share: round(warmRole / warm) },
    cold: { requestMs: round(cold), roleMs: round(coldRole), share: round(coldRole / cold) },
  }
}

/** `coldMs`: when something was written before, so that nothing is kept of what decides. */
async function measureLists() {
  const keySelect = () => db.selectFrom('spaces').selectAll().where('id', '=', spaceId).execute()
  const times = new Map<string, number[]>()
  const take = async (name: string, run: () => Promise<unknown>) => {
    times.set(name, [...(times.get(name) ?? []), await timeMs(run)])
  }
  for (let turn = 0; turn < LIST_ROUNDS; turn += 1)
    for (const [name, token] of Object.entries(tokens)) {
      const person: Person = personOf(await principalOf(token))
      const list = () => listSpaces(services, organizationId, person, {})
      services.changes.touch()
      await take(`${name} cold`, list)
      await take('key', keySelect)
      await take(`${name} list`, list)
      await take(`${name} request`, () => get(`/orgs/${organizationId}/spaces`, token))
    }
  const medianOf = (name: string) => median((times.get(name) ?? []).slice(5))
  const key = medianOf('key')
  const lists: Record<string, object> = {}
  for (const [name, token] of Object.entries(tokens)) {
    const { count } = JSON.parse((await get(`/orgs/${organizationId}/spaces`, token)).payload)
    const [list, cold, request] = [
      medianOf(`${name} list`),
      medianOf(`${name} cold`),
      medianOf(`${name} request`),
    ]
    lists[name] = {
      ...{
        count,
        listMs: round(list),
        ratio: round(list / key),
        coldMs: round(cold),
        coldRatio: round(cold / key),
      },
      requestMs: round(request),
    }
  }
  return { keySelectMs: round(key), ...lists }
}

async function writePage(token: string): Promise<string> {
  const change = { operation: 'insert_page', document: { markdown: proseOf(1, PAGE_BYTES) } }
  const answer = await app.inject({
    method: 'POST',
    url: `/v1/spaces/${spaceId}/content`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    payload: JSON.stringify({ changes: [change] }),
  })
  if (answer.statusCode >= 300) throw new Error(answer.payload)
  const { pages } = JSON.parse((await get(`/spaces/${spaceId}/content/pages`, token)).payload)
  return pages[0].id
}
