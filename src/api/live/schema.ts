// The wire of the live stream: what moved, and nothing of what it holds. Clients read it again.
import { type Static, Type } from 'typebox'
import { model, OneOf } from '../../http/list.ts'
import { RefTo } from '../../http/references.ts'

const SPACES_MAX = 100

const LIVE_KINDS = [
  'hello',
  'head',
  'changeRequest',
  'comment',
  'gitOperation',
  'space',
  'spaces',
  'organization',
  'notification',
] as const

export const LiveEvent = model('LiveEvent', {
  type: OneOf(
    LIVE_KINDS,
    '`hello` comes at once. `head`: a space has other content. `changeRequest`, `comment` and `gitOperation`: one of them was created, changed or deleted. `space`: its settings. `spaces`: the list of spaces, or who may see which. `organization`: its settings, members or teams. `notification`: yours, unless `spaces` are named.',
  ),
  organization: Type.Optional(Type.String()),
  space: Type.Optional(Type.String()),
  changeRequest: Type.Optional(Type.String()),
  comment: Type.Optional(Type.String()),
})
export type LiveEvent = Static<typeof LiveEvent>

export const StreamLive = Type.Object({
  spaces: Type.Optional(
    Type.Array(RefTo('space'), {
      maxItems: SPACES_MAX,
      description: 'Only what happens in these. Absent: in every space that you may read.',
    }),
  ),
})
export type StreamLive = Static<typeof StreamLive>
