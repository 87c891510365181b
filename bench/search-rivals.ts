// Other engines on the same pages. Their settings are those that their documentation gives for documentation; where it
// leaves a choice, the one that did best on the half of the questions that engines are tuned on.
import { create, insertMultiple, search } from '@orama/orama'
import { stopwords } from '@orama/stopwords/english'
import MiniSearch from 'minisearch'
import type { CorpusPage } from './corpora.ts'

/** The paths of the pages that an engine finds, best first. */
export type Finder = (question: string, limit: number) => string[]

type Row = { id: string; title: string; headings: string; description: string; body: string }

/** Both do better on whole pages (MRR of MiniSearch 0.81, beside 0.74 on sections). */
const rowsOf = (pages: readonly CorpusPage[]): Row[] =>
  pages.map(({ id, title, description, sections }) => ({
    id,
    title,
    headings: sections.map(({ heading }) => heading).join('\n'),
    description,
    body: sections.map(({ body }) => body).join('\n'),
  }))

const FUZZY_CHARACTERS_MIN = 5

/** A prefix for the word that may still be typed, and typos in words that are long enough for them. */
export function miniSearch(pages: readonly CorpusPage[]): Finder {
  const isStopWord = new Set<string>(stopwords)
  const index = new MiniSearch<Row>({
    fields: ['title', 'headings', 'description', 'body'],
    tokenize: text => spaced(text).split(BETWEEN),
    processTerm: term => {
      const word = term.toLowerCase()
      return isStopWord.has(word) ? null : word
    },
    searchOptions: {
      prefix: (_, place, terms) => place === terms.length - 1,
      fuzzy: term => (term.length >= FUZZY_CHARACTERS_MIN ? 0.2 : false),
      boost: { title: 4, headings: 2 },
    },
  })
  index.addAll(rowsOf(pages))
  return (question, limit) =>
    index
      .search(question)
      .slice(0, limit)
      .map(({ id }) => String(id))
}

/** It matches prefixes always. Typos are for questions that find nothing: for the others they cost more than they find. */
export async function orama(pages: readonly CorpusPage[], language: string): Promise<Finder> {
  const index = create({
    schema: {
      id: 'string',
      title: 'string',
      headings: 'string',
      description: 'string',
      body: 'string',
    } as const,
    components: { tokenizer: language === 'zh' ? pairs : { language: 'english' } },
  })
  await insertMultiple(index, rowsOf(pages), 500)
  const find = (term: string, limit: number, tolerance: number) => {
    const found = search(index, {
      term,
      properties: ['title', 'headings', 'description', 'body'],
      boost: { title: 4, headings: 4, body: 2 },
      tolerance,
      limit,
    })
    if (found instanceof Promise) throw new Error('an index without plugins answers at once')
    return found.hits.map(({ document }) => document.id)
  }
  return (question, limit) => {
    const found = find(question, limit, 0)
    return found.length > 0 ? found : find(question, limit, 1)
  }
}

// Chinese has no blanks between words: it is cut into pairs, which serves both better than a dictionary.
const HAN = /\p{Script=Han}+/gu
const BETWEEN = /[\n\r\p{Z}\p{P}]+/u

const spaced = (text: string): string =>
  text.replaceAll(HAN, run => {
    const characters = [...run]
    const cut = characters.slice(1).map((character, index) => `${characters[index]}${character}`)
    return ` ${cut.length === 0 ? run : cut.join(' ')} `
  })

const pairs = {
  language: 'english',
  normalizationCache: new Map<string, string>(),
  tokenize: (text: string) => [
    ...new Set(
      spaced(text.toLowerCase())
        .split(BETWEEN)
        .filter(word => word !== ''),
    ),
  ],
}
