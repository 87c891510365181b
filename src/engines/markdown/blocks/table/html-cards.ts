// A table shown as cards: each row is a card with a cover, its cells, and one target for the whole card.
import {
  type Child,
  el,
  type Hast,
  icon,
  idsOf,
  MISSING_TARGET,
  missingPicture,
  resolve,
  resolveImage,
  type Scope,
  textOf,
} from '../../html/drawing.ts'
import { linksIn, pictureIn } from './cells.ts'
import { drawCell } from './html-cells.ts'
import { type Cell, columnOf, type Row, type Table } from './reading.ts'

export function drawCards(table: Table, scope: Scope): Hast {
  const cards = table.rows.map(row => drawCard(row, table, scope)).filter(card => card !== undefined)
  const { cardSize, fullWidth } = table.data
  const className = ['cards', cardSize === 'large' && 'cards-large', fullWidth && 'full-width']
  return el('ul', { className, role: 'list', draws: { name: 'cards' } }, cards)
}

function drawCard(row: Row, table: Table, scope: Scope): Hast | undefined {
  const cellOf = (role: 'isCover' | 'isDarkCover' | 'isTarget') => {
    const column = columnOf(table, role)
    return row.find(cell => cell.column === column)
  }
  const body: Hast[] = []
  for (const cell of row) {
    const column = table.columns[cell.column]
    if (column === undefined || column.isHidden || column.isCover || column.isDarkCover) continue
    const content = drawCell(cell, column, scope)
    if (content.length > 0) body.push(el('div', {}, content))
  }
  const cover = coverOf(cellOf('isCover'), cellOf('isDarkCover'), scope)
  const target = targetOf(cellOf('isTarget'), body, scope)
  if (body.length === 0 && cover === undefined) return undefined
  return el('li.card', {}, cover, body.length > 0 && el('div.card-body', { part: 'inside' }, body), target)
}

/** A link over the whole card, named by the card's first words; a note for members if it leads nowhere. */
function targetOf(cell: Cell | undefined, body: readonly Hast[], scope: Scope): Hast | undefined {
  const link = cell && linksIn(cell.node).find(({ isPicture }) => !isPicture)
  if (link === undefined) return undefined
  const target = resolve(scope, link.destination, 'card', link.node)
  if (target.href === undefined) return el('div.card-note', { title: MISSING_TARGET }, icon('link-slash'))
  const name = textOf(body.slice(0, 1)).trim() || target.label || target.href
  return el('a.card-target', {
    href: target.href,
    ariaLabel: name.slice(0, 120),
    rel: target.isExternal && 'noopener noreferrer',
    ...idsOf(target),
    draws: { name: 'screen' },
    part: 'target',
  })
}

/** A missing one is a note for members. */
function coverOf(light: Cell | undefined, dark: Cell | undefined, scope: Scope): Hast | undefined {
  const source = sourceOf(light)
  if (light === undefined || source === undefined) return undefined
  const shown = resolveImage(scope, source)
  if (shown === undefined) return el('div.card-note', {}, missingPicture({ source, alt: '' }))
  const darkSource = sourceOf(dark)
  const shownDark = darkSource === undefined ? undefined : resolveImage(scope, darkSource)
  const fit = light.objectFit
  const img = (src: string, theme?: 'only-light' | 'only-dark'): Child =>
    el('img', {
      src,
      alt: '',
      className: [theme, fit && `fit-${fit}`],
      draws: theme === 'only-dark' && { name: 'screen' },
      loading: !scope.options.loadsAtOnce && 'lazy',
      decoding: 'async',
    })
  if (shownDark === undefined) return el('div.card-cover', { part: 'cover' }, img(shown.src))
  return el(
    'div.card-cover',
    { part: 'cover' },
    img(shown.src, 'only-light'),
    img(shownDark.src, 'only-dark'),
  )
}

/** A cover cell holds the picture itself, or a link to its file. */
const sourceOf = (cell: Cell | undefined): string | undefined =>
  cell && (pictureIn(cell.node) ?? linksIn(cell.node)[0])?.destination
