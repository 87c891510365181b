// Collections and spaces of a world, and their nesting.
import { sql } from 'kysely'
import type { World } from './world.ts'

export const standingIn = (w: World) => ({
  /** The id of a new one. */
  async collection(title: string, parent?: string): Promise<string> {
    return (await w.call('POST', `/orgs/${w.organizationId}/collections`, { body: { title, parent } })).body
      .id
  },
  async space(title: string, parent?: string): Promise<string> {
    return (await w.createSpace({ title, parent })).id
  },
  /** The titles of the children of a collection, in the order of both kinds together. */
  async orderIn(parent: string): Promise<string[]> {
    const { rows } = await sql<{ title: string }>`
      select title from (
        select title, position, id from collections where parent_id = ${parent}
        union all select title, position, id from spaces where parent_id = ${parent} and deleted_at is null) as every
      order by position, id`.execute(w.services.db)
    return rows.map(({ title }) => title)
  },
})
