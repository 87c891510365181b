// The text of an answer in the format that was asked for.
import type { JSONDocument } from '../../engines/markdown/document/document.ts'
import type { Context } from '../../http/context.ts'
import type { SearchAIAnswer, Wishes } from './schema.ts'

type Body = NonNullable<SearchAIAnswer['answer']>

/** `lane` is that of `Compute`. */
export async function toBody(
  { compute }: Pick<Context, 'compute'>,
  lane: string,
  markdown: string,
  format: Wishes['format'],
): Promise<Body> {
  if (format !== 'document') return { markdown }
  const made = await compute.run(
    'pageDocument',
    lane,
    { markdown, title: undefined },
    async destinations => destinations.map(() => undefined),
    [],
  )
  const outcome = made.kind === 'done' ? made : await compute.run('plainDocument', lane, { markdown })
  // An answer is short: only a server without memory has no room for its document.
  if (outcome.kind === 'beyond') throw new Error('an answer was too much for a document')
  return { document: JSON.parse(Buffer.from(outcome.value.json).toString()) as JSONDocument }
}
