// A private OpenAPI specification, the blocks and pages that name it, and callers who may read a space and not the
// specification.
import { installationToken } from './installations.ts'
import { keepSpecification } from './specifications.ts'
import { shareLinkOf, visitorTokenOf } from './visitors.ts'
import type { Call, World } from './world.ts'

/** A word of the specification that no page has. */
export const SECRET = 'Payroll'

export const keepPrivate = (w: World, slug: string): Promise<void> =>
  keepSpecification(
    w,
    slug,
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: SECRET, version: '1', description: `${SECRET} of everybody.` },
      tags: [{ name: SECRET, description: SECRET }],
      paths: { '/wages': { get: { tags: [SECRET], summary: `${SECRET} of a month`, responses: {} } } },
      components: { schemas: { Wage: { type: 'object', description: SECRET } } },
    }),
  )

export const blockOf = (slug: string): string =>
  `{% openapi-operation spec="${slug}" path="/wages" method="get" %}\n[words](https://example.com)\n{% endopenapi-operation %}\n`

/** A table of contents with the computed pages of a specification. */
export const summaryOf = (slug: string): string =>
  `* [Start](README.md)\n* \`\`\`yaml\n  type: builtin:openapi\n  dependencies:\n    spec:\n      ref:\n        kind: openapi\n        spec: ${slug}\n  \`\`\`\n`

export type Caller = Pick<Call, 'as'> & { readonly query?: string }

/** Who reads the space and has no view of the organization's specifications, by the visibility the space needs. */
export const OUTSIDERS: Readonly<
  Record<string, { readonly visibility: string; of(w: World, spaceId: string): Promise<Caller> }>
> = {
  'nobody in particular': { visibility: 'public', of: async () => ({ as: null }) },
  'a stranger': { visibility: 'public', of: async () => ({ as: 'stranger' }) },
  'the key of a share link': {
    visibility: 'share-link',
    of: async (w, id) => ({ as: null, query: `?shareKey=${(await shareLinkOf(w, id)).key}` }),
  },
  'a token of a visitor': {
    visibility: 'visitor-auth',
    of: async (w, id) => ({ as: { token: await visitorTokenOf(w, id) } }),
  },
  'a content token': {
    visibility: 'private',
    of: async (w, id) => ({
      as: { token: (await w.call('POST', `/spaces/${id}/content-tokens`)).body.token },
    }),
  },
  'a guest who may edit': {
    visibility: 'private',
    async of(w, id) {
      await w.call('PATCH', `/spaces/${id}/permissions/users/${w.people.guest.id}`, {
        body: { role: 'edit' },
      })
      return { as: 'guest' }
    },
  },
  'an installation that may edit': {
    visibility: 'private',
    of: async (w, id) => ({ as: { token: await installationToken(w, ['space:content:write'], [id]) } }),
  },
  'a token of a member for other things': {
    visibility: 'private',
    of: async w => ({
      as: {
        token: (await w.call('POST', '/user/tokens', { body: { label: 'narrow', scopes: ['space:read'] } }))
          .body.token,
      },
    }),
  },
}
