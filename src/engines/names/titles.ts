// Titles: one line of text that JSON, PostgreSQL and a page can all hold.
import { folderOf, isFolderPage, nameOf, withoutMarkdownEnding } from '../../base/paths.ts'

/** `text` on one line without control characters, at most `max` characters; undefined if nothing is left. */
export function toLine(text: string, max: number): string | undefined {
  const line = text
    .toWellFormed()
    .replace(/[\u0000-\u001f\u007f-\u009f\s]+/g, ' ')
    .trim()
  const cut = [...line.slice(0, 2 * max)].slice(0, max).join('')
  return cut === '' ? undefined : cut
}

const FALLBACK = 'Page'

/** The title of a page that has only a path: `guides/set-up/README.md` is "Set up". */
export function titleOfName(path: string): string {
  const name = isFolderPage(path) && folderOf(path) !== '' ? folderOf(path) : path
  const words = withoutMarkdownEnding(nameOf(name))
    .replace(/[-_\s]+/g, ' ')
    .trim()
  const [first = FALLBACK] = words
  return words === '' ? FALLBACK : first.toUpperCase() + words.slice(first.length)
}
