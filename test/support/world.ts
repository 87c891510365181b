// One organization with a member of each role, a guest, and a stranger who has nothing to do with it. Every test makes
// its own world, so nothing is ever truncated and tests do not see each other.

import { MEMBER_ROLES, type MemberRole } from '../../src/access/policy.ts'
import { hashToken, type UserPrincipal } from '../../src/access/principal.ts'
import { newTokenSecret } from '../../src/api/accounts/actions.ts'
import { beginOrganization } from '../../src/api/organizations/actions.ts'
import { assert } from '../../src/base/assert.ts'
import { newId } from '../../src/base/ids.ts'
import type { Environment } from '../../src/platform/config.ts'
import type { Trx } from '../../src/platform/db/database.ts'
import type { Events } from '../../src/platform/events/append.ts'
import { assertContract, assertStream } from './contract.ts'
import { inject } from './inject.ts'
import { type TestServer, testServer } from './server.ts'

export type PersonName = MemberRole | 'guest' | 'stranger'

export type Person = { readonly id: string; readonly email: string; readonly token: string }

export type Reply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The parsed JSON body, or undefined where there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the body should have
  readonly body: any
  readonly text: string
}

export type Call = {
  readonly as?: PersonName | { readonly token: string } | null
  readonly body?: unknown
  /** Sent as it is, instead of `body`. */
  readonly payload?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

export type World = TestServer & {
  readonly organizationId: string
  readonly people: Readonly<Record<PersonName, Person>>
  /** Calls `/v1<path>`, as the admin by default; `as: null` sends no token. */
  call(method: string, path: string, call?: Call): Promise<Reply>
  /** Somebody as the code below the frame is given them. */
  principalOf(person: PersonName): Promise<UserPrincipal>
  /** A new space of the organization; private by default. */
  createSpace(body?: Readonly<Record<string, unknown>>): Promise<{ id: string; revision: string }>
}

const PEOPLE: readonly PersonName[] = [...MEMBER_ROLES, 'guest', 'stranger']

/** `settings`: variables of the environment, for a server of this file's own. */
export const world = async (settings?: Environment): Promise<World> => worldOn(await testServer(settings))

export async function worldOn(server: TestServer): Promise<World> {
  const { services, app } = server
  const people = Object.fromEntries(
    PEOPLE.map(name => [name, { id: newId(), email: `${newId()}@people.test`, token: newTokenSecret() }]),
  ) as Record<PersonName, Person>
  const organizationId = await services.transaction(trx => settle(trx, services.events, people))

  const call: World['call'] = async (method, path, { as = 'admin', body, payload, headers } = {}) => {
    const token = as === null ? undefined : typeof as === 'string' ? people[as].token : as.token
    const sent = payload ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await inject(app, {
      method: method as 'GET',
      url: `/v1${path}`,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        'content-type': 'application/json',
        ...headers,
      },
      ...(sent === undefined ? {} : { payload: sent }),
    })
    const isJson = String(response.headers['content-type'] ?? '').startsWith('application/json')
    const parsed = isJson && response.payload !== '' ? JSON.parse(response.payload) : undefined
    assertContract(method, path, response.statusCode, parsed)
    if (String(response.headers['content-type']).startsWith('text/event-stream'))
      assertStream(method, path, response.payload)
    return {
      status: response.statusCode,
      headers: response.headers as Record<string, string | undefined>,
      text: response.payload,
      body: parsed,
    }
  }

  return {
    ...server,
    organizationId,
    people,
    call,
    async principalOf(name) {
      const principal = await services.principals.find(people[name].token)
      assert(principal?.kind === 'user', 'people of a world have tokens of their own')
      return principal
    },
    async createSpace(body = {}) {
      const { body: space } = await call('POST', `/orgs/${organizationId}/spaces`, { body })
      return space
    },
  }
}

/** In few statements: most tests begin with a world. */
async function settle(trx: Trx, events: Events, people: World['people']): Promise<string> {
  const all = PEOPLE.map(name => ({ name, ...people[name] }))
  await trx
    .insertInto('users')
    .values(all.map(({ id, email }) => ({ id, email, display_name: email.slice(0, email.indexOf('@')) })))
    .execute()
  await trx
    .insertInto('tokens')
    .values(
      all.map(({ id, token }) => ({
        id: newId(),
        user_id: id,
        label: 'test',
        secret_hash: hashToken(token),
      })),
    )
    .execute()
  const { id } = await beginOrganization(trx, events, people.admin.id, { title: 'A world' })
  await trx
    .insertInto('members')
    .values(
      all
        .filter(({ name }) => name !== 'stranger' && name !== 'admin')
        .map(person => ({
          organization_id: id,
          user_id: person.id,
          role: person.name === 'guest' ? null : (person.name as MemberRole),
        })),
    )
    .execute()
  return id
}
