// The wire of links and backlinks (specification "Link and backlink items", api-facts §5.6, §7.5, §7.6).
import { type Static, Type } from 'typebox'
import { ListOf, model, OneOf, PageOf } from '../../http/list.ts'
import { ChangeRequest } from '../change-requests/schema.ts'
import { ContentRef, Revision, TreePage } from '../content/schema.ts'
import { Organization } from '../organizations/schema.ts'
import { Space } from '../spaces/schema.ts'

export const LINK_STATUSES = ['ok', 'broken', 'in-app'] as const
export type LinkStatus = (typeof LINK_STATUSES)[number]

export const LinkUsage = model(
  'ContentReferenceUsage',
  Type.Object({
    status: OneOf(LINK_STATUSES, 'in-app: it leads into an application, not to documentation.'),
    relation: OneOf(['reference', 'dependsOn'], 'dependsOn: the page cannot be shown whole without it.'),
    targetReference: Type.Optional(ContentRef),
    locationReferences: Type.Array(ContentRef),
  }),
)
export type LinkUsage = Static<typeof LinkUsage>

const status = { status: Type.Optional(OneOf(LINK_STATUSES)) }

export const LinkList = PageOf(status)
export type LinkList = Static<typeof LinkList>

export const ProposedLinkList = PageOf({
  ...status,
  brokenContext: Type.Optional(
    OneOf(
      ['change-request', 'space'],
      'Only broken links: those that the change request broke, or those that were broken before.',
    ),
  ),
})
export type ProposedLinkList = Static<typeof ProposedLinkList>

export const LinkStats = Type.Object({
  total: Type.Integer({ minimum: 0, description: 'All links, whatever the filter.' }),
  broken: Type.Object({
    total: Type.Integer({ minimum: 0 }),
    changeRequest: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Those that the change request broke.' }),
    ),
  }),
})
export type LinkStats = Static<typeof LinkStats>

export const LinkUsages = Type.Object({ ...ListOf(LinkUsage).properties, stats: LinkStats })
export type LinkUsages = Static<typeof LinkUsages>

// Whole objects are embedded; what would make one of them as large as the space is left empty (api-facts §8-32).
const Nothing = Type.Array(Type.Object({}), { maxItems: 0, description: 'Left out: always empty.' })

const LocatedPage = model(
  'LocatedPage',
  Type.Object({ ...TreePage.properties, pages: Type.Optional(Nothing) }),
)

const LocatedRevision = model(
  'LocatedRevision',
  Type.Object({ ...Revision.properties, pages: Nothing, files: Nothing, reusableContents: Nothing }),
)

export const ContentLocation = model(
  'ContentLocation',
  Type.Object({
    kind: OneOf(['page']),
    organization: Organization,
    space: Space,
    page: LocatedPage,
    versionContext: Type.Object({
      type: OneOf(['revision', 'changeRequest']),
      revision: Type.Optional(LocatedRevision),
      changeRequest: Type.Optional(ChangeRequest),
    }),
  }),
)
export type ContentLocation = Static<typeof ContentLocation>

export const ContentLocations = ListOf(ContentLocation)
