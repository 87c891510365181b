// A request of each operation for each of its references, which is in order but for the object that it names there.
import { newId } from '../../src/base/ids.ts'
import type { Operation } from '../../src/http/operation.ts'
import type { newScene } from './scene.ts'

export type Scene = Awaited<ReturnType<typeof newScene>>

export type ReferringRequest = {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
}

type Request = (id: string, scene: Scene) => ReferringRequest | Promise<ReferringRequest>

export async function requestFor({ id, path }: Operation, field: string, named: string, scene: Scene) {
  const byField = REQUESTS[id]
  const [part, ...names] = field.split('.')
  if (part === 'query' && byField === undefined) return inQuery(names.join('.').replace('[]', ''), named)
  const request = byField?.[field]
  if (request === undefined)
    throw new Error(
      `${id} (${path}): add a request that names an object in ${field} to ${import.meta.filename}`,
    )
  return request(named, scene)
}

const inQuery = (name: string, id: string): ReferringRequest => ({ query: { [name]: id } })

const bodyOf =
  (body: (id: string, scene: Scene) => object, query?: Readonly<Record<string, string>>): Request =>
  (id, scene) => ({ body: body(id, scene), ...(query === undefined ? {} : { query }) })

/** `users` of a rule of a merge. */
const mergeRules = {
  'body.mergeRules.rules[].users[]': bodyOf(id => ({
    mergeRules: { type: 'rules', rules: [{ rule: 'allow_bypass', users: [id] }] },
  })),
}

const besides = (side: 'before' | 'after') => ({
  [`body.position.${side}.space`]: bodyOf(id => ({ position: { [side]: { type: 'space', space: id } } })),
  [`body.position.${side}.collection`]: bodyOf(id => ({
    position: { [side]: { type: 'collection', collection: id } },
  })),
})
const moving = {
  'body.parent': bodyOf(id => ({ parent: id })),
  ...besides('before'),
  ...besides('after'),
}
const transferring = {
  'body.organization': bodyOf(id => ({ organization: id })),
  'body.collection': bodyOf((id, { w }) => ({ organization: w.organizationId, collection: id })),
}
const inviting = {
  'body.users[]': bodyOf(id => ({ role: 'read', users: [id] })),
  'body.teams[]': bodyOf(id => ({ role: 'read', teams: [id] })),
}

const computed = (props: object) => ({
  'body.source.dependencies.spec.ref.spec': bodyOf(spec => ({
    source: { type: 'builtin:openapi', props, dependencies: { spec: { ref: { kind: 'openapi', spec } } } },
    seed: '',
  })),
})

const NEW_PAGE = { operation: 'insert_page', document: { markdown: '# New\n' } }
const changing = (change: (id: string) => object): Request => bodyOf(id => ({ changes: [change(id)] }))
const link = (target: object) => ({ operation: 'insert_page', type: 'link', title: 'Link', target })

const firstPage = async ({ w, space }: Scene): Promise<string> =>
  (await w.call('GET', `/spaces/${space.id}/content/pages`)).body.pages[0].id

async function newFile({ w, space }: Scene): Promise<string> {
  const files = [{ name: 'a.txt', base64: 'YQ==', contentType: 'text/plain' }]
  const changes = [{ operation: 'insert_files', files }]
  const { body } = await w.call('POST', `/spaces/${space.id}/content`, { body: { changes } })
  return body.insertedFiles[0].id
}

const editing: Readonly<Record<string, Request>> = {
  'body.changes[].target.page': changing(id => link({ kind: 'page', page: id })),
  'body.changes[].target.space': changing(id => link({ kind: 'space', space: id })),
  'body.changes[].target.file': changing(id => link({ kind: 'file', file: id })),
  'body.changes[].into': changing(id => ({ ...NEW_PAGE, into: id })),
  'body.changes[].cover.ref.file': changing(id => ({
    ...NEW_PAGE,
    cover: { ref: { kind: 'file', file: id } },
  })),
  'body.changes[].cover.ref.space': changing(id => ({
    ...NEW_PAGE,
    cover: { ref: { kind: 'file', file: 'a', space: id } },
  })),
  'body.changes[].cover.refDark.file': changing(id => ({
    ...NEW_PAGE,
    cover: { refDark: { kind: 'file', file: id } },
  })),
  'body.changes[].cover.refDark.space': changing(id => ({
    ...NEW_PAGE,
    cover: { refDark: { kind: 'file', file: 'a', space: id } },
  })),
  'body.changes[].page': changing(id => ({ operation: 'update_page', page: id, title: 'Other' })),
  'body.changes[].base': async (id, scene) => ({
    body: {
      changes: [{ operation: 'update_page', page: await firstPage(scene), base: id, title: 'Other' }],
    },
  }),
  'body.changes[].revision': async (id, scene) => ({
    body: { changes: [{ operation: 'revert_page', page: await firstPage(scene), revision: id }] },
  }),
  'body.changes[].files[].upload': changing(id => ({
    operation: 'insert_files',
    files: [{ name: 'a.txt', upload: id }],
  })),
  'body.changes[].upload': async (id, scene) => ({
    body: { changes: [{ operation: 'update_file', file: await newFile(scene), upload: id }] },
  }),
  'body.changes[].file': changing(id => ({ operation: 'delete_file', file: id })),
  'body.changes[].reusableContent': changing(id => ({
    operation: 'update_reusable_content',
    reusableContent: id,
    title: 'Other',
  })),
}

const contentRefs = (field: string, wrap: (template: object) => object) => ({
  [`${field}.page`]: bodyOf(page => wrap({ contentRefs: { support: { kind: 'page', page } } })),
  [`${field}.space`]: bodyOf(space => wrap({ contentRefs: { support: { kind: 'space', space } } })),
  [`${field}.file`]: bodyOf(file => wrap({ contentRefs: { support: { kind: 'file', file } } })),
})
const beginning = {
  'body.template.id': bodyOf(id => ({ template: { id } })),
  ...contentRefs('body.template.params.contentRefs{}', params => ({
    template: { id: 'product-docs', params },
  })),
}

const DRY_RUN = { dryRun: 'true' }
const merging: Readonly<Record<string, Request>> = {
  ...Object.fromEntries(
    ['page', 'file', 'reusableContent'].map(name => [
      `body.resolutions[].${name}`,
      bodyOf(id => ({ resolutions: [{ [name]: id, field: 'title', take: 'ours' }] }), DRY_RUN),
    ]),
  ),
  'body.compared.ours': bodyOf(
    (id, { space }) => ({ compared: { ours: id, theirs: space.revision } }),
    DRY_RUN,
  ),
  'body.compared.theirs': bodyOf(
    (id, { space }) => ({ compared: { ours: space.revision, theirs: id } }),
    DRY_RUN,
  ),
}

/** The revision to roll back is the head. */
const rollingBack = Object.fromEntries(
  Object.entries(merging).map(([field, request]): [string, Request] => [
    field,
    async (id, scene) => {
      const { body } = await scene.w.call('GET', `/spaces/${scene.space.id}`)
      return { params: { revisionId: body.revision }, ...(await request(id, scene)) }
    },
  ]),
)

/** Also those that are not open. */
const listingChangeRequests = Object.fromEntries(
  ['creator', 'contributor', 'requestedReviewer', 'conversationsIssuesCluster'].map(
    (name): [string, Request] => [`query.${name}`, id => ({ query: { [name]: id, status: 'all' } })],
  ),
)

const commenting = { 'body.page': bodyOf(page => ({ page, body: { markdown: 'Said.' } })) }
const previewing = { 'body.page': bodyOf(page => ({ page, markdown: 'Words.' })) }
const provider = { 'body.defaultTeam': bodyOf(id => ({ label: 'Staff', defaultTeam: id })) }

const REQUESTS: Readonly<Record<string, Readonly<Record<string, Request>>>> = {
  listChangeRequestsForOrganization: listingChangeRequests,
  listChangeRequestsForSpace: listingChangeRequests,
  createToken: { 'body.organization': bodyOf(organization => ({ label: 'narrow', organization })) },
  updateOrganizationById: mergeRules,
  createSignInLinks: { 'body.users[]': bodyOf(id => ({ users: [id] })) },
  createOrganizationTeam: { 'body.members[]': bodyOf(id => ({ title: 'New', members: [id] })) },
  updateMembersInOrganizationTeam: {
    'body.add[]': bodyOf(id => ({ add: [id] })),
    'body.memberships{}': bodyOf(id => ({ memberships: { [id]: { role: 'member' } } })),
    'body.remove[]': bodyOf(id => ({ remove: [id] })),
  },
  createCollection: { 'body.parent': bodyOf(parent => ({ title: 'New', parent })) },
  updateSpaceById: mergeRules,
  moveCollection: moving,
  transferCollection: transferring,
  moveSpace: moving,
  transferSpace: transferring,
  inviteToSpace: inviting,
  inviteToCollection: inviting,
  createOrganizationInvite: {
    'body.space': bodyOf(space => ({ level: 'read', space })),
    'body.collection': bodyOf(collection => ({ level: 'read', collection })),
  },
  requestReviewersForChangeRequest: {
    'body.users[]': bodyOf(id => ({ users: [id] })),
    'body.teams[]': bodyOf(id => ({ users: [], teams: [id] })),
  },
  getComputedDocument: computed({ doc: 'operations', page: 'tag-payroll' }),
  getComputedRevision: computed({ models: true }),
  updateChangeRequestContent: editing,
  updateSpaceContent: editing,
  createSpace: { 'body.parent': bodyOf(parent => ({ title: 'New', parent })), ...beginning },
  createChangeRequest: { 'body.agentTaskId': bodyOf(agentTaskId => ({ agentTaskId })), ...beginning },
  applyTemplateToSpace: {
    'body.id': bodyOf(id => ({ id })),
    ...contentRefs('body.params.contentRefs{}', params => ({ id: 'product-docs', params })),
    'body.changeRequestId': bodyOf(changeRequestId => ({ id: 'blank', changeRequestId })),
  },
  createTemplate: {
    'body.space': bodyOf(space => ({ title: 'New', space })),
    'body.page': bodyOf((page, scene) => ({ title: 'New', space: scene.space.id, page })),
  },
  previewText: previewing,
  previewTextInChangeRequest: previewing,
  postCommentInSpace: commenting,
  postCommentInChangeRequest: commenting,
  markViewedPagesOfChangeRequest: {
    'body.pages[].page': bodyOf(page => ({ pages: [{ page, viewed: true }] })),
    'body.revision': bodyOf(revision => ({ revision, pages: [{ page: newId(), viewed: true }] })),
  },
  testMergeRules: mergeRules,
  mergeChangeRequest: merging,
  updateChangeRequest: merging,
  rollbackRevision: rollingBack,
  updateGlossaryEntries: {
    'body.operations[].id': bodyOf(id => ({ operations: [{ type: 'delete', id }] })),
  },
  createOrganizationSAMLProvider: provider,
  updateOrganizationSAMLProvider: provider,
  publishIntegration: {
    'body.organization': organization => ({
      params: { integrationName: `new-${newId().toLowerCase()}` },
      body: { organization, title: 'New', description: 'New.', script: '', scopes: [] },
    }),
  },
  installIntegration: { 'body.organization': bodyOf(organization => ({ organization })) },
  installIntegrationOnSpace: { 'body.space': bodyOf(space => ({ space })) },
  createAgentTask: { 'body.cluster': bodyOf(cluster => ({ title: 'New', cluster })) },
}
