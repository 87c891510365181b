// Buttons in content: links that look like buttons, and buttons that ask or search for words.
import { type Element, hasClass } from '../syntax/syntax.ts'

export type Button = {
  /** Where it leads; absent if it does something instead. */
  readonly href: string | undefined
  /** What it does, as written. */
  readonly action: string | undefined
  readonly query: string | undefined
  readonly icon: string | undefined
  readonly size: string | undefined
  readonly isSecondary: boolean
}

/**
 * `<a class="button" href>`, `<button data-action="ask" data-query>`; undefined for other elements, and for a button that
 * does nothing.
 */
export function buttonOf(node: Element): Button | undefined {
  const { attributes, name } = node
  const { href: written = '', 'data-action': done = '' } = attributes
  const href = written.trim() === '' ? undefined : written
  const action = done.trim() === '' ? undefined : done
  const isButton = hasClass(node, 'button') || (name === 'button' && action !== undefined)
  if (!isButton || (name !== 'a' && name !== 'button') || (href ?? action) === undefined) return undefined
  return {
    href,
    action,
    query: attributes['data-query'],
    icon: attributes['data-icon'] || undefined,
    size: attributes['data-size'],
    isSecondary: hasClass(node, 'secondary'),
  }
}

const SEARCHING: ReadonlySet<string> = new Set(['ask', 'search'])

/** Words in a query; those that are longer are cut. */
const QUERY_CHARACTERS_MAX = 256

/** What a button asks or searches for; '' for whatever the reader types. Undefined if it does anything else. */
export const questionOf = ({ href, action, query = '' }: Button): string | undefined =>
  href === undefined && SEARCHING.has(action?.trim().toLowerCase() ?? '')
    ? query.trim().replace(/\s+/g, ' ').slice(0, QUERY_CHARACTERS_MAX).toWellFormed()
    : undefined
