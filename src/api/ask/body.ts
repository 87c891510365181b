// The text of an answer in the requested format.
import type { JSONDocument } from '../../engines/markdown/document/document.ts'
import type { Context } from '../../http/context.ts'
import type { AnswerOptions, SearchAIAnswer } from './schema.ts'

type Body = NonNullable<SearchAIAnswer['answer']>

/** `lane` is that of `Compute`. */
export async function toBody(
  { compute }: Pick<Context, 'compute'>,
  lane: string,
  markdown: string,
  format: AnswerOptions['format'],
): Promise<Body> {
  if (format !== 'document') return { markdown }
  const made = await compute.run(
    'pageDocument',
    lane,
    { markdown, title: undefined },
    { references: async destinations => destinations.map(() => undefined) },
    [],
  )
  const outcome = made.kind === 'done' ? made : await compute.run('plainDocument', lane, { markdown })
  // An answer is short: only a server out of memory fails here.
  if (outcome.kind === 'beyond') throw new Error('an answer was too much for a document')
  const document: JSONDocument = JSON.parse(Buffer.from(outcome.value.json).toString())
  return { document }
}
