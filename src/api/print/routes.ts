// Printing: an address under which a whole content, or a page of it, is one PDF file.
import { now } from '../../base/clock.ts'
import { invalid, missing } from '../../base/errors.ts'
import { mount, operationsOf, type SignedInContext } from '../../http/operation.ts'
import { type ContentAt, onChangeRequestHead, onHead } from '../content/place.ts'
import { PRINT_VIEW_SECONDS, toPdfUrl } from './address.ts'
import { PrintQuery, PrintView } from './schema.ts'

const operation = operationsOf<'space', ContentAt>()

export const printOperations = mount(
  [onHead, onChangeRequestHead],
  [
    operation({
      id: { head: 'getSpacePDF', changeRequest: 'getChangeRequestPDF' },
      method: 'GET',
      path: '/pdf',
      summary: 'Get the address of a PDF file',
      description:
        'A PDF file of all pages, or of one. The address works for an hour, without a token, as long as you may read its content; the file is created when it is first read. With `/print/` instead of `/pdf/` the address shows the same as one HTML document.',
      tag: 'Content',
      may: 'view',
      scope: 'space:read',
      query: PrintQuery,
      reply: PrintView,
      run: async ({ context, at, query }) => ({ url: await createPrintView(context, at, query) }),
    }),
  ],
)

async function createPrintView(
  { contents, urls, signingKey, principal }: SignedInContext,
  at: ContentAt,
  query: PrintQuery,
): Promise<string> {
  const page = query.page ?? null
  const isAlone = query.only ?? false
  if (isAlone && page === null)
    throw invalid('page_required', 'query.only: names no page. Send page with it, or leave it out.')
  const record =
    page === null ? undefined : (await contents.shown(at.space.id, at.root, at.sight)).pages.get(page)
  const isPrintable = record?.type === 'document' || record?.type === 'group'
  if (page !== null && !isPrintable) throw missing('page')
  return toPdfUrl(urls, signingKey, {
    spaceId: at.space.id,
    revisionId: at.revisionId,
    page,
    isAlone,
    makerId: principal.user.id,
    expiresAt: new Date(now().getTime() + PRINT_VIEW_SECONDS * 1000),
  })
}
