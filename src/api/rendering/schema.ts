// The wire of texts as HTML.
import { type Static, Type } from 'typebox'
import { model } from '../../http/list.ts'

export const PageHtml = model('PageHtml', {
  id: Type.String({ description: 'The page.' }),
  html: Type.String({
    description:
      'Sanitised: nothing in it runs. A `data-block` is the key of the block that an element shows. A link to a page of the space has its ids in `data-page` and `data-space`, beside its address in the reader.',
  }),
  outline: Type.Array(
    Type.Object({
      id: Type.String({ description: 'The id of the heading in `html`.' }),
      text: Type.String(),
      level: Type.Integer({ minimum: 1, maximum: 3 }),
    }),
  ),
  complete: Type.Boolean({
    description:
      'False if some code has no colours yet, or if the page could not be rendered and its Markdown is shown: read it again in a minute.',
  }),
})
export type PageHtml = Static<typeof PageHtml>
