// A table shown as cards: each row is a card with a cover, its cells, and one target for the whole card.
import { dataAttributes, IMAGE_FITS, readAttributes, TABLE_ATTRIBUTES } from '../attributes/attributes.ts'
import { childrenOf, type Element, isNamed, type Node } from '../syntax/syntax.ts'
import { type Child, el, type Hast, icon, textOf } from './build.ts'
import { idsOf, MISSING_TARGET, resolve } from './links.ts'
import { missingPicture, resolveImage } from './pictures.ts'
import type { Scope } from './scope.ts'
import { type Column, cellContent, type Grid, links } from './table-cells.ts'

const FITS: ReadonlySet<string> = new Set(IMAGE_FITS)

export function renderCards(node: Element, grid: Grid, scope: Scope): Hast {
  const { cardSize } = readAttributes(dataAttributes(node), TABLE_ATTRIBUTES)
  const cards = grid.rows.map(row => renderCard(row, grid.columns, scope)).filter(card => card !== undefined)
  return el('ul', { className: ['cards', cardSize === 'large' && 'cards-large'], role: 'list' }, cards)
}

function renderCard(row: readonly Element[], columns: readonly Column[], scope: Scope): Hast | undefined {
  const cellOf = (role: 'isCover' | 'isDarkCover' | 'isTarget') =>
    row[columns.findIndex(column => column[role])]
  const body: Hast[] = []
  for (const [index, cell] of row.entries()) {
    const column = columns[index]
    if (column === undefined || column.isHidden || column.isCover || column.isDarkCover) continue
    const content = cellContent(cell, column, scope)
    if (content.length > 0) body.push(el('div', {}, content))
  }
  const cover = coverOf(cellOf('isCover'), cellOf('isDarkCover'), scope)
  const target = targetOf(cellOf('isTarget'), body, scope)
  if (body.length === 0 && cover === undefined) return undefined
  return el('li.card', {}, cover, body.length > 0 && el('div.card-body', {}, body), target)
}

/** A link over the whole card, named by the card's first words; a note for members if it leads nowhere. */
function targetOf(cell: Element | undefined, body: readonly Hast[], scope: Scope): Hast | undefined {
  const [link] = cell === undefined ? [] : links(cell)
  if (link === undefined) return undefined
  const target = resolve(scope, link.attributes.href ?? '', 'card', link)
  if (target.href === undefined) return el('div.card-note', { title: MISSING_TARGET }, icon('link-slash'))
  const name = textOf(body.slice(0, 1)).trim() || target.label || target.href
  return el('a.card-target', {
    href: target.href,
    ariaLabel: name.slice(0, 120),
    rel: target.isExternal && 'noopener noreferrer',
    ...idsOf(target),
  })
}

/** A missing one is a note for members. */
function coverOf(light: Element | undefined, dark: Element | undefined, scope: Scope): Hast | undefined {
  const source = sourceOf(light)
  if (light === undefined || source === undefined) return undefined
  const shown = resolveImage(scope, source)
  if (shown === undefined) return el('div.card-note', {}, missingPicture({ source, alt: '' }))
  const darkSource = sourceOf(dark)
  const shownDark = darkSource === undefined ? undefined : resolveImage(scope, darkSource)
  const fit = light.attributes['data-object-fit'] ?? ''
  const img = (src: string, ...classes: readonly string[]): Child =>
    el('img', {
      src,
      alt: '',
      className: [...classes, FITS.has(fit) && `fit-${fit}`],
      loading: !scope.options.loadsAtOnce && 'lazy',
      decoding: 'async',
    })
  if (shownDark === undefined) return el('div.card-cover', {}, img(shown.src))
  return el('div.card-cover', {}, img(shown.src, 'only-light'), img(shownDark.src, 'only-dark'))
}

/** A cover cell holds a link to the file, or the picture itself. */
function sourceOf(cell: Element | undefined): string | undefined {
  if (cell === undefined) return undefined
  const img = findImg(cell, 0)
  return img?.attributes.src ?? links(cell)[0]?.attributes.href
}

function findImg(node: Node, depth: number): Element | undefined {
  if (depth > 5) return undefined
  for (const child of childrenOf(node)) {
    if (isNamed(child, 'img')) return child
    const below = findImg(child, depth + 1)
    if (below !== undefined) return below
  }
  return undefined
}
