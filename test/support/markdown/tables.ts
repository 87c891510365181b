// Tables for properties: every kind of column, between pipes, as a grid and as cards.
import fc from 'fast-check'
import { type Block, block, fragment } from '../../../src/engines/markdown/document/document.ts'
import { label } from './hostile-words.ts'
import { media, path, reference } from './references.ts'

const column = fc.oneof(
  fc
    .tuple(fc.constantFrom('left', 'center', 'right'), fc.constantFrom('top', 'middle'))
    .map(([textAlignment, verticalAlignment]) => ({ type: 'text', textAlignment, verticalAlignment })),
  fc.constantFrom(
    { type: 'number' },
    { type: 'checkbox' },
    { type: 'files' },
    { type: 'content-ref' },
    { type: 'image' },
    { type: 'users', multiple: true },
    { type: 'rating', max: 5 },
    { type: 'select', multiple: true, options: [{ value: 'v', label: 'L *b*', color: 'blue' }] },
  ),
)
const values: { readonly [type: string]: fc.Arbitrary<unknown> } = {
  number: fc.constantFrom(1, -2.5, null),
  checkbox: fc.boolean(),
  files: fc.array(path('file', '.pdf'), { maxLength: 2 }),
  'content-ref': fc.option(reference),
  image: fc.oneof(
    media,
    fc.tuple(media, label).map(([ref, alt]) => ({ ref, objectFit: 'contain', alt })),
  ),
  users: fc.constantFrom([], ['u1'], ['u1', 'u2']),
  rating: fc.constantFrom(3, null),
  select: fc.constantFrom([], ['v']),
}

export function tables(cell: fc.Arbitrary<Block[]>): fc.Arbitrary<Block> {
  const definitions = fc.array(fc.tuple(column, fc.option(label)), { minLength: 1, maxLength: 3 })
  const views = fc.constantFrom('pipes', 'grid', 'wide', 'cards')
  return fc.tuple(definitions, views, fc.integer({ min: 0, max: 3 })).chain(([columns, view, count]) => {
    const types = columns.map(([one]) =>
      view === 'pipes' && one.type === 'text' ? { ...one, verticalAlignment: 'top' } : one,
    )
    const row = fc.tuple(
      ...types.map(one => (one.type === 'text' ? cell : values[one.type]!) as fc.Arbitrary<unknown>),
    )
    return fc
      .array(row, { minLength: count, maxLength: count })
      .map(rows => tableOf(types, columns, view, rows as unknown[][]))
  })
}

function tableOf(
  types: readonly { type: string }[],
  columns: readonly (readonly [object, string | null])[],
  view: string,
  rows: readonly (readonly unknown[])[],
): Block {
  const ids = types.map((_, index) => `c${index + 1}`)
  const definition = Object.fromEntries(
    ids.map((id, index) => [id, { id, title: columns[index]![1] ?? '', ...types[index] }]),
  )
  const fragments: ReturnType<typeof fragment>[] = []
  const records = Object.fromEntries(
    rows.map((row, index) => {
      const record = `r${index + 1}`
      const cells = row.map((value, at): [string, unknown] => {
        if (types[at]!.type !== 'text') return [ids[at]!, value]
        const slot = `${record}-${ids[at]}`
        fragments.push(fragment(slot, value as Block[]))
        return [ids[at]!, slot]
      })
      return [record, { orderIndex: String(index + 1).padStart(6, '0'), values: Object.fromEntries(cells) }]
    }),
  )
  const isWide = view === 'wide'
  const data = {
    view:
      view === 'cards'
        ? {
            type: 'cards',
            cardSize: 'large',
            columns: ids.slice(0, -1),
            targetDefinition: ids.at(-1),
            hideColumnTitle: true,
          }
        : {
            type: 'grid',
            columns: ids,
            ...(isWide ? { columnWidths: { c1: 120.5 }, useNewSizing: true } : {}),
            hideHeader: isWide,
          },
    records,
    ...(isWide ? { fullWidth: true, search: false } : {}),
    definition,
  }
  return block('table', data as never, fragments.length === 0 ? {} : { fragments }) as Block
}
