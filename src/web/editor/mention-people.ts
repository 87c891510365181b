// `@` mentions people, as in comments: a link to the person, which still means them when they change their name.
import { cache } from '../data/cache.ts'
import { membersLike } from '../data/members.ts'
import { mentionAt, writeMentions } from '../parts/thread/mentions.ts'
import { lineBefore, type Suggested, type Typing } from './suggestion.ts'

export async function suggestPeople(typing: Typing, organizationId: string): Promise<Suggested | null> {
  const before = lineBefore(typing)
  const open = mentionAt(before.text, before.text.length)
  if (open === undefined) return null
  // Guests may not list them: it fails.
  const { items } = await cache.fetchQuery({
    ...membersLike(organizationId, open.query.trim()),
    retry: false,
  })
  const people = items.filter(({ disabled }) => !disabled)
  return {
    from: before.start + open.start,
    to: typing.caret,
    suggestions: people.map(({ user: { id, displayName } }) => ({
      label: displayName,
      insert: { text: `${writeMentions(`@${displayName}`, new Map([[displayName, id]]))} ` },
    })),
  }
}
