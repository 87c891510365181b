// One organization with a member of each role, a guest, and a stranger who has nothing to do with it. Every test makes
// its own world, so nothing is ever truncated and tests do not see each other.

import { MEMBER_ROLES, type MemberRole } from '../../src/access/policy.ts'
import type { UserPrincipal } from '../../src/access/principal.ts'
import { createUser, issueToken } from '../../src/api/accounts/actions.ts'
import { insertMember } from '../../src/api/members/rows.ts'
import { beginOrganization } from '../../src/api/organizations/actions.ts'
import { assert } from '../../src/base/assert.ts'
import { newId } from '../../src/base/ids.ts'
import type { Environment } from '../../src/platform/config.ts'
import { assertContract, assertStream } from './contract.ts'
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
  /** Calls `/v1<path>`, as the admin unless told otherwise; `as: null` sends no token. */
  call(method: string, path: string, call?: Call): Promise<Reply>
  /** Somebody as the code below the frame is given them. */
  principalOf(person: PersonName): Promise<UserPrincipal>
  /** A new space of the organization; private unless told otherwise. */
  createSpace(body?: Readonly<Record<string, unknown>>): Promise<{ id: string; revision: string }>
}

/** `settings`: variables of the environment, for a server of this file's own. */
export const world = async (settings?: Environment): Promise<World> => worldOn(await testServer(settings))

export async function worldOn(server: TestServer): Promise<World> {
  const { services, app } = server
  const { people, organizationId } = await services.transaction(async trx => {
    const person = async (): Promise<Person> => {
      const user = await createUser(trx, `${newId()}@people.test`)
      const { secret } = await issueToken(trx, { userId: user.id, label: 'test' })
      return { id: user.id, email: user.email, token: secret }
    }
    const admin = await person()
    const organization = await beginOrganization(trx, services.events, admin.id, { title: 'A world' })
    const people: Partial<Record<PersonName, Person>> = {
      admin,
      stranger: await person(),
      guest: await person(),
    }
    for (const role of MEMBER_ROLES) people[role] ??= await person()
    for (const [name, { id }] of Object.entries(people)) {
      if (name === 'stranger' || name === 'admin') continue
      await insertMember(trx, {
        organization_id: organization.id,
        user_id: id,
        role: name === 'guest' ? null : (name as MemberRole),
      })
    }
    return { people: people as Record<PersonName, Person>, organizationId: organization.id }
  })

  const call: World['call'] = async (method, path, { as = 'admin', body, payload, headers } = {}) => {
    const token = as === null ? undefined : typeof as === 'string' ? people[as].token : as.token
    const sent = payload ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await app.inject({
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
