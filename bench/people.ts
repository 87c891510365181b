// What do lists of people cost in a large organization, and its audit after many events?
//
//   node bench/people.ts                 on the embedded database
//   DATABASE_URL=postgres://… node bench/people.ts
//
// The organization of organization.ts, with 100,000 events, a tenth of them of people and not of the organization.
//
// Each list is asked for with an admin's token over loopback, from a server that runs its jobs; `bytes` is its answer.
// Before each request something is written, so that no row is cached; before those of `coldMs` a permission was changed, so
// that no decision is cached either. Turns alternate, so that a slow moment of the machine meets all of them.
import { sql } from 'kysely'
import type { Services } from '../src/http/context.ts'
import { withServices } from './in-process.ts'
import { DATABASE, report, round, Times } from './measure.ts'
import { COLLECTIONS, fillOrganization, MEMBERS, SPACES, TEAMS } from './organization.ts'
import { startedHome, startServer } from './server.ts'

const EVENTS = 100_000
const ROUNDS = 7
/** The first of them compile statements and code. */
const ROUNDS_LEFT_OUT = 2

const home = await startedHome()
const { organizationId, spaceId, tokens } = await withServices(home, async services => {
  const filled = await fillOrganization(services)
  await fillEvents(services, filled.organizationId)
  return filled
})
const server = await startServer({}, home)
const headers = { authorization: `Bearer ${tokens.admin}`, 'content-type': 'application/json' }

report('people', {
  database: DATABASE,
  spaces: SPACES,
  collections: COLLECTIONS,
  members: MEMBERS,
  teams: TEAMS,
  events: EVENTS,
  lists: await measure(listsOf(`/orgs/${organizationId}`)),
})
await server.stop()

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
  const times = new Times()
  const answers: Record<string, { count?: number; bytes: number }> = {}
  for (let turn = 0; turn < ROUNDS; turn += 1)
    for (const [list, path] of Object.entries(lists))
      for (const [kind, prepare] of [
        ['ms', writeRow],
        ['coldMs', changePermission],
      ] as const) {
        await prepare(turn)
        const ask = async () => {
          const body = await send('GET', path)
          answers[list] = { count: JSON.parse(body).count, bytes: body.length }
        }
        if (turn < ROUNDS_LEFT_OUT) await ask()
        else await times.take(`${kind} ${list}`, ask)
      }
  const msOf = (kind: string, list: string) => round(times.median(`${kind} ${list}`))
  return Object.fromEntries(
    Object.keys(lists).map(list => [
      list,
      { ...answers[list], ms: msOf('ms', list), coldMs: msOf('coldMs', list) },
    ]),
  )
}

async function send(method: string, path: string, body?: object): Promise<string> {
  const answer = await fetch(`${server.url}/v1${path}`, {
    method,
    headers,
    body: JSON.stringify(body) ?? null,
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return text
}

/** After it no row is cached. */
function writeRow(turn: number): Promise<string> {
  return send('PATCH', `/spaces/${spaceId}`, { title: `Title ${turn}` })
}

/** After it no decision is cached either. */
function changePermission(turn: number): Promise<string> {
  return send('PATCH', `/spaces/${spaceId}`, { defaultLevel: turn % 2 === 0 ? 'read' : 'inherit' })
}

/** One a minute, so that they go back seventy days. */
async function fillEvents({ db }: Services, organizationId: string) {
  await sql`update members set joined_at = now() - interval '1 year' where organization_id = ${organizationId}`.execute(
    db,
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
    from generate_series(1, ${EVENTS}::int) as n`.execute(db)
  await sql`vacuum analyze events`.execute(db)
}
