// The wire of moving and transferring.
import { type Static, Type } from 'typebox'
import { model, Nullable } from '../../http/list.ts'

const AnId = Type.String({ minLength: 1, maxLength: 128 })

const Sibling = Type.Union([
  Type.Object({ type: Type.Literal('space'), space: AnId }),
  Type.Object({ type: Type.Literal('collection'), collection: AnId }),
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
    Nullable(
      Type.String({
        maxLength: 128,
        description: 'The collection to move to, null for none; absent: the current one.',
      }),
    ),
  ),
  position: Type.Optional(ContentPosition),
})
export type MoveContent = Static<typeof MoveContent>

export const TransferContent = Type.Object({
  organization: AnId,
  collection: Type.Optional(
    Type.String({
      maxLength: 128,
      description: 'Octavo extension: the collection of the target to move to.',
    }),
  ),
})
export type TransferContent = Static<typeof TransferContent>
