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
import { sql } from 'kysely'
import { NO_PROOFS } from '../src/access/proofs.ts'
import { type Person, personOf } from '../src/access/roles.ts'
import { createUser, issueToken } from '../src/api/accounts/actions.ts'
import { beginOrganization } from '../src/api/organizations/actions.ts'
import { beginSpace } from '../src/api/spaces/actions.ts'
import { listSpaces } from '../src/api/spaces/lists.ts'
import { findSpaceFor } from '../src/api/spaces/place.ts'
import { newId } from '../src/base/ids.ts'
import { openHouse } from '../src/cli/house.ts'
import { buildServer } from '../src/cli/server.ts'
import { readConfig } from '../src/platform/config.ts'
import { createLog } from '../src/platform/log.ts'
import { median, print, proseOf, round, temporaryFolder, timeMs } from './measure.ts'

const SPACES = 10_000
const MEMBERS = 1_000
const TEAMS = 100
/** At the root, and below each collection of the level above: 10 + 100 + 900. */
const COLLECTIONS = [10, 10, 9]
const TEAMS_PER_MEMBER = 3
const GRANTS_PER_TEAM = 20
const GRANTS_PER_MEMBER = 2
const PAGE_BYTES = 4000
const LIST_ROUNDS = 40
const READ_ROUNDS = 300

const config = readConfig({
  ...process.env,
  OCTAVO_HOME: join(temporaryFolder(), 'home'),
  OCTAVO_LOG_LEVEL: 'error',
})
const house = await openHouse(config, createLog('error'))
const { services } = house
const { db, principals } = services
const { organizationId, spaceId, tokens } = await fill()
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
await house.close()

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
    // the row of the space is read for the content in any case
    await services.fresh.get(`space:${spaceId}`, () => Promise.resolve(spaceRow))
    return timeMs(() => findSpaceFor(context, spaceId))
  }
  const found = await findSpaceFor(await asking(), spaceId)
  const spaceRow = found?.space
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

/** Made by statements over series: ten thousand spaces by requests would take longer than all that is measured. */
async function fill() {
  const filled = await services.transaction(async trx => {
    const admin = await createUser(trx, `bench-${newId()}@localhost`)
    const organization = await beginOrganization(trx, services.events, admin.id, { title: 'Bench' })
    const space = await beginSpace(trx, services, admin.id, organization.id, { title: 'Bench' })
    const org = organization.id
    await sql`insert into users (id, email, display_name)
      select ${org} || 'u' || n, ${org} || n || '@localhost', 'Member ' || n from generate_series(1, ${MEMBERS}) as n`.execute(
      trx,
    )
    // a tenth are guests, half may read by default, the others write
    await sql`insert into members (organization_id, user_id, role)
      select ${org}, ${org} || 'u' || n,
        case when n % 10 = 0 then null when n % 2 = 1 then 'read' else (array['comment', 'edit', 'review', 'create'])[n % 4 + 1] end
      from generate_series(1, ${MEMBERS}) as n`.execute(trx)
    await sql`insert into teams (id, organization_id, title)
      select ${org} || 't' || n, ${org}, 'Team ' || n from generate_series(1, ${TEAMS}) as n`.execute(trx)
    await sql`insert into team_members (organization_id, team_id, user_id)
      select ${org}, ${org} || 't' || ((n * 7 + k * 31) % ${TEAMS} + 1), ${org} || 'u' || n
      from generate_series(1, ${MEMBERS}) as n, generate_series(1, ${TEAMS_PER_MEMBER}) as k`.execute(trx)
    let before = 0
    let above = 1
    for (const each of COLLECTIONS) {
      // of the collections, one in five says itself what members have
      await sql`insert into collections (id, organization_id, parent_id, position, title, default_level)
        select ${org} || 'c' || (${before}::int + n), ${org},
          case when ${before}::int = 0 then null else ${org} || 'c' || (${before}::int - ${above}::int + 1 + (n - 1) / ${each}::int) end,
          'a' || lpad(n::text, 6, '0'), 'Collection ' || n,
          case n % 10 when 3 then 'none' when 7 then 'edit' else 'inherit' end
        from generate_series(1, ${above * each}) as n`.execute(trx)
      before += above * each
      above *= each
    }
    // one in twenty stands at the root, one in ten says itself what members have, one in twenty is public
    await sql`insert into spaces (id, organization_id, parent_id, position, title, emoji, visibility, default_level,
        revision_id, projection_id)
      select ${org} || 's' || n, ${org}, case when n % 20 = 0 then null else ${org} || 'c' || (n % ${before}::int + 1) end,
        'a' || lpad(((n * 7919) % ${SPACES}::int)::text, 6, '0'), 'Space ' || n, '1f4d8',
        case n % 20 when 5 then 'public' when 11 then 'in-collection' else 'private' end,
        case n % 20 when 3 then 'none' when 13 then 'edit' else 'inherit' end, ${space.revision_id}, ${space.projection_id}
      from generate_series(1, ${SPACES - 1}) as n`.execute(trx)
    const role = (n: string) =>
      sql`(array['read', 'comment', 'edit', 'review', 'create', 'admin', 'none'])[${sql.raw(n)} % 7 + 1]`
    await sql`insert into grants (id, organization_id, space_id, collection_id, team_id, role)
      select ${org} || 'gt' || n || '-' || k, ${org},
        case when k % 2 = 0 then ${org} || 's' || ((n * 97 + k * 389) % ${SPACES - 1}::int + 1) end,
        case when k % 2 = 1 then ${org} || 'c' || ((n * 13 + k * 47) % ${before}::int + 1) end,
        ${org} || 't' || n, ${role('(n + k)')}
      from generate_series(1, ${TEAMS}) as n, generate_series(1, ${GRANTS_PER_TEAM}) as k
      on conflict do nothing`.execute(trx)
    await sql`insert into grants (id, organization_id, space_id, collection_id, user_id, role)
      select ${org} || 'gu' || n || '-' || k, ${org},
        case when k % 2 = 0 then ${org} || 's' || ((n * 89 + k * 383) % ${SPACES - 1}::int + 1) end,
        case when k % 2 = 1 then ${org} || 'c' || ((n * 17 + k * 43) % ${before}::int + 1) end,
        ${org} || 'u' || n, ${role('(n + k)')}
      from generate_series(1, ${MEMBERS}) as n, generate_series(1, ${GRANTS_PER_MEMBER}) as k
      on conflict do nothing`.execute(trx)
    // the page that is read stands three deep
    await sql`update spaces set parent_id = ${org} || 'c' || ${before}::text where id = ${space.id}`.execute(
      trx,
    )
    const people = { admin: admin.id, read: `${org}u1`, create: `${org}u2`, guest: `${org}u10` }
    const secrets: Record<string, string> = {}
    for (const [name, userId] of Object.entries(people))
      secrets[name] = (await issueToken(trx, { userId, label: 'bench' })).secret
    return { organizationId: org, spaceId: space.id, tokens: secrets }
  })
  // as either database does by itself after a while
  for (const table of ['spaces', 'collections', 'grants', 'members', 'teams', 'team_members', 'users'])
    await sql`vacuum analyze ${sql.table(table)}`.execute(db)
  return filled
}
