// Columns with a type, as the head of an HTML table says it, and the values of their cells.
import type { BlockData, Definition, Reference, Value } from '../document/document.ts'
import { inOneLine } from '../syntax/syntax.ts'
import { htmlWords } from './html-line.ts'
import { labelOf } from './inlines.ts'
import { htmlAttribute, htmlText } from './quoting.ts'
import type { Rendering } from './rendering.ts'

export type { Definition, Value }

/** The head of a column, with its place in the view. */
export function headHtml(column: Definition, view: BlockData<'table'>['view']): string {
  const attributes: string[] = []
  if (view.type === 'grid') {
    const width = view.columnWidths?.[column.id]
    if (width !== undefined && width > 0 && Number.isFinite(width)) attributes.push(`width="${width}"`)
  }
  if (column.type === 'text') {
    if (column.textAlignment !== 'left') attributes.push(htmlAttribute('align', column.textAlignment))
    if (column.verticalAlignment !== 'top') attributes.push(htmlAttribute('valign', column.verticalAlignment))
  } else attributes.push(htmlAttribute('data-type', column.type))
  if (!view.columns.includes(column.id)) attributes.push('data-hidden')
  if (view.type === 'cards') {
    if (view.targetDefinition === column.id) attributes.push('data-card-target')
    if (view.coverDefinition === column.id) attributes.push('data-card-cover')
    if (view.coverDefinitionDark === column.id) attributes.push('data-card-cover-dark')
  }
  if (column.type === 'rating') attributes.push(htmlAttribute('data-max', String(column.max)))
  if (column.type === 'users' && column.multiple) attributes.push('data-multiple')
  const options = column.type === 'select' ? selectHtml(column) : ''
  return `<${['th', ...attributes].join(' ')}>${htmlWords(inOneLine(column.title).trim())}${options}</th>`
}

function selectHtml({ multiple, options }: Extract<Definition, { type: 'select' }>): string {
  const all = options.map(({ value, label, color }) => {
    const attributes = [
      htmlAttribute('value', value),
      htmlAttribute('label', label),
      htmlAttribute('color', color),
    ]
    return `<option ${attributes.join(' ')}></option>`
  })
  return `<select${multiple ? ' multiple' : ''}>${all.join('')}</select>`
}

type Cell = { readonly html: string; readonly attributes: readonly string[] }

const plain = (html: string): Cell => ({ html, attributes: [] })

/** A value of the column's type in its cell. */
export function valueHtml(value: Value | undefined, column: Definition, rendering: Rendering): Cell {
  if (value === undefined || value === null) return plain('')
  if (typeof value === 'number' || typeof value === 'boolean') return plain(String(value))
  if (typeof value === 'string') return plain(htmlWords(inOneLine(value)))
  if (Array.isArray(value)) return plain(value.map(one => listedHtml(one, column, rendering)).join(''))
  if ('ref' in value) {
    const src = rendering.write(value.ref)
    const fit = value.objectFit === undefined ? [] : [htmlAttribute('data-object-fit', value.objectFit)]
    if (src === undefined) return plain(htmlWords(value.alt ?? ''))
    const html =
      value.alt === undefined || value.alt === ''
        ? linkHtml(src)
        : `<img ${htmlAttribute('src', src)} ${htmlAttribute('alt', value.alt)}>`
    return { html, attributes: fit }
  }
  return plain(referenceHtml(value as Reference, rendering))
}

function referenceHtml(reference: Reference, rendering: Rendering): string {
  const destination = rendering.write(reference)
  return destination === undefined ? '' : linkHtml(destination)
}

const linkHtml = (destination: string): string =>
  `<a ${htmlAttribute('href', destination)}>${htmlText(labelOf(destination) || inOneLine(destination))}</a>`

/** One of several: an option, a file, a user. Files that are no ids are destinations already. */
function listedHtml(item: string, column: Definition, rendering: Rendering): string {
  if (column.type === 'select') {
    const label = column.options.find(one => one.value === item)?.label ?? item
    return `<span ${htmlAttribute('data-option', item)}>${htmlWords(inOneLine(label))}</span>`
  }
  if (column.type === 'users') return referenceHtml({ kind: 'user', user: item }, rendering)
  return referenceHtml(
    column.type === 'files' ? { kind: 'file', file: item } : { kind: 'url', url: item },
    rendering,
  )
}
