// What a page is opened with to be written.
import type { PageText } from '../data/page-text.ts'
import type { ContentPlace } from '../data/pages.ts'

/** Who opened which page, and where. */
export type Opened = { readonly personId: string; readonly pageId: string; readonly place: ContentPlace }

export type Opening = Opened & {
  readonly page: PageText
  /** What a draft is called that is begun for this page. */
  readonly subjectOf: (title: string) => string
}
