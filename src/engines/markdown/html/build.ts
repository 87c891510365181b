// Short functions that build HTML trees.
import type { Element, ElementContent, Text } from 'hast'
import { type Drawn, describe, type PartName } from './drawn.ts'

export type Hast = ElementContent

/** A child, or children; null, undefined and false are left out. */
export type Child = Hast | string | null | undefined | false | readonly Child[]

/** The name of a class, or none. */
export type Class = string | null | undefined | false

/**
 * Properties by their DOM names (`className`, `colSpan`); null, undefined and false ones are left out, also as classes.
 * Beside them, what the element draws, and which part of a block it is, for other formats (drawn.ts).
 */
export type Properties = Readonly<Record<string, number | true | Class | readonly Class[] | Drawn>> & {
  readonly draws?: Drawn | undefined | false
  readonly part?: PartName | undefined
}

/** An element; classes may follow its name: `el('p.lead', { id }, 'Hello')`. */
export function el(selector: string, properties: Properties = {}, ...children: readonly Child[]): Element {
  const [tagName = '', ...named] = selector.includes('.') ? selector.split('.') : [selector]
  const kept: Element['properties'] = named.length > 0 ? { className: named } : {}
  for (const name of Object.keys(properties)) {
    const value = properties[name]
    if (name === 'draws' || name === 'part') continue
    if (name === 'className') {
      const classes = [...named]
      for (const one of isClasses(value) ? value : [value]) if (typeof one === 'string') classes.push(one)
      if (classes.length > 0) kept[name] = classes
    } else if (typeof value === 'string') kept[name] = readable(value)
    else if (typeof value === 'number' || value === true) kept[name] = value
  }
  const element: Element = { type: 'element', tagName, properties: kept, children: flat(children) }
  const { draws, part } = properties
  if (draws || part) describe(element, draws || undefined, part)
  return element
}

const isClasses = (value: Properties[string]): value is readonly Class[] => Array.isArray(value)

export const text = (value: string): Text => ({ type: 'text', value: readable(value) })

/** NUL and carriage returns mean different things to an HTML parser and to Markdown, so neither gets to it. */
export const readable = (value: string): string =>
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
export const unseen = (words: string): Element => el('span.unseen', { draws: { name: 'screen' } }, words)

/** An icon of the reader itself, from its stylesheet. Hidden from screen readers. */
export const icon = (name: string): Element =>
  el('span', { className: ['icon', `icon-${name}`], ariaHidden: 'true' })

/** An icon that the content chose, by a name from `iconName`. The page has to provide its drawing. */
export const chosenIcon = (name: string, ...classes: readonly Class[]): Element =>
  el('span', {
    className: ['icon', `fa-${name}`, ...classes],
    ariaHidden: 'true',
    draws: { name: 'icon', icon: name },
  })

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
