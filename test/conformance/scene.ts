// What the tests over all operations stand on: a world with one of everything, so that the path of any operation can be
// written with ids that are there. A place that is added brings its ids here.
import { allows, type RoleOn, rolesOn, type Subject } from '../../src/access/policy.ts'
import type { Operation } from '../../src/http/operation.ts'
import { type PersonName, world } from '../support/world.ts'

export const w = await world()
const org = `/orgs/${w.organizationId}`
export const space = await w.createSpace({ title: 'Private' })
const { body: changeRequest } = await w.call('POST', `/spaces/${space.id}/change-requests`)

/** By the name of the parameter. */
const ids: Record<string, string> = {
  changeRequestId: changeRequest.id,
  organizationId: w.organizationId,
  spaceId: space.id,
  revisionId: space.revision,
  userId: w.people.read.id,
}

/** A comment of a discussion, and a reply to it. */
async function saidAt(discussion: string): Promise<Record<string, string>> {
  const said = { body: { body: { markdown: 'Said.' } } }
  const { body: comment } = await w.call('POST', `${discussion}/comments`, said)
  const { body: reply } = await w.call('POST', `${discussion}/comments/${comment.id}/replies`, said)
  return { commentId: comment.id, commentReplyId: reply.id }
}
const saidInSpace = await saidAt(`/spaces/${space.id}`)
const saidInChangeRequest = await saidAt(`/spaces/${space.id}/change-requests/${changeRequest.id}`)

/** The path of an operation with real ids for its place and an unknown one for what hangs below. */
export function pathOf(operation: Operation): string {
  const said = operation.path.includes('{changeRequestId}') ? saidInChangeRequest : saidInSpace
  const known = { ...ids, ...said }
  return operation.path.replaceAll(/\{(\w+)\*?\}/g, (_, name: string) => known[name] ?? 'unknown')
}

/** Whoever has this role on the thing: the roles in the organization are the roles on its spaces and collections. */
export function personWith(subject: Subject, role: string): PersonName | undefined {
  if (subject === 'user') return role === 'colleague' ? 'edit' : undefined
  if (subject === 'comment') return ON_ANOTHERS_COMMENT[role]
  if (subject === 'team') return ON_A_TEAM[role]
  return role === 'visitor' || role === 'invited' ? undefined : (role as PersonName)
}

/** On what an admin has said. */
const ON_ANOTHERS_COMMENT: Readonly<Record<string, PersonName>> = {
  ...{ reader: 'read', commenter: 'edit', reviewer: 'create', moderator: 'admin' },
}

/** On the team of the scene, which `comment` is in and `edit` owns. */
const ON_A_TEAM: Readonly<Record<string, PersonName>> = {
  ...{ onlooker: 'read', member: 'comment', owner: 'edit', admin: 'admin' },
}

/** The strongest role that may see the thing but not do this with it. */
export function weakPerson(operation: Operation): PersonName | undefined {
  const { place } = operation
  if (place === null) return undefined
  const weak = rolesOn(place.subject).filter(
    role =>
      allows(place.subject, 'view', role) &&
      !allows(place.subject, operation.may as never, role as RoleOn<Subject> as never),
  )
  return weak.map(role => personWith(place.subject, role)).findLast(person => person !== undefined)
}

export { ids, org }
