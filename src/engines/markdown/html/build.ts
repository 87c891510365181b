// Short functions that build HTML trees.
import type { Element, ElementContent, Text } from 'hast'

export type Hast = ElementContent

/** A child, or children; null, undefined and false are left out. */
export type Child = Hast | string | null | undefined | false | readonly Child[]

/** The name of a class, or none. */
export type Class = string | null | undefined | false

/**
 * Properties by their DOM names (`className`, `colSpan`); null, undefined and false ones are left out, also as classes.
 */
export type Properties = Readonly<Record<string, number | true | Class | readonly Class[]>>

/** An element; classes may follow its name: `el('p.lead', { id }, 'Hello')`. */
export function el(selector: string, properties: Properties = {}, ...children: readonly Child[]): Element {
  const [tagName = '', ...named] = selector.split('.')
  const kept: Element['properties'] = named.length > 0 ? { className: named } : {}
  for (const [name, value] of Object.entries(properties)) {
    if (name === 'className') {
      const classes = [...named, value].flat().filter(one => typeof one === 'string')
      if (classes.length > 0) kept[name] = classes
    } else if (typeof value === 'string') kept[name] = readable(value)
    else if (typeof value === 'number' || value === true) kept[name] = value
  }
  return { type: 'element', tagName, properties: kept, children: flat(children) }
}

export const text = (value: string): Text => ({ type: 'text', value: readable(value) })

/** NUL and carriage returns mean different things to an HTML parser and to Markdown, so neither gets to it. */
const readable = (value: string): string =>
  /[\0\r]/.test(value) ? value.replaceAll('\0', '\ufffd').replace(/\r\n?/g, '\n') : value

export function flat(children: readonly Child[]): Hast[] {
  const list: Hast[] = []
  const add = (child: Child): void => {
    if (typeof child === 'string') list.push(text(child))
    else if (isList(child)) for (const one of child) add(one)
    else if (child) list.push(child)
  }
  for (const child of children) add(child)
  return list
}

const isList = (child: Child): child is readonly Child[] => Array.isArray(child)

/** Words for screen readers alone. */
export const unseen = (words: string): Element => el('span.unseen', {}, words)

/** An icon of the reader itself, from its stylesheet. Hidden from screen readers. */
export const icon = (name: string): Element =>
  el('span', { className: ['icon', `icon-${name}`], ariaHidden: 'true' })

/** An icon that the content chose, by a name from `iconName`. The page has to provide its drawing. */
export const chosenIcon = (name: string, ...classes: readonly Class[]): Element =>
  el('span', { className: ['icon', `fa-${name}`, ...classes], ariaHidden: 'true' })

/** All text below the nodes, as a screen reader reads it. */
export function textOf(nodes: readonly Hast[]): string {
  let words = ''
  const rest = [...nodes].reverse()
  while (rest.length > 0) {
    const node = rest.pop()
    if (node?.type === 'text') words += node.value
    else if (node?.type === 'element') for (const child of node.children.toReversed()) rest.push(child)
  }
  return words
}
