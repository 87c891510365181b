// Shapes that several tools answer as data.
import { type Static, Type } from 'typebox'
import type { User } from '../api/accounts/schema.ts'
import type { ChangeRequest } from '../api/change-requests/schema.ts'
import type { SearchPage } from '../api/search/schema.ts'

export const Person = Type.Object({ id: Type.String(), name: Type.String() })

export const toPerson = ({ id, displayName }: User): Static<typeof Person> => ({ id, name: displayName })

export const FoundPage = Type.Object({
  page: Type.String(),
  title: Type.String(),
  path: Type.String(),
  address: Type.String(),
  sections: Type.Array(Type.Object({ title: Type.String(), text: Type.String() })),
})

export const toFoundPage = ({
  id,
  title,
  path,
  urls,
  sections = [],
}: SearchPage): Static<typeof FoundPage> => ({
  ...{ page: id, title, path, address: urls.app },
  sections: sections.map(({ title, body }) => ({ title, text: body })),
})

export const ChangeRequestSummary = Type.Object({
  number: Type.Integer(),
  space: Type.String(),
  subject: Type.String(),
  status: Type.String(),
  outdated: Type.Boolean({ description: 'The space has changed since it was last brought up to date.' }),
  author: Person,
  address: Type.String(),
})

export const toSummary = (one: ChangeRequest): Static<typeof ChangeRequestSummary> => ({
  number: one.number,
  space: one.space,
  subject: one.subject,
  status: one.status,
  outdated: one.outdated,
  author: toPerson(one.createdBy),
  address: one.urls.app,
})

/** Where a long list or text goes on; absent at its end. */
export const Next = {
  cursor: Type.Optional(Type.String({ description: 'There is more: call again with this cursor.' })),
  from: Type.Optional(Type.Integer({ description: 'There is more: call again with this from.' })),
}
