// Typed columns, as the head of an HTML table describes them, and the values of their cells.
import type { BlockData, Definition, Reference, Value } from '../../document/document.ts'
import { htmlText, htmlWords, labelOf, type Rendering, startTag } from '../../render/tagging.ts'
import { inOneLine } from '../../syntax/syntax.ts'

export type { Definition, Value }

/** The head of a column, with its place in the view. */
export function headHtml(column: Definition, view: BlockData<'table'>['view']): string {
  const width = view.type === 'grid' ? view.columnWidths?.[column.id] : undefined
  const card = view.type === 'cards' ? view : undefined
  const open = startTag('th', {
    width: width !== undefined && width > 0 && Number.isFinite(width) ? String(width) : undefined,
    'data-type': column.type === 'text' ? undefined : column.type,
    ...sidesOf(column),
    'data-hidden': !view.columns.includes(column.id),
    'data-card-target': card?.targetDefinition === column.id,
    'data-card-cover': card?.coverDefinition === column.id,
    'data-card-cover-dark': card?.coverDefinitionDark === column.id,
    'data-max': column.type === 'rating' ? String(column.max) : undefined,
    'data-multiple': column.type === 'users' && column.multiple,
  })
  const options = column.type === 'select' ? selectHtml(column) : ''
  return `${open}${htmlWords(inOneLine(column.title).trim())}${options}</th>`
}

/** The alignment of a column's cells, if it is not the default. */
export const sidesOf = (column: Definition) =>
  column.type !== 'text'
    ? {}
    : {
        align: column.textAlignment === 'left' ? undefined : column.textAlignment,
        valign: column.verticalAlignment === 'top' ? undefined : column.verticalAlignment,
      }

const selectHtml = ({ multiple, options }: Extract<Definition, { type: 'select' }>): string => {
  const all = options.map(
    ({ value, label, color }) => `${startTag('option', { value, label, color })}</option>`,
  )
  return `${startTag('select', { multiple })}${all.join('')}</select>`
}

/** A value of the column's type in its cell. */
export function valueHtml(value: Value | undefined, column: Definition, rendering: Rendering): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return htmlWords(inOneLine(value))
  if (Array.isArray(value)) return value.map(one => listedHtml(one, column, rendering)).join('')
  if (!('ref' in value)) return referenceHtml(value, rendering)
  const src = rendering.write(value.ref)
  const { alt = '' } = value
  if (src === undefined) return htmlWords(alt)
  return alt === '' ? linkHtml(src) : startTag('img', { src, alt })
}

/** How an image fills its cell, if it is shown. */
export function fitOf(value: Value | undefined, rendering: Rendering): string | undefined {
  const isImage = typeof value === 'object' && value !== null && 'ref' in value
  return isImage && rendering.write(value.ref) !== undefined ? value.objectFit : undefined
}

function referenceHtml(reference: Reference, rendering: Rendering): string {
  const destination = rendering.write(reference)
  return destination === undefined ? '' : linkHtml(destination)
}

const linkHtml = (destination: string): string =>
  `${startTag('a', { href: destination })}${htmlText(labelOf(destination) || inOneLine(destination))}</a>`

/** One of several: an option, a file, a user. A file that is not an id is already a destination. */
function listedHtml(item: string, column: Definition, rendering: Rendering): string {
  if (column.type === 'select') {
    const label = column.options.find(one => one.value === item)?.label ?? item
    return `${startTag('span', { 'data-option': item })}${htmlWords(inOneLine(label))}</span>`
  }
  if (column.type === 'users') return referenceHtml({ kind: 'user', user: item }, rendering)
  return referenceHtml(
    column.type === 'files' ? { kind: 'file', file: item } : { kind: 'url', url: item },
    rendering,
  )
}
