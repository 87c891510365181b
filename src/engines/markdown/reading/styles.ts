// What a `style` attribute declares.
import type { Element } from '../syntax/syntax.ts'

const CHARACTERS_MAX = 500

/** The declarations by name, in lower case; the last of a name counts, as in CSS. */
export function declarationsOf({
  attributes: { style = '' },
}: Pick<Element, 'attributes'>): Map<string, string> {
  const found = new Map<string, string>()
  for (const declaration of style.slice(0, CHARACTERS_MAX).split(';')) {
    const [name = '', value] = declaration.split(':')
    if (value !== undefined) found.set(name.trim().toLowerCase(), value.trim().toLowerCase())
  }
  return found
}
