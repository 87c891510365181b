// Markdown as a rich document.
import type { AsksReferences, PageDocument, PageDocumentInput } from '../../compute/page-document.ts'
import type { Dependencies } from '../../compute/single-flight.ts'
import type { Reference } from '../../engines/markdown/document/document.ts'
import type { Services } from '../../http/context.ts'

/** `given`: what `resolve` depends on. Of a text that is too much for a document: the text as it is written. Undefined where even that is too much. */
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
