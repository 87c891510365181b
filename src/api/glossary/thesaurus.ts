// The glossary of an organization for search: a term finds its translations.
import { pause } from '../../base/slices.ts'
import { languageOf } from '../../engines/search/language.ts'
import { type Thesaurus, thesaurusSteps, type Wording } from '../../engines/search/thesaurus.ts'
import type { Services } from '../../http/context.ts'
import { findVersion, listTranslations } from './rows.ts'

// Pages in the words of the query rank before translations.
const TRANSLATION_WEIGHT = 0.9

/** Undefined for an organization without entries. Cached by version: the next search after a change reads it again. */
export async function findGlossary(
  { db, rowCache, glossaries }: Pick<Services, 'db' | 'rowCache' | 'glossaries'>,
  organizationId: string,
): Promise<Thesaurus | undefined> {
  const load = async () => ({ version: await findVersion(db, organizationId) })
  const found = await rowCache.get(`glossary-version:${organizationId}`, load, () => [organizationId])
  const version = found?.version
  if (version === undefined) return undefined
  return glossaries.get(`${organizationId}:${version}`, async () => {
    const entries = await listTranslations(db, organizationId)
    const groups = entries.map(translations =>
      Object.entries(translations).map(
        ([language, text]): Wording => ({ text, language: languageOf(language) }),
      ),
    )
    const steps = thesaurusSteps(groups, TRANSLATION_WEIGHT)
    for (;;) {
      const step = steps.next()
      if (step.done) return step.value
      await pause()
    }
  })
}
