import { parseQuery } from '../../engines/search/query.ts'
import type { Query } from '../../engines/search/query-terms.ts'
import type { Services } from '../../http/context.ts'
import { findGlossary } from '../glossary/thesaurus.ts'

/** Reads a query to an organization: a term of its glossary also matches its translations. */
export async function readQuery(
  services: Pick<Services, 'db' | 'rowCache' | 'glossaries'>,
  organizationId: string,
  text: string,
): Promise<Query> {
  const glossary = await findGlossary(services, organizationId)
  return parseQuery(text, { thesauri: glossary === undefined ? [] : [glossary] })
}
