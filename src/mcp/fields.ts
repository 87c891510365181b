// Arguments shared by several tools.
import { Type } from 'typebox'
import { QUERY_CHARACTERS_MAX } from '../api/search/schema.ts'
import { Id } from '../http/list.ts'

export const SpaceId = Id('The id of a space, as list_spaces gives it.')

export const OrganizationId = Id(
  'The id of an organization. Needed only where you belong to several; list_spaces names them.',
)

export const ChangeRequestId = Type.Union([Type.Integer({ minimum: 1 }), Id('The id of a change request.')], {
  description: 'The number of a change request in its space, or its id.',
})

export const Query = Type.String({
  minLength: 1,
  maxLength: QUERY_CHARACTERS_MAX,
  description: 'Words to look for. Quotation marks around some of them look for the phrase.',
})

/** Where a text or list that was too long for one answer continues. */
export const From = Type.Integer({
  minimum: 0,
  description: 'Where to continue, from the previous answer; 0 when absent.',
})

export const Cursor = Type.String({
  maxLength: 2048,
  description: 'Where to continue, from the previous answer.',
})

export const Limit = Type.Integer({
  minimum: 1,
  maximum: 50,
  description: 'Pages in the answer at most; 20 when absent.',
})
