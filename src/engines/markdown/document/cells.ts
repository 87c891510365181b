// Typed columns, and the values of their cells. A cell that does not fit the type of its column has no value; the
// table keeps it as words.
import type { Static } from 'typebox'
import { defined } from '../../../base/objects.ts'
import { IMAGE_FITS } from '../attributes/attributes.ts'
import { childrenOf, type Element, isNamed, type Node, plainLine } from '../syntax/syntax.ts'
import type { Conversion } from './conversion.ts'
import type { BLOCKS } from './rules.ts'
import type { MediaReference, Reference, TABLE_COLUMNS } from './values.ts'

export type Definition = { [T in ColumnType]: Static<(typeof TABLE_COLUMNS)[T]> }[ColumnType]
export type ColumnType = keyof typeof TABLE_COLUMNS
export type Values = Static<(typeof BLOCKS)['table']['data']>['records'][string]['values']
export type Value = Values[string]

const OPTIONS_MAX = 500

/** How a header cell defines its column; `align` of a pipe table, or the attributes of a `<th>`. */
export function defineColumn(
  id: string,
  title: string,
  head: Element | undefined,
  align: string | null,
): Definition {
  const attributes = head?.attributes ?? {}
  const select = head?.children.find(child => isNamed(child, 'select'))
  const type = select === undefined ? attributes['data-type'] : 'select'
  const multiple = Object.hasOwn(attributes, 'data-multiple')
  switch (type) {
    case 'number':
    case 'checkbox':
    case 'files':
    case 'content-ref':
    case 'image':
      return { id, title, type }
    case 'users':
      return { id, title, type, multiple }
    case 'rating': {
      const max = Number(attributes['data-max'])
      return { id, title, type, max: Number.isFinite(max) && max > 0 ? max : 5 }
    }
    case 'select': {
      const isMultiple = multiple || (select !== undefined && Object.hasOwn(select.attributes, 'multiple'))
      return { id, title, type, multiple: isMultiple, options: select === undefined ? [] : optionsOf(select) }
    }
  }
  const side = attributes.align ?? align
  const vertical = attributes.valign
  return {
    id,
    title,
    type: 'text',
    textAlignment: side === 'center' || side === 'right' ? side : 'left',
    verticalAlignment: vertical === 'middle' || vertical === 'bottom' ? vertical : 'top',
  }
}

function optionsOf(select: Element): { value: string; label: string; color: string }[] {
  const options = select.children.filter(child => isNamed(child, 'option'))
  return options.slice(0, OPTIONS_MAX).map(({ attributes, children }) => {
    const label = attributes.label ?? plainLine(children)
    return { value: attributes.value ?? label, label, color: attributes.color ?? 'default' }
  })
}

/** The value of a cell; undefined when it is words, in a text column or against its column's type. */
export function cellValue(definition: Definition, cell: Node, conversion: Conversion): Value | undefined {
  const words = plainLine(childrenOf(cell))
  switch (definition.type) {
    case 'text':
      return undefined
    case 'number':
    case 'rating':
      return numberOf(words)
    case 'checkbox':
      if (words === 'true') return true
      return words === 'false' || words === '' ? false : undefined
    case 'select': {
      const chosen = optionsIn(cell)
      if (chosen.length > 0) return chosen
      return words === '' ? [] : undefined
    }
  }
  const links = linksIn(cell)
  // Words beside the links would be lost in a value.
  const linked = links.map(link => link.words).join('')
  if (words.replace(/\s/g, '') !== linked.replace(/\s/g, '')) return undefined
  const [first] = links
  switch (definition.type) {
    case 'content-ref':
      return first === undefined ? null : conversion.reference(first.destination)
    case 'image':
      return first === undefined ? null : imageOf(cell, first, conversion)
    case 'files':
      return links.map(
        link => conversion.referenceOf('file', link.destination, 'file')?.file ?? link.destination,
      )
    case 'users':
      return links.map(link => userOf(link.destination, conversion))
  }
}

function numberOf(words: string): number | null | undefined {
  if (words === '' || words === 'null') return null
  const value = Number(words)
  return Number.isFinite(value) ? value : undefined
}

function userOf(destination: string, conversion: Conversion): string {
  const found: Reference | undefined = conversion.referenceOf('user', destination, 'link')
  return found?.kind === 'user' ? found.user : (destination.split('/').at(-1) ?? destination)
}

function imageOf(cell: Node, { destination, alt }: CellLink, conversion: Conversion): Value {
  const ref: MediaReference = conversion.media(destination)
  const asked = cell.type === 'element' ? cell.attributes['data-object-fit'] : undefined
  const objectFit = IMAGE_FITS.find(fit => fit === asked)
  return objectFit === undefined && !alt ? ref : defined({ ref, objectFit, alt: alt || undefined })
}

type CellLink = { readonly destination: string; readonly words: string; readonly alt?: string | undefined }

/** Links and pictures of a cell, in order; a picture's own words do not count as the cell's. */
function linksIn(node: Node): CellLink[] {
  return childrenOf(node).flatMap((child): CellLink[] => {
    if (child.type === 'link') return [{ destination: child.url, words: plainLine(child.children) }]
    if (child.type === 'image') return [{ destination: child.url, words: child.alt, alt: child.alt }]
    if (child.type === 'element') {
      const { href, src, alt } = child.attributes
      if (child.name === 'a' && href !== undefined)
        return [{ destination: href, words: plainLine(child.children) }]
      if (child.name === 'img' && src !== undefined) return [{ destination: src, words: alt ?? '', alt }]
    }
    return linksIn(child)
  })
}

function optionsIn(node: Node): string[] {
  return childrenOf(node).flatMap(child => {
    const option = child.type === 'element' ? child.attributes['data-option'] : undefined
    return option === undefined ? optionsIn(child) : [option]
  })
}
