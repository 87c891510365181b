// The wire of links and backlinks.
import { type Static, Type } from 'typebox'
import { DiscriminatedUnion } from '../../http/discriminated-union.ts'
import { ListOf, model, OneOf, PageOf } from '../../http/list.ts'
import { ChangeRequest } from '../change-requests/schema.ts'
import { File, ReusableContent, Revision, TreePage } from '../content/schema.ts'
import { Organization } from '../organizations/schema.ts'
import { Space } from '../spaces/schema.ts'

export const LINK_STATUSES = ['ok', 'broken', 'in-app'] as const
export type LinkStatus = (typeof LINK_STATUSES)[number]

// Whole objects are embedded, except for lists that could be as large as the space, which are empty.
const Nothing = Type.Array(Type.Object({}), { maxItems: 0, description: 'Left out: always empty.' })

const LocatedPage = model('LocatedPage', { ...TreePage.properties, pages: Type.Optional(Nothing) })

const LocatedRevision = model('LocatedRevision', {
  ...Revision.properties,
  pages: Nothing,
  files: Nothing,
  reusableContents: Nothing,
})

const inSpace = {
  organization: Organization,
  space: Space,
  versionContext: Type.Optional(
    Type.Object({
      type: OneOf(['revision', 'changeRequest']),
      revision: Type.Optional(LocatedRevision),
      changeRequest: Type.Optional(ChangeRequest),
    }),
  ),
}

export const ContentLocation = DiscriminatedUnion('kind', [
  model('ContentLocationPage', {
    kind: Type.Literal('page'),
    ...inSpace,
    page: LocatedPage,
    internalLocation: Type.Optional(
      Type.Object({ type: Type.Literal('anchor'), anchor: Type.String() }, { description: 'A place in it.' }),
    ),
  }),
  model('ContentLocationFile', { kind: Type.Literal('file'), ...inSpace, file: File }),
  model('ContentLocationReusableContent', {
    kind: Type.Literal('reusable-content'),
    ...inSpace,
    reusableContent: ReusableContent,
  }),
  model('ContentLocationURL', { kind: Type.Literal('url'), url: Type.String() }),
])
export type ContentLocation = Static<typeof ContentLocation>

export const ContentLocations = ListOf(ContentLocation)

export const LinkUsage = model('ContentReferenceUsage', {
  status: OneOf(LINK_STATUSES, 'in-app: it leads into an application, not to documentation.'),
  relation: OneOf(['reference', 'dependsOn'], 'dependsOn: the page cannot be shown whole without it.'),
  targetReference: Type.Optional(ContentLocation),
  locationReferences: Type.Array(ContentLocation),
})
export type LinkUsage = Static<typeof LinkUsage>

const status = { status: Type.Optional(OneOf(LINK_STATUSES)) }

export const LinkList = PageOf(status)
export type LinkList = Static<typeof LinkList>

export const ProposedLinkList = PageOf({
  ...status,
  brokenContext: Type.Optional(
    OneOf(
      ['change-request', 'space', 'mended'],
      'Only broken links: those that the change request broke (change-request), those that were broken before (space), or ' +
        'those that were broken and are not in the change request any more, as they are without it (mended).',
    ),
  ),
})
export type ProposedLinkList = Static<typeof ProposedLinkList>

export const LinkStats = Type.Object({
  total: Type.Integer({ minimum: 0, description: 'All links, regardless of the filter.' }),
  broken: Type.Object({
    total: Type.Integer({ minimum: 0 }),
    changeRequest: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Links that the change request broke.' }),
    ),
    mended: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Links that were broken in the base and no longer are in the change request.',
      }),
    ),
  }),
})
export type LinkStats = Static<typeof LinkStats>

export const LinkUsages = Type.Object({ ...ListOf(LinkUsage).properties, stats: LinkStats })
export type LinkUsages = Static<typeof LinkUsages>
