// What do lists of people cost in a large organization, and the audit of one that has seen much?
//
//   node bench/people.ts                 on the embedded database
//   DATABASE_URL=postgres://… node bench/people.ts
//   node bench/people.ts ../before       beside the code in another folder: the same requests to both, in turn
//
// The organization of organization.ts, with 100,000 events, a tenth of them of people and not of the organization.
//
// Each list is asked for with an admin's token, through the whole server without a network; `bytes` is its answer. Before
// each request something is written, so that no row is kept; before those of `coldMs` a permission was changed, so that
// nothing is kept of what decides either. Turns alternate, so that a slow moment of the machine meets all of them.
import { join, resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { openRuntime } from '../src/cli/runtime.ts'
import { buildServer } from '../src/cli/server.ts'
import { readConfig } from '../src/platform/config.ts'
import { createLog } from '../src/platform/log.ts'
import { median, print, round, temporaryFolder, timeMs } from './measure.ts'
import { COLLECTIONS, fillOrganization, MEMBERS, SPACES, TEAMS } from './organization.ts'

const EVENTS = 100_000
const ROUNDS = 7
/** The first of them compile statements and code. */
const ROUNDS_LEFT_OUT = 2
const [beside] = process.argv.slice(2)

const config = readConfig({
  ...process.env,
  OCTAVO_HOME: join(temporaryFolder(), 'home'),
  OCTAVO_LOG_LEVEL: 'error',
})
const runtime = await openRuntime(config, createLog('error'))
const { services } = runtime
const { organizationId, spaceId, tokens } = await fillOrganization(services)
await fillEvents()
const app = buildServer(services)
const apps: Record<string, FastifyInstance> = { cold: app, now: app }
if (beside !== undefined) {
  const other = await import(resolve(beside, 'src/cli/server.ts'))
  apps.before = other.buildServer(services)
}

print({
  bench: 'people',
  database: config.databaseUrl === undefined ? 'embedded' : 'postgres',
  spaces: SPACES,
  collections: COLLECTIONS,
  members: MEMBERS,
  teams: TEAMS,
  events: EVENTS,
  lists: await measure(listsOf(`/orgs/${organizationId}`)),
})
for (const one of new Set(Object.values(apps))) await one.close()
await runtime.close()

function listsOf(organization: string): Record<string, string> {
  const audit = `${organization}/audit-events`
  return {
    member: `${organization}/members/${organizationId}u1`,
    members100: `${organization}/members?limit=100`,
    members1000: `${organization}/members?limit=1000`,
    teams: `${organization}/teams`,
    teamMembers: `${organization}/teams/${organizationId}t1/members`,
    teamsOfMember: `${organization}/members/${organizationId}u1/teams`,
    spacesOfMember: `${organization}/members/${organizationId}u1/spaces`,
    aggregate: `/spaces/${spaceId}/permissions/aggregate`,
    collections: `${organization}/collections`,
    audit,
    auditAction: `${audit}?action=space.published`,
    auditSignIns: `${audit}?action=session.begun`,
    auditActor: `${audit}?actor=${organizationId}u7`,
    auditTarget: `${audit}?target=${organizationId}s7`,
    auditWeek: `${audit}?from=${daysAgo(20)}&to=${daysAgo(13)}`,
  }
}

function daysAgo(days: number): string {
  const date = new Date()
  date.setUTCDate(date.getUTCDate() - days)
  return date.toISOString()
}

async function measure(lists: Record<string, string>) {
  const times = new Map<string, number[]>()
  const answers: Record<string, { count?: number; bytes: number }> = {}
  for (let turn = 0; turn < ROUNDS; turn += 1)
    for (const [list, path] of Object.entries(lists)) {
      const seen = new Set<string>()
      for (const [version, app] of Object.entries(apps)) {
        if (version === 'cold') await moveAccess()
        services.changes.touch()
        const took = await timeMs(async () => {
          const body = await get(app, path)
          answers[list] = { count: JSON.parse(body).count, bytes: body.length }
          seen.add(body)
        })
        if (turn >= ROUNDS_LEFT_OUT)
          times.set(`${version} ${list}`, [...(times.get(`${version} ${list}`) ?? []), took])
      }
      if (seen.size !== 1) throw new Error(`${list}: the two versions do not answer the same`)
    }
  const msOf = (version: string, list: string) => round(median(times.get(`${version} ${list}`) ?? []))
  return Object.fromEntries(
    Object.keys(lists).map(list => [
      list,
      {
        ...answers[list],
        ms: msOf('now', list),
        coldMs: msOf('cold', list),
        ...(apps.before === undefined ? {} : { beforeMs: msOf('before', list) }),
      },
    ]),
  )
}

async function get(app: FastifyInstance, path: string): Promise<string> {
  const headers = { authorization: `Bearer ${tokens.admin}` }
  const answer = await app.inject({ url: `/v1${path}`, headers })
  if (answer.statusCode !== 200) throw new Error(answer.payload)
  return answer.payload
}

/** As every change of who may see what does. */
async function moveAccess() {
  await sql`update access_versions set version = version + 1 where organization_id = ${organizationId}`.execute(
    services.db,
  )
}

/** One a minute, so that they go back seventy days. */
async function fillEvents() {
  await sql`update members set joined_at = now() - interval '1 year' where organization_id = ${organizationId}`.execute(
    services.db,
  )
  await sql`insert into events (id, type, organization_id, space_id, actor_id, actor_kind, payload, occurred_at)
    select gen_random_uuid()::text,
      case when n % 10 = 0 then 'session.begun'
        else (array['member.changed', 'space.published', 'space.changed', 'space.permission_changed', 'member.changed'])[n % 5 + 1] end,
      case when n % 10 = 0 then null else ${organizationId} end,
      case when n % 10 in (1, 2, 3, 6, 7, 8) then ${organizationId} || 's' || (n % ${SPACES - 1}::int + 1) end,
      ${organizationId} || 'u' || (n * 7 % ${MEMBERS}::int + 1), 'user',
      json_build_object('user', ${organizationId} || 'u' || (n * 7 % ${MEMBERS}::int + 1)),
      now() - n * interval '1 minute'
    from generate_series(1, ${EVENTS}::int) as n`.execute(services.db)
  await sql`vacuum analyze events`.execute(services.db)
}
