// Templates: pages to begin with.

import { Type } from 'typebox'
import { orMissing } from '../../base/errors.ts'
import { Id, toList } from '../../http/list.ts'
import { mount, operationsOf, programOperationsOf } from '../../http/operation.ts'
import { Answer, created } from '../../http/replies.ts'
import { ChangeRequest } from '../change-requests/schema.ts'
import { toChangeRequest } from '../change-requests/wire.ts'
import { inOrganizationToCreate } from '../collections/place.ts'
import { inOrganization, type OrganizationAt } from '../organizations/place.ts'
import { opensSpace } from '../spaces/opens-space.ts'
import { onSpace, type SpaceAt } from '../spaces/place.ts'
import { readWritten } from '../spaces/reads.ts'
import { Space } from '../spaces/schema.ts'
import { applyTemplate, createChangeRequestWith, createSpaceWith } from './actions.ts'
import { changeTemplate, createTemplate, removeTemplate } from './organization-templates.ts'
import { findTemplate, listTemplates } from './rows.ts'
import {
  ApplySpaceTemplate,
  ChangeTemplate,
  CreateChangeRequestWithTemplate,
  CreateSpaceWithTemplate,
  CreateTemplate,
  ListTemplates,
  Template,
  Templates,
} from './schema.ts'
import { toTemplate } from './wire.ts'

const operation = operationsOf<'space', SpaceAt>()
const programOperation = programOperationsOf<'space', SpaceAt>()
const ownOperation = operationsOf<'organization', OrganizationAt>()

const reading = { tag: 'Templates', may: 'viewTemplates', scope: 'space:read' } as const
const writing = { tag: 'Templates', may: 'createContent', scope: 'space:write' } as const
const params = Type.Object({ templateId: Id('A template of the organization.') })

const applying = mount(
  [onSpace],
  [
    programOperation({
      tag: 'Change requests',
      by: ['user', 'installation'],
      may: 'edit',
      scope: 'change-request:write',
      id: 'createChangeRequest',
      method: 'POST',
      path: '/change-requests',
      summary: 'Open a change request',
      description:
        'A draft that starts from the head of the space; it costs the same for any size. With `template` it also gets the pages of a template.',
      body: CreateChangeRequestWithTemplate,
      isBodyOptional: true,
      reply: ChangeRequest,
      status: 201,
      run: async ({ context, at, body }) => {
        const row = await createChangeRequestWith(context, at.space, body)
        return created(toChangeRequest(context, row))
      },
    }),
    operation({
      id: 'applyTemplateToSpace',
      method: 'POST',
      path: '/content/template',
      summary: 'Add the pages of a template',
      description:
        'After the existing pages, as one revision of the space, even if its `editMode` is `locked`; or of a change request.',
      tag: 'Content',
      may: 'edit',
      scope: 'space:write',
      body: ApplySpaceTemplate,
      status: 201,
      failures: [409],
      run: async ({ context, at, body }) => {
        await applyTemplate(context, at.space, body)
        return new Answer<never>(201, undefined)
      },
    }),
  ],
)

/** Creating spaces and change requests is here, because these may begin with a template. */
const beginning = mount(
  [inOrganizationToCreate],
  [
    ownOperation({
      id: 'createSpace',
      method: 'POST',
      path: '/spaces',
      summary: 'Create a space',
      description:
        'At the root of the organization or in a collection; you need the role `create` there. It becomes the last. With `template` it starts with the pages of a template, as one revision.',
      tag: 'Spaces',
      may: 'createContent',
      scope: 'space:write',
      body: CreateSpaceWithTemplate,
      isBodyOptional: true,
      reply: Space,
      status: 201,
      sensitive: opensSpace,
      run: async ({ context, at, body }) => {
        const row = await createSpaceWith(context, at.organization.id, body)
        return created(await readWritten(context, row))
      },
    }),
  ],
)

const own = mount(
  [inOrganization],
  [
    ownOperation({
      ...reading,
      id: 'listTemplates',
      method: 'GET',
      path: '/templates',
      summary: 'List templates of an organization',
      description: 'Its own templates, newest first. Octavo extension.',
      query: ListTemplates,
      reply: Templates,
      run: async ({ context: { db, urls }, at: { organization }, query }) =>
        toList(await listTemplates(db, organization.id, query), toTemplate, urls),
    }),
    ownOperation({
      ...reading,
      id: 'getTemplate',
      method: 'GET',
      path: '/templates/{templateId}',
      params,
      summary: 'Get a template',
      description: 'Octavo extension.',
      reply: Template,
      run: async ({ context, at, params: { templateId } }) => {
        const row = await findTemplate(context.db, at.organization.id, templateId)
        return toTemplate(context.urls, orMissing(row, 'template'))
      },
    }),
    ownOperation({
      ...writing,
      id: 'createTemplate',
      method: 'POST',
      path: '/templates',
      summary: 'Create a template',
      description:
        'From the current pages of a space, or from a page and its subpages, with the files and reusable contents that they include. Everyone who may list templates can use it, so you also need the role `create` on the space. Octavo extension.',
      body: CreateTemplate,
      reply: Template,
      status: 201,
      failures: [413],
      run: async ({ context, at, body }) => {
        const row = await createTemplate(context, at.organization.id, body)
        return created(toTemplate(context.urls, row))
      },
    }),
    ownOperation({
      ...writing,
      id: 'updateTemplate',
      method: 'PATCH',
      path: '/templates/{templateId}',
      params,
      summary: 'Rename a template',
      description: 'Octavo extension.',
      body: ChangeTemplate,
      reply: Template,
      run: async ({ context, at, params: { templateId }, body }) => {
        const row = await changeTemplate(context, at.organization.id, templateId, body)
        return toTemplate(context.urls, orMissing(row, 'template'))
      },
    }),
    ownOperation({
      ...writing,
      id: 'deleteTemplate',
      method: 'DELETE',
      path: '/templates/{templateId}',
      params,
      summary: 'Delete a template',
      description: 'Spaces made with it stay. Octavo extension.',
      run: ({ context, at, params: { templateId } }) =>
        removeTemplate(context, at.organization.id, templateId),
    }),
  ],
)

export const templateOperations = [...beginning, ...applying, ...own]
