// What does it cost to know who may do what?
//
//   node bench/access.ts                 on the embedded database
//   DATABASE_URL=postgres://… node bench/access.ts
//
// An organization of 10,000 spaces in 1,000 collections, three deep, with 1,000 members, 100 teams and what was given to
// them here and there. Two questions:
//
// - `read`: of a page that is read with a token, which part is the decision about the role? Warm, as reads follow one
//   another, and cold, when something was written before each of them, so that no row is cached.
// - `list`: the first page of the spaces that a member may see, with the count of all of them. Beside it reading one row
//   by its key, which is what a query costs at least.
//
// Requests go over loopback to a server that runs its jobs; once it has stopped, decisions are timed alone on the same
// database.
import { NO_PROOFS } from '../src/access/proofs.ts'
import { personOf } from '../src/access/roles.ts'
import { listSpaces } from '../src/api/spaces/lists.ts'
import { findCachedSpace, findSpaceFor } from '../src/api/spaces/place.ts'
import type { Services } from '../src/http/context.ts'
import { withServices } from './in-process.ts'
import { DATABASE, report, round, Times } from './measure.ts'
import { COLLECTIONS, fillOrganization, MEMBERS, SPACES, TEAMS } from './organization.ts'
import { proseOf } from './prose.ts'
import { startedHome, startServer } from './server.ts'

const PAGE_BYTES = 4000
const LIST_ROUNDS = 40
const READ_ROUNDS = 300

type Filled = Awaited<ReturnType<typeof fillOrganization>>

const home = await startedHome()
const filled = await withServices(home, fillOrganization)
const asked = await askServer(filled)
const decided = await withServices(home, services => decide(services, filled))

report('access', {
  database: DATABASE,
  spaces: SPACES,
  collections: COLLECTIONS,
  members: MEMBERS,
  teams: TEAMS,
  read: {
    warm: shareOf(asked.read.warm, decided.warmRole),
    cold: shareOf(asked.read.cold, decided.coldRole),
  },
  list: Object.fromEntries(
    Object.keys(filled.tokens).map(name => [
      name,
      {
        requestMs: round(asked.lists.get(name) ?? Number.NaN),
        ...decided.lists.get(name),
      },
    ]),
  ),
})

function shareOf(requestMs: number, roleMs: number) {
  return { requestMs: round(requestMs), roleMs: round(roleMs), share: round(roleMs / requestMs) }
}

/** What whole requests take, as people send them. */
async function askServer({ organizationId, spaceId, tokens }: Filled) {
  const server = await startServer({}, home)
  const send = async (method: string, path: string, token: string, body?: object) => {
    const answer = await fetch(`${server.url}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body) ?? null,
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(text)
    return JSON.parse(text)
  }
  const { admin, read } = tokens
  const change = { operation: 'insert_page', document: { markdown: proseOf(1, PAGE_BYTES) } }
  await send('POST', `/spaces/${spaceId}/content`, admin, { changes: [change] })
  const { pages } = await send('GET', `/spaces/${spaceId}/content/pages`, admin)
  const page = `/spaces/${spaceId}/content/page/${pages[0].id}`
  const times = new Times()
  await send('GET', page, read)
  for (let turn = 0; turn < READ_ROUNDS; turn += 1) {
    await times.take('warm', () => send('GET', page, read))
    await send('PATCH', `/spaces/${spaceId}`, admin, { title: `Title ${turn}` })
    await times.take('cold', () => send('GET', page, read))
  }
  for (let turn = 0; turn < LIST_ROUNDS; turn += 1)
    for (const [name, token] of Object.entries(tokens))
      await times.take(name, () => send('GET', `/orgs/${organizationId}/spaces`, token))
  await server.stop()
  return {
    read: { warm: times.median('warm'), cold: times.median('cold') },
    lists: new Map(Object.keys(tokens).map(name => [name, times.median(name)])),
  }
}

/** What the decisions alone take, in this process, beside reading a row by its key. */
async function decide(services: Services, { organizationId, spaceId, tokens }: Filled) {
  const { db, principals, changes } = services
  const principalOf = async (token: string) => {
    const principal = await principals.find(token)
    if (principal?.kind !== 'user') throw new Error('a token of the bench is no person')
    return principal
  }
  const times = new Times()
  const asking = async () => ({ ...services, principal: await principalOf(tokens.read), proofs: NO_PROOFS })
  const role = async (name: string) => {
    const context = await asking()
    // The row of the space is read for the content in any case.
    await findCachedSpace(services, spaceId)
    await times.take(name, () => findSpaceFor(context, spaceId))
  }
  for (let turn = 0; turn < READ_ROUNDS; turn += 1) {
    await role('warm')
    changes.touch()
    await role('cold')
  }
  for (let turn = 0; turn < LIST_ROUNDS; turn += 1)
    for (const [name, token] of Object.entries(tokens)) {
      const person = personOf(await principalOf(token))
      const list = () => listSpaces(services, organizationId, person, {})
      changes.touch()
      await times.take(`cold ${name}`, list)
      await times.take('key', () => db.selectFrom('spaces').selectAll().where('id', '=', spaceId).execute())
      await times.take(`list ${name}`, list)
    }
  const key = times.median('key')
  const listOf = (name: string) => {
    const [list, cold] = [times.median(`list ${name}`), times.median(`cold ${name}`)]
    return {
      ...{ listMs: round(list), ratio: round(list / key), coldMs: round(cold), coldRatio: round(cold / key) },
      keySelectMs: round(key),
    }
  }
  return {
    warmRole: times.median('warm'),
    coldRole: times.median('cold'),
    lists: new Map(Object.keys(tokens).map(name => [name, listOf(name)])),
  }
}
