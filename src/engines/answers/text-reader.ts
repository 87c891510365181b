// What reading a text for an answer takes from search, the glossary and Markdown.
import type { Analyse, Term } from './question.ts'

/**
 * `sentencesOf`: the places of a paragraph's sentences. `termsIn`: glossary terms, as they are written in a text.
 * `synonymsOf`: the keys of words that mean the same.
 */
export type TextReader = {
  readonly analyse: Analyse
  readonly sentencesOf: (text: string) => readonly { readonly start: number; readonly end: number }[]
  readonly termsIn: (text: string) => Iterable<string>
  readonly synonymsOf: (term: Term, language: string | null) => Iterable<string>
}
