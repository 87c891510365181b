// A changelog.

import { type DrawBlock, el, type Hast, type Scope } from '../../html/drawing.ts'
import { type BlockData, itemsOf, type TagBlock } from '../../reading/reading.ts'

type DateFormat = BlockData<'updates'>['format']

/** The dates of its updates have one format. */
export const updates: DrawBlock<'updates'> = (block, scope) => {
  const { items, rest } = itemsOf(block)
  return [
    items.length > 0 &&
      el(
        'div.updates',
        {},
        items.map(item => drawUpdate(item, block.data.format, scope)),
      ),
    scope.blocks(rest),
  ]
}

export const update: DrawBlock<'update'> = (block, scope) => drawUpdate(block, 'full', scope)

const TAGS_MAX = 20

function drawUpdate(
  { data: { date, tags = [] }, tag }: TagBlock<'update'>,
  format: DateFormat,
  scope: Scope,
): Hast {
  const day = dayOf(date)
  const time =
    day === undefined
      ? date !== '' && el('time', {}, date)
      : el('time', { dateTime: date }, DAYS[format].format(day))
  const badges = tags
    .slice(0, TAGS_MAX)
    .map(name => el('span.badge', { draws: { name: 'chip', ground: undefined } }, name))
  return el(
    'section.update',
    { draws: { name: 'update' } },
    el('div.update-head', { part: 'title' }, time, badges),
    el('div.flow', {}, scope.blocks(tag.children)),
  )
}

/** The day that is written, whatever time and zone follow it; undefined where no calendar has it, such as 30 February. */
function dayOf(date: string): Date | undefined {
  const [day] = /^\d{4}-\d{2}-\d{2}/.exec(date) ?? []
  if (day === undefined || Number.isNaN(Date.parse(date))) return undefined
  const parsed = new Date(day)
  return parsed.toISOString().startsWith(day) ? parsed : undefined
}

const dayFormat = (month: 'long' | 'short' | '2-digit') =>
  new Intl.DateTimeFormat('en-GB', {
    day: month === '2-digit' ? '2-digit' : 'numeric',
    month,
    year: 'numeric',
    timeZone: 'UTC',
  })

const DAYS: Readonly<Record<DateFormat, Intl.DateTimeFormat>> = {
  full: dayFormat('long'),
  short: dayFormat('short'),
  numeric: dayFormat('2-digit'),
}
