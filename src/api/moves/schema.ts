// The wire of moving and transferring.
import { type Static, Type } from 'typebox'
import { model, Nullable } from '../../http/list.ts'
import { RefTo } from '../../http/references.ts'

const Sibling = Type.Union([
  Type.Object({ type: Type.Literal('space'), space: RefTo('space') }),
  Type.Object({ type: Type.Literal('collection'), collection: RefTo('collection') }),
])
export type Sibling = Static<typeof Sibling>

export const ContentPosition = model(
  'ContentPosition',
  { before: Type.Optional(Sibling), after: Type.Optional(Sibling) },
  { description: 'One of the two: the sibling to be before, or after.' },
)
export type ContentPosition = Static<typeof ContentPosition>

export const MoveContent = Type.Object({
  parent: Type.Optional(
    Nullable(RefTo('collection', 'The collection to move to, null for none; absent: the current one.')),
  ),
  position: Type.Optional(ContentPosition),
})
export type MoveContent = Static<typeof MoveContent>

export const TransferContent = Type.Object({
  organization: RefTo('organization'),
  collection: Type.Optional(
    RefTo('collection', 'Octavo extension: the collection of the target to move to.'),
  ),
})
export type TransferContent = Static<typeof TransferContent>
