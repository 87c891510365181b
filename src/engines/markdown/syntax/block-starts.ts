// What begins a block at the start of a line, or makes a heading or a table of the line above.

/** The place in a line of the sign that would begin a block, or make one of the line above; undefined without one. */
export function blockSignAt(line: string, isFirst = true): number | undefined {
  const number = (isFirst ? NUMBER : FIRST_NUMBER).exec(line)?.[1]
  if (number !== undefined) return number.length
  return FENCE.test(line) || STARTS.test(line) || (!isFirst && UNDERLINE.test(line)) ? 0 : undefined
}

export const FENCE = /^(?:`{3,}|~{3,}|\${2,})/
const NUMBER = /^(\d{1,9})[.)](?:[ \t]|$)/
// In the middle of a paragraph only a list that begins with 1 can begin.
const FIRST_NUMBER = /^(0{0,8}1)[.)][ \t]+\S/
const STARTS = /^(?:#{1,6}(?:[ \t]|$)|>|[-+*](?:[ \t]|$)|(?:\*[ \t]*){3,}$|(?:_[ \t]*){3,}$|(?:-[ \t]*){3,}$)/
/** What would make a heading or the head of a table of the line above. */
const UNDERLINE = /^(?:=+[ \t]*|[|: \t]*-[|:\- \t]*)$/
