// What is found in the words of a page once they are parsed: emojis, variables, and addresses that become links.
// Escapes are undone by then, so they are found everywhere except in code.
import { isEmojiAt, matchAt } from '../syntax/syntax.ts'

/** Where to split an emoji or variable that begins at `at`, so that it is not found; undefined if none begins there. */
export const partOfName = (text: string, at: number): number | undefined =>
  isEmojiAt(text, at) || matchAt(VARIABLE, text, at) ? at + 1 : undefined

/** The same for addresses, which are not links within a link: `http://…`, `www.…`, `a@b.example`. */
export function partOfAddress(text: string, at: number): number | undefined {
  const before = text[at - 1] ?? ''
  switch (text[at]) {
    case ':':
      return matchAt(SLASHES, text, at) && isWeb(text, at) ? at + 1 : undefined
    case '@':
      return matchAt(MAIL_HOST, text, at) && /[A-Za-z0-9.+_-]/.test(before) ? at : undefined
    case 'w':
    case 'W':
      return matchAt(WWW, text, at) && !/[\p{L}\p{N}]/u.test(before) ? at + 3 : undefined
  }
  return undefined
}

const VARIABLE = /\{\{\s*(?:space|page|visitor)\./y
const SLASHES = /:\/\/[A-Za-z0-9.\-\u0080-\u{10ffff}]/uy
const MAIL_HOST = /@[A-Za-z0-9_-]{0,253}\.[A-Za-z0-9]/y
const WWW = /www\.[^\s<]/iy

/** Whether the word before the colon is `http` or `https`. */
function isWeb(text: string, colon: number): boolean {
  const scheme = /(?:^|[^A-Za-z])https?$/i
  return scheme.test(text.slice(Math.max(0, colon - 6), colon))
}
