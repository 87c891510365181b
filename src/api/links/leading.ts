// The texts that lead to a file, to be written anew when it gets another path.
import type { Hash } from '../../engines/content/records.ts'
import { listLeadingTexts } from './rows.ts'
import { type ReadServices, readLinks } from './sources.ts'

/** The ids of the pages and reusable contents of a content of this space, at most so many. */
export function findLeadingTexts(
  services: ReadServices,
  spaceId: string,
  root: Hash,
  file: { readonly id: string; readonly file: string },
  limit: number,
): Promise<readonly string[]> {
  const at = { space: { id: spaceId, root_hash: Buffer.from(root, 'hex') }, root, changeRequest: null }
  return readLinks(services, at, (trx, { links }) => listLeadingTexts(trx, links, file, limit))
}
