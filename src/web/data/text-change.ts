// A text as a change of another: what is written in one place of a long page is short.

/** What stands between so many first and last characters of the other text. */
export type TextChange = { readonly first: number; readonly insert: string; readonly last: number }

export function changeOf(before: string, text: string): TextChange {
  const most = Math.min(before.length, text.length)
  const first = longest(most, length => text.startsWith(before.slice(0, length)))
  const last = longest(most - first, length => text.endsWith(before.slice(before.length - length)))
  return { first, insert: text.slice(first, text.length - last), last }
}

export const applied = ({ first, insert, last }: TextChange, before: string): string =>
  before.slice(0, first) + insert + before.slice(before.length - last)

/** Up to `most`; with a length every shorter one matches. To compare letter by letter takes twenty times as long. */
function longest(most: number, isMatch: (length: number) => boolean): number {
  let [matching, tooLong] = [0, most + 1]
  while (tooLong - matching > 1) {
    const middle = (matching + tooLong) >> 1
    if (isMatch(middle)) matching = middle
    else tooLong = middle
  }
  return matching
}
