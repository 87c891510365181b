// Conversations of a world, and waiting for what is found in them.
import { setTimeout as sleep } from 'node:timers/promises'
import type { World } from './world.ts'

/** A conversation as it comes in: what the customer said, one message after the other. */
export const conversation = (id: string, said: string | readonly string[], more: object = {}) => ({
  id,
  parts: [said].flat().map(body => ({ type: 'message', role: 'user', body })),
  ...more,
})

/** Resolves when everything that came into the organization has been read and put into clusters. */
export async function allRead({ services, organizationId }: World, id = organizationId): Promise<void> {
  for (;;) {
    const waiting = await services.db
      .selectFrom('jobs')
      .select('error')
      .where('key', '=', id)
      .where('name', 'like', 'conversations.%')
      .execute()
    if (waiting.length === 0) return
    for (const { error } of waiting) if (error !== null) throw new Error(error)
    await sleep(5)
  }
}
