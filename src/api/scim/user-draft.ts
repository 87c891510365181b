// A person as a directory describes them (RFC 7643 §4.1). A body and a PATCH are read alike, as changes of a draft, one
// attribute after the other. What Octavo does not keep is ignored (RFC 7644 §3.3).
import { isObject } from '../../base/objects.ts'
import { matches } from '../../engines/scim/matches.ts'
import { fieldOf, type PatchOperation } from '../../engines/scim/patch.ts'
import { isMailAddress } from '../accounts/users-by-email.ts'
import { immutable, invalidPath, invalidValue, noTarget } from './failures.ts'

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'

export type UserDraft = {
  readonly userName: string | null
  readonly externalId: string | null
  readonly displayName: string | null
  readonly formatted: string | null
  readonly givenName: string | null
  readonly familyName: string | null
  readonly email: string | null
  readonly active: boolean
}

/** What a draft comes to. */
export type Person = Omit<UserDraft, 'userName' | 'displayName' | 'formatted' | 'email'> & {
  readonly userName: string
  readonly displayName: string
  readonly email: string
}

export const EMPTY_DRAFT: UserDraft = {
  ...{ userName: null, externalId: null, displayName: null, formatted: null, givenName: null },
  ...{ familyName: null, email: null, active: true },
}

const TEXT_CHARACTERS_MAX = 256
/** The one type of address that is kept. */
export const EMAIL_TYPE = 'work'

/** Attributes of RFC 7643 §4.1 that Octavo does not keep. */
const IGNORED: ReadonlySet<string> = new Set([
  ...['nickname', 'profileurl', 'title', 'usertype', 'preferredlanguage', 'locale', 'timezone', 'password'],
  ...['phonenumbers', 'ims', 'photos', 'addresses', 'entitlements', 'roles', 'x509certificates'],
])
const READ_ONLY: ReadonlySet<string> = new Set(['id', 'meta', 'groups', 'schemas'])

/** @throws {Failure} for what the draft cannot be. */
export function changeDraft(draft: UserDraft, operation: PatchOperation): UserDraft {
  const { path, op, isNamed } = operation
  const { uri, name } = path.attribute
  // The enterprise extension, and others.
  if (uri !== null && uri.toLowerCase() !== USER_SCHEMA.toLowerCase()) return draft
  const value = op === 'remove' ? null : operation.value
  const attribute = name.toLowerCase()
  const sub = (path.sub ?? path.attribute.sub)?.toLowerCase() ?? null
  if (IGNORED.has(attribute)) return draft
  if (READ_ONLY.has(attribute)) {
    if (isNamed) throw immutable(`${name}: this is read only.`)
    return draft
  }
  if (attribute === 'emails') return changeEmail(draft, operation, sub)
  if (path.filter !== null) throw invalidPath(`${name}: this is not a list.`)
  if (attribute === 'name') return sub === null ? changeName(draft, value) : changePart(draft, sub, value)
  if (sub === null)
    switch (attribute) {
      case 'username':
        return { ...draft, userName: readText('userName', value) }
      case 'externalid':
        return { ...draft, externalId: readText('externalId', value) }
      case 'displayname':
        return { ...draft, displayName: readText('displayName', value) }
      case 'active':
        return { ...draft, active: readActive(value) }
    }
  if (isNamed) throw invalidPath(`${name}: a user has no such attribute.`)
  return draft
}

export function toPerson({ formatted, ...draft }: UserDraft): Person {
  const { userName } = draft
  if (userName === null) throw invalidValue('userName: this is required.')
  const email = draft.email ?? (isMailAddress(userName) ? userName : null)
  if (email === null)
    throw invalidValue('emails: send an email address, as userName is none. People are known by it.')
  const parts = [draft.givenName, draft.familyName].filter(part => part !== null).join(' ')
  const displayName = draft.displayName ?? formatted ?? (parts === '' ? email.split('@', 1)[0] : parts)
  return { ...draft, userName, email, displayName: displayName ?? userName }
}

function changeName(draft: UserDraft, value: unknown): UserDraft {
  if (value === null) return { ...draft, formatted: null, givenName: null, familyName: null }
  if (!isObject(value)) throw invalidValue('name: this must be an object.')
  return Object.entries(value).reduce((one, [part, text]) => changePart(one, part.toLowerCase(), text), draft)
}

function changePart(draft: UserDraft, part: string, value: unknown): UserDraft {
  switch (part) {
    case 'formatted':
      return { ...draft, formatted: readText('name.formatted', value) }
    case 'givenname':
      return { ...draft, givenName: readText('name.givenName', value) }
    case 'familyname':
      return { ...draft, familyName: readText('name.familyName', value) }
    default:
      return draft
  }
}

function changeEmail(draft: UserDraft, { op, path, value }: PatchOperation, sub: string | null): UserDraft {
  const { filter } = path
  if (filter !== null) {
    const kept = { value: draft.email ?? '', type: EMAIL_TYPE, primary: true }
    if (!matches(filter, kept)) {
      // Another type of address is not kept; another address is a mistake.
      const isOfOtherType = ['home', 'other'].some(type =>
        matches(filter, { type, primary: false, value: '' }),
      )
      if (op !== 'replace' || isOfOtherType) return draft
      throw noTarget('emails: no address matches this filter.')
    }
  }
  if (sub !== null && sub !== 'value') return draft
  if (op === 'remove' || value === null) return { ...draft, email: null }
  const chosen = sub === 'value' ? { value } : chooseEmail(value)
  if (chosen === undefined) return op === 'replace' ? { ...draft, email: null } : draft
  // A second address beside the first.
  const isSecond = op === 'add' && filter === null && sub === null && draft.email !== null
  if (isSecond && readActiveOr(fieldOf(chosen, 'primary'), false) === false) return draft
  return { ...draft, email: readAddress(fieldOf(chosen, 'value')) }
}

/** Of those that have a value: the primary address, else one for work, else the first. */
function chooseEmail(value: unknown): unknown {
  if (typeof value === 'string') return { value }
  const all = Array.isArray(value) ? value : [value]
  for (const one of all)
    if (!isObject(one)) throw invalidValue('emails: this must be a list of objects with a value.')
  const filled = all.filter(one => (fieldOf(one, 'value') ?? '') !== '')
  return (
    filled.find(one => readActiveOr(fieldOf(one, 'primary'), false)) ??
    filled.find(one => String(fieldOf(one, 'type')).toLowerCase() === EMAIL_TYPE) ??
    filled[0] ??
    all[0]
  )
}

function readAddress(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  const email = typeof value === 'string' ? value.trim().normalize('NFC') : ''
  if (!isMailAddress(email)) throw invalidValue('emails.value: this is not an email address.')
  return email
}

/** Null and the empty text remove it. */
export function readText(field: string, value: unknown, charactersMax = TEXT_CHARACTERS_MAX): string | null {
  if (value === null || value === undefined || value === '') return null
  if (typeof value !== 'string') throw invalidValue(`${field}: this must be a text.`)
  if (value.length > charactersMax)
    throw invalidValue(`${field}: it has more than ${charactersMax} characters.`)
  if (/\p{Cc}/u.test(value)) throw invalidValue(`${field}: it has control characters.`)
  return value.trim() === '' ? null : value
}

const readActiveOr = (value: unknown, absent: boolean): boolean => {
  if (typeof value === 'boolean') return value
  const word = typeof value === 'string' ? value.toLowerCase() : ''
  return word === 'true' || (word === 'false' ? false : absent)
}

/** Entra sends "True" and "False". */
function readActive(value: unknown): boolean {
  if (readActiveOr(value, true) === readActiveOr(value, false)) return readActiveOr(value, true)
  throw invalidValue('active: send true or false.')
}
