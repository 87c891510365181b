// What a body or a PATCH says of a group (RFC 7643 §4.2), read one attribute after the other. Of its members only the
// changes are noted, so that a change of a large group is as small as its body.
import { isObject } from '../../base/objects.ts'
import type { Filter } from '../../engines/scim/filter.ts'
import { fieldOf, type PatchOperation } from '../../engines/scim/patch.ts'
import { TITLE_CHARACTERS_MAX } from '../teams/schema.ts'
import { immutable, invalidPath, invalidValue } from './failures.ts'
import { readText } from './user-draft.ts'

export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'

export type GroupDraft = {
  /** Undefined: as it is. */
  readonly displayName: string | undefined
  readonly externalId: string | null | undefined
  /** Whether only those who are added here remain. */
  readonly isReplacing: boolean
  /** Whether each of these people is in the group in the end. */
  readonly members: ReadonlyMap<string, boolean>
}

const UNCHANGED: GroupDraft = {
  displayName: undefined,
  externalId: undefined,
  isReplacing: false,
  members: new Map(),
}

/** People whom one request names. */
export const MEMBERS_MAX = 10_000

const READ_ONLY: ReadonlySet<string> = new Set(['id', 'meta', 'schemas'])

/** @throws {Failure} for what a group cannot be. */
export function readGroup(operations: readonly PatchOperation[]): GroupDraft {
  let draft = UNCHANGED
  // One map for all operations: Entra sends one for each person.
  const members = new Map<string, boolean>()
  for (const operation of operations) {
    const { path, op, isNamed } = operation
    const { uri, name } = path.attribute
    if (uri !== null && uri.toLowerCase() !== GROUP_SCHEMA.toLowerCase()) continue
    const value = op === 'remove' ? null : operation.value
    const attribute = name.toLowerCase()
    const sub = path.sub ?? path.attribute.sub
    if (READ_ONLY.has(attribute)) {
      if (isNamed) throw immutable(`${name}: this is read only.`)
    } else if (attribute === 'members') {
      const isReplacing = changeMembers(members, operation)
      if (isReplacing) draft = { ...draft, isReplacing }
      if (members.size > MEMBERS_MAX)
        throw invalidValue(`members: name at most ${MEMBERS_MAX} in one request.`)
    } else if (path.filter === null && sub === null && attribute === 'displayname') {
      draft = { ...draft, displayName: readTitle(value) }
    } else if (path.filter === null && sub === null && attribute === 'externalid') {
      draft = { ...draft, externalId: readText('externalId', value) }
    } else if (isNamed) throw invalidPath(`${name}: a group has no such attribute.`)
  }
  return { ...draft, members }
}

function readTitle(value: unknown): string {
  const title = readText('displayName', value, TITLE_CHARACTERS_MAX)
  if (title === null) throw invalidValue('displayName: this is required.')
  return title
}

/** Returns whether those who were there before are out, unless they are named. */
function changeMembers(members: Map<string, boolean>, { op, path, value }: PatchOperation): boolean {
  const sub = (path.sub ?? path.attribute.sub)?.toLowerCase() ?? null
  if (sub !== null && sub !== 'value') throw immutable(`members.${sub}: this is read only.`)
  const chosen = path.filter === null ? null : idsOf(path.filter)
  if (op === 'remove') {
    // Entra names those to remove in the value (a path alone would remove all).
    const unwanted = chosen ?? (value === undefined || value === null ? null : readIds(value))
    if (unwanted !== null) for (const id of unwanted) members.set(id, false)
    else members.clear()
    return unwanted === null
  }
  if (chosen !== null)
    throw invalidPath('members: add and replace take no filter. Send the ids in the value.')
  const ids = readIds(value)
  if (op === 'replace') members.clear()
  for (const id of ids) members.set(id, true)
  return op === 'replace'
}

function readIds(value: unknown): readonly string[] {
  if (value === null) return []
  const items = Array.isArray(value) ? value : [value]
  return items.map(item => {
    const id = isObject(item) ? fieldOf(item, 'value') : item
    if (typeof id !== 'string' || id === '')
      throw invalidValue('members: send a list of objects, each with the id of a user as its value.')
    return id
  })
}

/** `value eq "…"`, or several of them with `or`. */
function idsOf(filter: Filter): readonly string[] {
  if (filter.kind === 'or') return filter.filters.flatMap(idsOf)
  if (filter.kind === 'compare' && filter.operator === 'eq' && filter.path.name.toLowerCase() === 'value')
    if (typeof filter.value === 'string') return [filter.value]
  throw invalidPath('members: name people by value eq "…".')
}
