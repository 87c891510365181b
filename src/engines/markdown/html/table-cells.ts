// What the cells of an HTML table show, depending on what its head says about their column.
import { type Element, isNamed, type Node } from '../syntax/syntax.ts'
import { el, type Hast, icon, unseen } from './build.ts'
import { renderLink, resolve, targetMark } from './links.ts'
import { paperClass } from './names.ts'
import type { Scope } from './scope.ts'

/** A column of an HTML table, as its head cell describes it. */
export interface Column {
  readonly type: string
  readonly isHidden: boolean
  readonly isTarget: boolean
  readonly isCover: boolean
  readonly isDarkCover: boolean
  readonly ratingMax: number
  readonly options: ReadonlyMap<string, SelectOption>
}

export interface SelectOption {
  readonly label: string
  readonly colour: string | undefined
}

export interface Grid {
  readonly columns: readonly Column[]
  readonly head: readonly Element[]
  readonly rows: readonly (readonly Element[])[]
}

/** What a cell shows, by the type of its column; cards show the same. */
export function cellContent(cell: Element, column: Column, scope: Scope): Hast[] {
  switch (column.type) {
    case 'checkbox':
      return [
        plainText(cell) === 'true' ? el('span.checkmark', {}, icon('check'), unseen('Yes')) : unseen('No'),
      ]
    case 'rating':
      return [rating(Number(plainText(cell)), column.ratingMax)]
    case 'select':
      return selected(cell, column)
    case 'content-ref':
    case 'files':
      return links(cell).map(link => reference(link, column.type === 'files', scope))
    default:
      return scope.lineOrBlocks(cell.children)
  }
}

function rating(value: number, max: number): Hast {
  const stars = Math.min(Math.max(0, Math.round(Number.isFinite(value) ? value : 0)), max)
  return el(
    'span.rating',
    { role: 'img', ariaLabel: `${stars} of ${max}` },
    '★'.repeat(stars) + '☆'.repeat(max - stars),
  )
}

/** `<span data-option="abc">Done</span>`, one or several; the head knows each option's label and colour. */
function selected(cell: Element, column: Column): Hast[] {
  const chips: Hast[] = []
  const visit = (nodes: readonly Node[]) => {
    for (const node of nodes) {
      if (node.type !== 'element') continue
      const value = node.attributes['data-option']
      if (value === undefined) {
        visit(node.children)
        continue
      }
      const option = column.options.get(value)
      const className = ['select-option', paperClass(option?.colour)]
      chips.push(el('span', { className }, option?.label ?? plainText(node)))
    }
  }
  visit(cell.children)
  return chips
}

/** A link in a reference column: its text is often only a file name, and the target has a better label. */
function reference(link: Element, isFile: boolean, scope: Scope): Hast {
  const destination = link.attributes.href ?? ''
  const target = resolve(scope, destination, isFile ? 'file' : 'content-ref', link)
  const label = target.label ?? target.title
  const mark = targetMark(target) ?? (isFile ? icon('paperclip') : undefined)
  return renderLink(target, ['reference'], mark, mark && ' ', label ?? scope.inlines(link.children))
}

/** Links of a cell, in order. */
export function links(cell: Element): Element[] {
  const found: Element[] = []
  const visit = (nodes: readonly Node[]) => {
    for (const node of nodes) {
      if (isNamed(node, 'a') && node.attributes.href !== undefined) found.push(node)
      else if ('children' in node) visit(node.children)
    }
  }
  visit(cell.children)
  return found
}

function plainText(node: Element): string {
  let value = ''
  for (const child of node.children) {
    if (child.type === 'text') value += child.value
    else if (child.type === 'element') value += plainText(child)
  }
  return value.trim()
}
