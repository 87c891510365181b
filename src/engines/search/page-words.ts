// The words of pages from which a segment is made: every word with its page, field and position. The fields of a page
// follow each other, with gaps that keep a phrase from crossing the end of one.
import { GrowingUint32 } from './growing.ts'
import { type Language, stemsOf } from './language.ts'
import { BODY, DESCRIPTION, HEADING, TITLE } from './postings.ts'
import { emptyHash, hashWord } from './title-hash.ts'
import { readWords, type Word } from './word-positions.ts'

const FIELD_GAP = 4

/** A searchable page, with its sections in order. */
export type SourcePage = {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly sections: readonly { readonly anchor: string; readonly heading: string; readonly body: string }[]
}

/** The words of pages in parallel arrays. */
export type PageWords = {
  readonly ids: readonly string[]
  readonly terms: readonly string[]
  /** The terms that have each stem. */
  readonly stems: ReadonlyMap<string, ReadonlySet<number>>
  /** For each word, in the order of the text, its term, and its position with its field in the lowest two bits. */
  readonly words: Uint32Array
  readonly places: Uint32Array
  /** Where the words of each page begin, and one more for the end. */
  readonly wordStarts: Uint32Array
  readonly lengths: Uint32Array
  readonly titleHashes: Uint32Array
  readonly descriptions: Uint32Array
  readonly sectionStarts: Uint32Array
  readonly sections: Uint32Array
}

export function readPages(pages: readonly SourcePage[], language: Language): PageWords {
  const reader = new PageReader(language)
  for (const page of pages) reader.read(page)
  return reader.end()
}

class PageReader {
  readonly #language: Language
  readonly #ids: string[] = []
  readonly #terms = new Map<string, number>()
  readonly #stems = new Map<string, Set<number>>()
  readonly #stemmed = new Set<string>()
  /** The terms of words whose stems are known. */
  readonly #plain = new Map<string, number>()
  readonly #words = new GrowingUint32()
  readonly #places = new GrowingUint32()
  readonly #wordStarts = new GrowingUint32()
  readonly #lengths = new GrowingUint32()
  readonly #titleHashes = new GrowingUint32()
  readonly #descriptions = new GrowingUint32()
  readonly #sectionStarts = new GrowingUint32()
  readonly #sections = new GrowingUint32()
  #hash = emptyHash

  constructor(language: Language) {
    this.#language = language
  }

  read({ id, title, description, sections }: SourcePage): void {
    this.#ids.push(id)
    this.#wordStarts.push(this.#words.length)
    this.#sectionStarts.push(this.#sections.length / 2)
    this.#hash = emptyHash
    const titleEnd = this.#readText(title, TITLE, 0)
    this.#titleHashes.push(this.#hash)
    this.#descriptions.push(titleEnd + FIELD_GAP)
    let end = this.#readText(description, DESCRIPTION, titleEnd + FIELD_GAP)
    const descriptionLength = end - titleEnd - FIELD_GAP
    let headingLength = 0
    let bodyLength = 0
    for (const { heading, body } of sections) {
      const headingStart = end + FIELD_GAP
      const bodyStart = this.#readText(heading, HEADING, headingStart) + FIELD_GAP
      end = this.#readText(body, BODY, bodyStart)
      this.#sections.push(headingStart)
      this.#sections.push(bodyStart)
      headingLength += bodyStart - FIELD_GAP - headingStart
      bodyLength += end - bodyStart
    }
    for (const length of [titleEnd, descriptionLength, headingLength, bodyLength]) this.#lengths.push(length)
  }

  /** Returns the position after the text. */
  #readText(text: string, field: number, from: number): number {
    return (
      from +
      readWords(text, word => {
        if (field === TITLE && word.kind !== 'whole') this.#hash = hashWord(this.#hash, word.text)
        this.#words.push(this.#termOf(word))
        this.#places.push(((from + word.position) << 2) | field)
      })
    )
  }

  #termOf({ text, written, kind }: Word): number {
    // Most words are written as they are stored, and came up before.
    const known = text === written && kind !== 'pair' ? this.#plain.get(text) : undefined
    if (known !== undefined) return known
    let term = this.#terms.get(text)
    if (term === undefined) {
      term = this.#terms.size
      this.#terms.set(text, term)
    }
    if (kind !== 'pair' && !this.#stemmed.has(written)) {
      this.#stemmed.add(written)
      for (const stem of stemsOf(written, this.#language)) this.#addStem(stem, term)
    }
    if (text === written && kind !== 'pair') this.#plain.set(text, term)
    return term
  }

  #addStem(stem: string, term: number): void {
    const terms = this.#stems.get(stem)
    if (terms === undefined) this.#stems.set(stem, new Set([term]))
    else terms.add(term)
  }

  end(): PageWords {
    this.#wordStarts.push(this.#words.length)
    this.#sectionStarts.push(this.#sections.length / 2)
    return {
      ids: this.#ids,
      terms: [...this.#terms.keys()],
      stems: this.#stems,
      words: this.#words.array,
      places: this.#places.array,
      wordStarts: this.#wordStarts.array,
      lengths: this.#lengths.array,
      titleHashes: this.#titleHashes.array,
      descriptions: this.#descriptions.array,
      sectionStarts: this.#sectionStarts.array,
      sections: this.#sections.array,
    }
  }
}
