// The classes of an element, which say what the renderer uses it for.
import type { Element } from 'hast'

export const classesOf = ({ properties }: Element): readonly string[] => {
  const { className } = properties
  return Array.isArray(className) ? className.map(String) : className ? String(className).split(' ') : []
}

export const hasClass = (node: Element, name: string): boolean => classesOf(node).includes(name)

/** The rest of the first class with this prefix: `left` for `align-left`. */
export const classAfter = (node: Element, beginning: string): string | undefined =>
  classesOf(node)
    .find(name => name.startsWith(beginning))
    ?.slice(beginning.length)
