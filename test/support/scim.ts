// A directory that calls SCIM of a world's organization with a token of its own.
import assert from 'node:assert/strict'
import { inject } from './inject.ts'
import type { World } from './world.ts'

export type ScimReply = {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the body should have
  readonly body: any
}

export type Directory = {
  readonly token: string
  readonly tokenId: string
  readonly base: string
  /** `path` is below the organization's address of SCIM. */
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<ScimReply>
  /** A person who did not exist; returns their resource. */
  person(body?: Readonly<Record<string, unknown>>): Promise<ScimReply['body']>
}

let made = 0

export async function directoryOf(
  w: World,
  organizationId = w.organizationId,
  prefix = 'person',
): Promise<Directory> {
  const path = `/orgs/${organizationId}/scim/tokens`
  const { status, body: token } = await w.call('POST', path, { body: { label: 'Directory' } })
  assert.equal(status, 201)
  const base = `/scim/v2/${organizationId}`
  const call: Directory['call'] = async (method, below, body, headers = {}) => {
    const response = await inject(w.app, {
      method: method as 'GET',
      url: base + below,
      headers: {
        authorization: `Bearer ${token.token}`,
        'content-type': 'application/scim+json',
        ...headers,
      },
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const type = String(response.headers['content-type'] ?? '')
    if (response.payload !== '') assert.match(type, /^application\/scim\+json/)
    const parsed = response.payload === '' ? undefined : JSON.parse(response.payload)
    if (response.statusCode >= 400) {
      assert.deepEqual(parsed.schemas, ['urn:ietf:params:scim:api:messages:2.0:Error'])
      assert.equal(parsed.status, String(response.statusCode))
    }
    return { status: response.statusCode, headers: response.headers, body: parsed }
  }
  return {
    ...{ token: token.token, tokenId: token.id, base, call },
    async person(body = {}) {
      made += 1
      const userName = `${prefix}-${made}-${organizationId.toLowerCase()}@people.test`
      const reply = await call('POST', '/Users', {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
        userName,
        ...body,
      })
      assert.equal(reply.status, 201, JSON.stringify(reply.body))
      return reply.body
    },
  }
}

/** The body of a PATCH. */
export const patchOf = (...Operations: readonly unknown[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
})
