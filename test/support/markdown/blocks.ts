// Blocks for properties that hold no other blocks, but for lists.
import fc from 'fast-check'
import {
  type Block,
  block,
  fragment,
  paragraph,
  type Reference,
} from '../../../src/engines/markdown/document/document.ts'
import { attribute, HOSTILE, label, word } from './hostile-words.ts'
import { formula, line } from './lines.ts'
import { file, media, path, reference } from './references.ts'

const align = fc.constantFrom(
  {},
  {},
  {},
  { align: 'center' as const },
  { align: 'end' as const },
  { align: 'start' as const },
)
export const heading = fc
  .tuple(
    fc.constantFrom('heading-1' as const, 'heading-2' as const, 'heading-3' as const),
    line,
    align,
    fc.constantFrom({}, {}, { id: 'own-1' }),
  )
  .map(([type, nodes, side, id]) => block(type, { ...side, ...id }, { nodes }) as Block)
export const aligned = fc
  .tuple(line, align)
  .map(([nodes, side]) => block('paragraph', side, { nodes }) as Block)
export const divider = fc.constant(block('divider', {}) as Block)

const codeText = fc
  .array(fc.oneof(fc.constantFrom(...HOSTILE, '```', '    ', '\t'), word), { maxLength: 4 })
  .map(parts => parts.join('').replaceAll('\u00a0', ' '))
const codeLine = (isMarked: boolean) =>
  fc.tuple(codeText, fc.boolean()).map(([one, isHighlighted]) =>
    block('code-line', isMarked && isHighlighted && one !== '' ? { highlighted: true } : {}, {
      nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: one, marks: [] }] }],
    }),
  )
const codeData = fc
  .record({
    syntax: fc.constantFrom(undefined, 'js', 'c++', 'a&b'),
    title: fc.option(attribute, { nil: undefined }),
    overflow: fc.constantFrom(undefined, 'wrap' as const, 'scroll' as const),
    lineNumbers: fc.constantFrom(undefined, true),
    fullWidth: fc.constantFrom(undefined, true),
    expandable: fc.constantFrom(undefined, true),
    collapsedLineCount: fc.constantFrom(undefined, 3),
  })
  .map(data => Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined)))
export const code = fc
  .tuple(codeData, fc.boolean())
  .chain(([data, isMarked]) =>
    fc
      .array(codeLine(isMarked), { minLength: 1, maxLength: 4 })
      .map(nodes => block('code', data, { nodes }) as Block),
  )

const image = fc
  .record({
    ref: media,
    refDark: fc.option(media),
    alt: fc.option(label),
    width: fc.constantFrom(undefined, 300, { unit: '%', value: 50 }),
    caption: fc.option(line),
  })
  .map(({ ref, refDark, alt, width, caption }) =>
    block(
      'image',
      {
        ref,
        ...(refDark === null ? {} : { refDark }),
        ...(alt === null ? {} : { alt }),
        ...(width === undefined ? {} : { width }),
      },
      caption === null ? {} : { fragments: [fragment('caption', [paragraph(caption)])] },
    ),
  )
export const images = fc
  .tuple(
    fc.array(image, { minLength: 1, maxLength: 2 }),
    fc.constantFrom({}, { align: 'left' as const }, { fullWidth: true, withFrame: true }),
  )
  .map(([nodes, side]) => block('images', side, { nodes }) as Block)

export const pointers: fc.Arbitrary<Block> = fc.oneof(
  fc
    .constantFrom('https://x.example/a?b=c&d="e"', 'https://x.example/{%')
    .map(one => block('embed', { url: one })),
  file.map(ref => block('file', { ref: ref as Extract<Reference, { kind: 'file' }> })),
  file.map(ref => block('drawing', { ref: ref as Extract<Reference, { kind: 'file' }> })),
  reference.map(ref => block('content-ref', { ref })),
  fc.tuple(attribute, fc.boolean()).map(([name, isOn]) =>
    block('integration', {
      integration: 'arcade',
      block: 'embed',
      props: { name, ...(isOn ? { on: true } : {}) },
    }),
  ),
) as fc.Arbitrary<Block>
export const specs: fc.Arbitrary<Block> = fc.oneof(
  path('include', '.md').map(one =>
    block('reusable-content', { ref: { kind: 'reusable-content', reusableContent: one } }),
  ),
  fc.constant(
    block('openapi-operation', {
      path: '/a/{b}',
      method: 'get',
      ref: { kind: 'openapi', spec: 's' },
      headless: true,
    }),
  ),
  fc.constant(
    block('openapi-schemas', { schemas: ['A', 'B c'], grouped: false, ref: { kind: 'openapi', spec: 's' } }),
  ),
  fc.constant(block('openapi-webhook', { name: 'n', method: 'post', ref: { kind: 'openapi', spec: 's' } })),
  media.map(ref => block('swagger', { path: '/a', method: 'get', ref, expanded: true })),
) as fc.Arbitrary<Block>
export const math = formula.map(one => block('math', { formula: one }) as Block)

export const nested = { depthIdentifier: 'nest', maxDepth: 3, depthSize: 'small' } as const
export const blocks = (one: fc.Arbitrary<Block>) =>
  fc.array(one, { minLength: 1, maxLength: 3, depthIdentifier: 'nest' })
export const lists = (item: fc.Arbitrary<Block>): fc.Arbitrary<Block>[] => {
  const items = fc.array(blocks(item), { minLength: 1, maxLength: 3, depthIdentifier: 'nest' })
  const listed = (all: Block[][]) => all.map(nodes => block('list-item', {}, { nodes }))
  return [
    items.map(all => block('list-unordered', {}, { nodes: listed(all) })),
    fc
      .tuple(items, fc.constantFrom({}, { start: 0 }, { start: 7 }))
      .map(([all, start]) => block('list-ordered', start, { nodes: listed(all) })),
    fc
      .tuple(items, fc.boolean())
      .map(([all, checked]) =>
        block('list-tasks', {}, { nodes: all.map(nodes => block('list-item', { checked }, { nodes })) }),
      ),
  ]
}
