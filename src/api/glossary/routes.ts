// The glossary of an organization: its terms in each language.
import { Type } from 'typebox'
import { orMissing } from '../../base/errors.ts'
import { Id, toList } from '../../http/list.ts'
import { mount, operationsOf } from '../../http/operation.ts'
import { inOrganization, type OrganizationAt } from '../organizations/place.ts'
import { changeGlossary } from './actions.ts'
import { findEntry, listEntries } from './rows.ts'
import { GlossaryEntries, GlossaryEntry, ListGlossaryEntries, UpdateGlossary } from './schema.ts'
import { toEntry } from './wire.ts'

const operation = operationsOf<'organization', OrganizationAt>()

const tag = 'Glossary'
const reading = { method: 'GET', tag, may: 'view', scope: 'organization:read' } as const

export const glossaryOperations = mount(
  [inOrganization],
  [
    operation({
      ...reading,
      id: 'listGlossaryEntries',
      path: '/translations-glossary',
      summary: 'List glossary entries',
      description: 'Newest first.',
      query: ListGlossaryEntries,
      reply: GlossaryEntries,
      run: async ({ context: { db, urls }, at: { organization }, query }) =>
        toList(await listEntries(db, organization.id, query), toEntry, urls),
    }),
    operation({
      ...reading,
      id: 'getGlossaryEntry',
      path: '/translations-glossary/{glossaryEntryId}',
      params: Type.Object({ glossaryEntryId: Id('An entry of the glossary.') }),
      summary: 'Get a glossary entry',
      reply: GlossaryEntry,
      run: async ({ context, at, params }) => {
        const row = await findEntry(context.db, at.organization.id, params.glossaryEntryId)
        return toEntry(context.urls, orMissing(row, 'glossary entry'))
      },
    }),
    operation({
      id: 'updateGlossaryEntries',
      method: 'PUT',
      path: '/translations-glossary',
      summary: 'Change the glossary',
      description:
        'Operations are applied in order, all or none. An update replaces all translations of its entry; deleting an unknown entry does nothing.',
      tag,
      may: 'createContent',
      scope: 'organization:write',
      body: UpdateGlossary,
      failures: [409],
      run: ({ context, at, body }) => changeGlossary(context, at.organization.id, body),
    }),
  ],
)
