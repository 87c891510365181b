// The pages of the sections nearest to a question.
import { closenessOf, type Scale } from './scale.ts'

/** A section of a page; `score` is the cosine of its angle to the question. */
export type NearSection<Page> = { readonly page: Page; readonly ordinal: number; readonly score: number }

export type NearPage<Page> = {
  readonly page: Page
  /** The closeness of its best section, from 0 (unrelated to the question) to 1. */
  readonly closeness: number
  /** Whether it is near enough to answer the question without any of its words. */
  readonly isNear: boolean
  /** Its best sections, best first. */
  readonly ordinals: readonly number[]
}

const ORDINALS_MAX = 3

/** Nearest first, like the sections; unrelated pages are left out. */
export function nearPagesOf<Page>(
  sections: readonly NearSection<Page>[],
  scale: Scale,
  { limit, nameOf }: { readonly limit: number; readonly nameOf: (page: Page) => string },
): NearPage<Page>[] {
  const byPage = Map.groupBy(sections, ({ page }) => nameOf(page))
  return [...byPage.values()]
    .flatMap(own =>
      own.slice(0, 1).map(({ page, score }) => ({
        page,
        closeness: closenessOf(scale, score),
        isNear: score >= scale.floor,
        ordinals: own.slice(0, ORDINALS_MAX).map(({ ordinal }) => ordinal),
      })),
    )
    .filter(({ closeness }) => closeness > 0)
    .slice(0, limit)
}
