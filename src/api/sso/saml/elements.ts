// Reads the parsed XML of the library: child elements by local name, each a list; attributes in `$`, text in `_`. Input
// is not trusted to have any shape, signed or not.
import { isObject } from '../../../base/objects.ts'

export type Element = Readonly<Record<string, unknown>>

export function childrenOf(element: Element | undefined, name: string): readonly Element[] {
  const children = element !== undefined && Object.hasOwn(element, name) ? element[name] : undefined
  return Array.isArray(children)
    ? children.map(child => (isElement(child) ? child : { _: String(child) }))
    : []
}

/** Undefined if there is none, or more than one, which is ambiguous. */
export function onlyChild(element: Element | undefined, name: string): Element | undefined {
  const children = childrenOf(element, name)
  return children.length === 1 ? children[0] : undefined
}

export function attributeOf(element: Element | undefined, name: string): string | undefined {
  const attributes = element?.$
  const value = isElement(attributes) && Object.hasOwn(attributes, name) ? attributes[name] : undefined
  return typeof value === 'string' ? value : undefined
}

export const textOf = (element: Element | undefined): string | undefined =>
  typeof element?._ === 'string' ? element._.trim() : undefined

/** The attributes of the subject by their names in lower case: providers differ in it. */
export function attributesOf(assertion: Element): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const statement of childrenOf(assertion, 'AttributeStatement')) {
    for (const attribute of childrenOf(statement, 'Attribute')) {
      const name = attributeOf(attribute, 'Name')?.toLowerCase()
      if (name === undefined) continue
      const values = childrenOf(attribute, 'AttributeValue').flatMap(value => textOf(value) ?? [])
      found.set(name, [...(found.get(name) ?? []), ...values])
    }
  }
  return found
}

const isElement = (value: unknown): value is Element => isObject(value)
