// The classes of an element, which say what the renderer made it for.
import type { Element } from 'hast'

export const classesOf = ({ properties }: Element): readonly string[] => {
  const { className } = properties
  return Array.isArray(className) ? className.map(String) : className ? String(className).split(' ') : []
}

export const hasClass = (node: Element, name: string): boolean => classesOf(node).includes(name)

/** What follows in the first class that begins so: `left` of `align-left`. */
export const classAfter = (node: Element, beginning: string): string | undefined =>
  classesOf(node)
    .find(name => name.startsWith(beginning))
    ?.slice(beginning.length)
