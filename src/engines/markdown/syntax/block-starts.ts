// What begins a block at the start of a line, or turns the line above into a heading or a table.

/** The place of the character that would begin a block, or turn the line above into one; undefined if there is none. */
export function blockSignAt(line: string, isFirst = true): number | undefined {
  const number = (isFirst ? NUMBER : FIRST_NUMBER).exec(line)?.[1]
  if (number !== undefined) return number.length
  return FENCE.test(line) || STARTS.test(line) || (!isFirst && UNDERLINE.test(line)) ? 0 : undefined
}

export const FENCE = /^(?:`{3,}|~{3,}|\${2,})/
const NUMBER = /^(\d{1,9})[.)](?:[ \t]|$)/
// Only a list that begins with 1 can interrupt a paragraph.
const FIRST_NUMBER = /^(0{0,8}1)[.)][ \t]+\S/
const STARTS = /^(?:#{1,6}(?:[ \t]|$)|>|[-+*](?:[ \t]|$)|(?:\*[ \t]*){3,}$|(?:_[ \t]*){3,}$|(?:-[ \t]*){3,}$)/
/** What would turn the line above into a heading or the head of a table. */
const UNDERLINE = /^(?:=+[ \t]*|[|: \t]*-[|:\- \t]*)$/
