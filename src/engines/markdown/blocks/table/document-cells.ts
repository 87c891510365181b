// The values of cells in columns of a type.
import { defined } from '../../../../base/objects.ts'
import type { Conversion, Reference, Value } from '../../document/converting.ts'
import { type CellLink, type ChosenOption, contentOf } from './cells.ts'
import type { Cell, Column } from './reading.ts'

/** The value of a cell; undefined if it is words, or holds what no value can. */
export function cellValue(cell: Cell, column: Column, conversion: Conversion): Value | undefined {
  const content = contentOf(cell, column)
  switch (content.kind) {
    case 'words':
      return undefined
    case 'number':
      return content.number
    case 'checkbox':
      return content.isChecked
    case 'options':
      return content.options.every(isKnown) ? content.options.map(one => one.value) : undefined
    case 'links':
      return linkedValue(content.links, cell, column, conversion)
  }
}

/** The words of an option are those of the head; without it, they would be lost. */
const isKnown = ({ value, words, option }: ChosenOption): boolean =>
  option !== undefined || words === '' || words === value

function linkedValue(
  links: readonly CellLink[],
  cell: Cell,
  { type }: Column,
  conversion: Conversion,
): Value | undefined {
  if (type === 'files')
    return links.map(
      ({ destination }) => conversion.referenceOf('file', destination, 'file')?.file ?? destination,
    )
  if (type === 'users') return links.map(({ destination }) => userOf(destination, conversion))
  const [first, ...others] = links
  if (first === undefined) return null
  if (others.length > 0) return undefined
  return type === 'image' ? imageOf(first, cell, conversion) : conversion.reference(first.destination)
}

function userOf(destination: string, conversion: Conversion): string {
  const found: Reference | undefined = conversion.referenceOf('user', destination, 'link')
  return found?.kind === 'user' ? found.user : (destination.split('/').at(-1) ?? destination)
}

function imageOf(link: CellLink, { objectFit }: Cell, conversion: Conversion): Value {
  const { destination, words, isPicture } = link
  const ref = conversion.media(destination)
  const alt = isPicture && words !== '' ? words : undefined
  return objectFit === undefined && alt === undefined ? ref : defined({ ref, objectFit, alt })
}
