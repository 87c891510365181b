// The wire of print views.
import { type Static, Type } from 'typebox'
import { model, Url } from '../../http/list.ts'
import { RefTo } from '../../http/references.ts'

export const PrintQuery = Type.Object({
  page: Type.Optional(RefTo('page', 'Only this page and its subpages.')),
  only: Type.Optional(Type.Boolean({ description: 'Without its subpages; needs `page`.' })),
})
export type PrintQuery = Static<typeof PrintQuery>

export const PrintView = model('PrintView', { url: Url })
export type PrintView = Static<typeof PrintView>
