// The wire of collections.
import { type Static, Type } from 'typebox'
import { ListOf, model, OneOf, PageOf, Url } from '../../http/list.ts'
import { RefTo } from '../../http/references.ts'
import { Role } from '../organizations/schema.ts'

export const COLLECTION_PERMISSIONS = ['view', 'admin', 'viewInviteLinks', 'create'] as const

const Title = Type.String({ maxLength: 50 })
const Description = Type.String({ maxLength: 100 })

/** The role of members without a grant; null is none. */
export const DefaultLevel = Type.Union([Role, OneOf(['inherit']), Type.Null()])

export const Collection = model('Collection', {
  object: OneOf(['collection']),
  id: Type.String(),
  title: Title,
  description: Type.Optional(Description),
  organization: Type.String(),
  parent: Type.Optional(Type.String()),
  defaultLevel: DefaultLevel,
  urls: Type.Object({ location: Url, app: Url }),
  permissions: Type.Object(Object.fromEntries(COLLECTION_PERMISSIONS.map(name => [name, Type.Boolean()]))),
})
export type Collection = Static<typeof Collection>

export const Collections = ListOf(Collection)

export const ListCollections = PageOf({
  nested: Type.Optional(
    Type.Boolean({ description: 'false: only collections at the root; true when absent.' }),
  ),
})

export const CreateCollection = Type.Object({
  title: Type.Optional(Title),
  parent: Type.Optional(RefTo('collection', 'The collection to create it in.')),
})
export type CreateCollection = Static<typeof CreateCollection>

export const ChangeCollection = Type.Object({
  title: Type.Optional(Title),
  description: Type.Optional(Description),
  defaultLevel: Type.Optional(DefaultLevel),
})
export type ChangeCollection = Static<typeof ChangeCollection>
