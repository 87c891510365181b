// Markdown as a rich document.
import type { AsksReferences, PageDocument, PageDocumentInput } from '../../compute/page-document.ts'
import type { Dependencies } from '../../compute/single-flight.ts'
import type { Reference } from '../../engines/markdown/document/document.ts'
import type { Services } from '../../http/context.ts'

/**
 * `given`: what `resolve` depends on. A text too large for a document is returned as plain text; undefined if even that
 * is too much.
 */
export async function toDocumentJson(
  { compute }: Pick<Services, 'compute'>,
  spaceId: string,
  input: PageDocumentInput,
  resolve: (destination: string) => Reference | undefined,
  given: Dependencies,
): Promise<PageDocument | undefined> {
  const answers: AsksReferences = { references: async destinations => destinations.map(resolve) }
  const made = await compute.run('pageDocument', spaceId, input, answers, given)
  const { markdown } = input
  const outcome = made.kind === 'done' ? made : await compute.run('plainDocument', spaceId, { markdown })
  return outcome.kind === 'done' ? outcome.value : undefined
}
