// HTML text that is safe by construction: templates are ours, interpolated values are escaped.

/** Markup that needs no further escaping. Only `html` and `trusted` make one. */
export class Html {
  readonly markup: string

  constructor(markup: string) {
    this.markup = markup
  }

  toString(): string {
    return this.markup
  }
}

/**
 * The values that a template takes. `false`, `null` and `undefined` print nothing, so that `condition && html…` works.
 */
export type Hole = Html | string | number | false | null | undefined | readonly Hole[]

/**
 * `html`<p title="${title}">${text}</p>`` with every hole escaped for text and for quoted attributes alike.
 * Attributes are always quoted in templates: an unquoted hole would not be safe.
 */
export function html(strings: TemplateStringsArray, ...holes: readonly Hole[]): Html {
  let markup = strings[0] ?? ''
  for (const [index, hole] of holes.entries()) markup += print(hole) + (strings[index + 1] ?? '')
  return new Html(markup)
}

/** Markup that was made safe elsewhere: the sanitised page body, a file of our own. */
export const trusted = (markup: string): Html => new Html(markup)

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text for a text node or a quoted attribute. NUL has no place in HTML and is dropped. */
const escapeHtml = (text: string): string =>
  text.replaceAll('\0', '').replace(/[&<>"']/g, character => ENTITIES[character] ?? character)

function print(hole: Hole): string {
  if (hole === false || hole === null || hole === undefined) return ''
  if (typeof hole === 'string') return escapeHtml(hole)
  if (typeof hole === 'number') return String(hole)
  if (hole instanceof Html) return hole.markup
  return hole.map(print).join('')
}
