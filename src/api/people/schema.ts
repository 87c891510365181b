// The wire of exporting and erasing a person.
import { type Static, Type } from 'typebox'
import { model, OneOf, Timestamp } from '../../http/list.ts'
import { SECTIONS } from './sections.ts'

const Fields = Type.Object({}, { additionalProperties: true })

export const PersonExport = model('PersonExport', {
  object: OneOf(['person-export']),
  version: Type.String({ description: 'Of the server. Fields may be added in every version.' }),
  madeAt: Timestamp,
  account: Fields,
  ...Object.fromEntries(
    [...SECTIONS.map(({ name }) => name), 'auditEvents', 'eventsAbout'].map(name => [
      name,
      Type.Array(Fields),
    ]),
  ),
})

export const EraseAccount = Type.Object({
  email: Type.String({
    maxLength: 254,
    description: 'Your own email address, to say that you mean it.',
  }),
})
export type EraseAccount = Static<typeof EraseAccount>
