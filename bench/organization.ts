// A large organization for benchmarks, the same in all of them: 10,000 spaces in 1,000 collections, three deep, with 1,000
// members, 100 teams and what was given to them here and there.
import { sql } from 'kysely'
import { createUser, issueToken } from '../src/api/accounts/actions.ts'
import { beginOrganization } from '../src/api/organizations/actions.ts'
import { beginSpace } from '../src/api/spaces/actions.ts'
import { newId } from '../src/base/ids.ts'
import type { Services } from '../src/http/context.ts'

export const SPACES = 10_000
export const MEMBERS = 1_000
export const TEAMS = 100
/** At the root, and below each collection of the level above: 10 + 100 + 900. */
export const COLLECTIONS = [10, 10, 9]
const TEAMS_PER_MEMBER = 3
const GRANTS_PER_TEAM = 20
const GRANTS_PER_MEMBER = 2

/** Made by statements over series: ten thousand spaces by requests would take longer than all that is measured. */
export async function fillOrganization(services: Services) {
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
    // one in twenty is at the root, one in ten says itself what members have, one in twenty is public
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
    // the page that is read is three deep
    await sql`update spaces set parent_id = ${org} || 'c' || ${before}::text where id = ${space.id}`.execute(
      trx,
    )
    const tokenOf = async (userId: string) => (await issueToken(trx, { userId, label: 'bench' })).secret
    const tokens = {
      admin: await tokenOf(admin.id),
      read: await tokenOf(`${org}u1`),
      create: await tokenOf(`${org}u2`),
      guest: await tokenOf(`${org}u10`),
    }
    return { organizationId: org, spaceId: space.id, tokens }
  })
  // as either database does by itself after a while
  for (const table of ['spaces', 'collections', 'grants', 'members', 'teams', 'team_members', 'users'])
    await sql`vacuum analyze ${sql.table(table)}`.execute(services.db)
  return filled
}
