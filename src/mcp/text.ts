// How tools word what they found: short, in lines, with the ids that other tools take.
import type { SearchPage } from '../api/search/schema.ts'
import { counted } from '../base/counted.ts'

const SECTIONS_SHOWN_MAX = 3
const SNIPPET_CHARACTERS_MAX = 400

/** One line of limited length. */
export function toLine(text: string, charactersMax = SNIPPET_CHARACTERS_MAX): string {
  const line = text
    .slice(0, charactersMax * 2)
    .split(/\s+/)
    .join(' ')
    .trim()
  return line.length <= charactersMax ? line : `${line.slice(0, charactersMax).toWellFormed()}…`
}

export const toHit = ({ id, title, path, urls, sections = [] }: SearchPage): string =>
  [
    `- ${toLine(title)} (page ${id}, path "${path}")`,
    `  ${urls.app}`,
    ...sections
      .slice(0, SECTIONS_SHOWN_MAX)
      .map(section => `  ${toLine(section.title)}: ${toLine(section.body)}`),
  ].join('\n')

/** How many pages were found, and how many of them follow. */
export const foundOf = (count: number, shown: number): string =>
  `${counted(count, 'page')} found; ${count > shown ? `the best ${shown}` : 'the best first'}:`
