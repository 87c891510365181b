// GitBook's own tags: `{% name key="value" %}`.
import { inOneLine } from '../syntax/syntax.ts'
import type { Lines } from './rendering.ts'

type Attributes = Readonly<Record<string, string | boolean | undefined>>

/** An attribute that is `true` is a bare key; undefined and false ones, and impossible keys, are left out. */
export function openTag(name: string, attributes: Attributes = {}): string {
  const written = [name]
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false || !TAG_KEY.test(key)) continue
    written.push(value === true ? key : `${key}=${tagValue(value)}`)
  }
  return `{% ${written.join(' ')} %}`
}

const TAG_KEY = /^[A-Za-z_@:][\w.:-]*$/

/** Lines between a tag and its end. */
export const taggedLines = (name: string, attributes: Attributes, lines: Lines): Lines => [
  openTag(name, attributes),
  ...lines,
  `{% end${name} %}`,
]

/** GitBook writes flags that are on with a value. */
export const on = (value: boolean | undefined): 'true' | undefined => (value ? 'true' : undefined)

export const filled = (value: string | undefined): string | undefined => (value === '' ? undefined : value)

/**
 * The value of a tag's attribute, with its quotes. A tag ends at the first `%}` that is not between straight quotes,
 * regardless of backslashes, and a new one begins at a `{%`: a value that holds quotes and one of the two gets curly
 * quotes, and loses no word.
 */
function tagValue(value: string): string {
  const line = inOneLine(value)
  const holdsTag = line.includes('%}') || line.includes('{%')
  const unquoted = holdsTag ? line.replaceAll('"', '”') : line
  // `a="full” b="x"`: a curly quote and `=` at the end look like a quote that word processors changed.
  const escaped = unquoted.endsWith('=') && /[“”]/.test(unquoted) ? unquoted.replace(/[“”]/g, "'") : unquoted
  return `"${escaped.replace(/\\(?=[\\"]|$)/g, '\\\\').replaceAll('"', '\\"')}"`
}
