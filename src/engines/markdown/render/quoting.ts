// How values are quoted in Markdown and HTML: a destination, a title, an attribute.
import { CHARACTER_REFERENCE, decodeReferences, inOneLine, isEscapable, readable } from '../syntax/syntax.ts'

/** HTML text: what would be read as markup is written as a reference, and a `{%` does not open a tag. */
export const htmlText = (value: string): string =>
  withoutReferences(readable(value), '&amp;')
    .replace(/<(?=[A-Za-z/!?])/g, '&lt;')
    .replace(/\{%/g, '{&#37;')

/** `name="value"` of an HTML element. */
export const htmlAttribute = (name: string, value: string): string =>
  `${name}="${htmlValue(readable(value), '"')}"`

/**
 * The start tag of an element. An attribute that is `true` has no value; undefined, null and false ones are left out.
 */
export const startTag = (
  name: string,
  attributes: Readonly<Record<string, string | boolean | undefined>>,
): string => {
  const written = [name]
  for (const [key, value] of Object.entries(attributes))
    if (value === true) written.push(key)
    else if (typeof value === 'string') written.push(htmlAttribute(key, value))
  return `<${written.join(' ')}>`
}

/** The value of an attribute between quotes of one kind. */
export const htmlValue = (value: string, quote: '"' | "'"): string =>
  withoutReferences(value, '&amp;')
    .replaceAll(quote, quote === '"' ? '&quot;' : '&#39;')
    .replaceAll('\n', '&#10;')
    .replaceAll('{%', '{&#37;')

/** An `&` is written as `ampersand` only where it would begin a character reference. */
const withoutReferences = (value: string, ampersand: string): string =>
  value.includes('&')
    ? value.replace(CHARACTER_REFERENCE, found =>
        decodeReferences(found) === found ? found : `${ampersand}${found.slice(1)}`,
      )
    : value

/**
 * Puts backslashes before what Markdown would take for an escape, a character reference, a tag, or the beginning of
 * code or a formula, which take precedence over links.
 */
const markdownValue = (value: string): string =>
  withoutReferences(
    // The last one is followed by a bracket or a quote.
    value.replace(/\\/g, (sign, at: number) => (isEscapable(value[at + 1] ?? '>') ? '\\\\' : sign)),
    '\\&',
  ).replace(/`|\$(?=\$)|(?<=\{)%/g, '\\$&')

/** A destination in `[words](destination)`; in angle brackets if it would not be read as one otherwise. */
export function markdownDestination(destination: string): string {
  const line = markdownValue(inOneLine(destination).trim())
  const isBare = line !== '' && !/[\s<>\x7f]/.test(line) && hasBalancedParentheses(line)
  if (isBare) return line
  return `<${line.replace(/[<>]/g, '\\$&')}>`
}

function hasBalancedParentheses(value: string): boolean {
  let depth = 0
  for (const char of value) {
    if (char === '(') depth++
    else if (char === ')' && --depth < 0) return false
    // CommonMark lets parsers stop at 32 levels.
    if (depth > 30) return false
  }
  return depth === 0
}

/** A title after a destination, with the space before it; '' if it is empty. */
export function markdownTitle(title: string): string {
  const line = inOneLine(title).trim()
  if (line === '') return ''
  return ` "${markdownValue(line)
    .replace(/(?<!\\)((?:\\\\)*)\\$/, '$1\\\\')
    .replaceAll('"', '\\"')}"`
}
