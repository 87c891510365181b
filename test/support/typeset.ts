// A document of one page for the typesetter, whose template reads the page from `/1.json`.

import { fontsFor } from '../../src/platform/typst/fonts.ts'
import type { TypesetDocument } from '../../src/platform/typst/typesetter.ts'

/** `json`: the blocks of the page, in these scripts. `labels`: ids in it that are linked to. */
export function documentOf(
  json: string,
  scripts: readonly string[] = [],
  labels: readonly string[] = [],
): TypesetDocument {
  const { text, code, formulas, files } = fontsFor(scripts, null)
  const book = {
    ...{ title: ['Title'], shortTitle: 'Title', documentTitle: 'Title', organization: 'Maker', mark: [] },
    ...{ lang: 'en', dir: 'ltr', facts: ['Fact'], words: { contents: 'Contents', picture: 'Picture' } },
    ...{ fonts: { text, code, formulas }, hasCover: true, hasContents: true, pictures: {}, icons: {} },
    labels: Object.fromEntries(labels.map(id => [id, true])),
    pages: [
      {
        ...{ id: 'p1', title: ['Page'], shortTitle: 'Page', mark: [], depth: 6, dir: 'rtl' },
        ...{ before: [], description: 'About it', file: '/1.json' },
      },
    ],
  }
  return {
    ...{ fonts: files, ownFonts: [], pictures: [] },
    texts: { '/book.json': JSON.stringify(book), '/1.json': json },
  }
}
