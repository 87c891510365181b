// What a change request is about: kept as a rich document, sent as one or as Markdown, and read as both.
import { tooLarge } from '../../base/errors.ts'
import type { JSONDocument } from '../../engines/markdown/document/document.ts'
import { writeById } from '../../engines/markdown/render/render.ts'
import type { Services } from '../../http/context.ts'
import { checkSentDocument, toMarkdown } from '../../http/rich-document.ts'
import { DESCRIPTION_BYTES_MAX, type SentDescription } from './schema.ts'

const FIELD = 'body.description'

/** Throws `invalid` for what is not a document, `too_large` beyond the bound. */
export async function readDescription(
  services: Pick<Services, 'compute'>,
  spaceId: string,
  sent: SentDescription,
): Promise<JSONDocument> {
  if (Buffer.byteLength(JSON.stringify(sent)) > DESCRIPTION_BYTES_MAX) throw beyond()
  if ('markdown' in sent) return toDocument(services, spaceId, sent.markdown)
  await checkSentDocument(services, spaceId, FIELD, sent)
  return sent
}

async function toDocument(
  { compute }: Pick<Services, 'compute'>,
  spaceId: string,
  markdown: string,
): Promise<JSONDocument> {
  // It is in no file: its links are the addresses that stand there.
  const asWritten = {
    references: async (destinations: readonly string[]) => destinations.map(() => undefined),
  }
  const made = await compute.run('pageDocument', spaceId, { markdown, title: undefined }, asWritten, [])
  if (made.kind !== 'done' || made.value.json.length > DESCRIPTION_BYTES_MAX) throw beyond()
  return JSON.parse(new TextDecoder().decode(made.value.json))
}

export const writeDescription = (
  services: Pick<Services, 'compute'>,
  spaceId: string,
  description: JSONDocument,
): Promise<string> => toMarkdown(services, spaceId, 'description', JSON.stringify(description), writeById)

const beyond = () =>
  tooLarge(
    'description_too_large',
    `${FIELD}: at most ${DESCRIPTION_BYTES_MAX} bytes of JSON. Put longer text into a page.`,
  )
