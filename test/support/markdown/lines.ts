// Lines for properties: every inline and every mark.
import fc from 'fast-check'
import {
  type Block,
  block,
  fragment,
  type Inline,
  inline,
  type Mark,
  paragraph,
  type Text,
} from '../../../src/engines/markdown/document/document.ts'
import { COLORS } from '../../../src/engines/markdown/schema/schema.ts'
import { label, words } from './hostile-words.ts'
import { media, reference } from './references.ts'

const plainMark = fc.constantFrom(
  ...(['bold', 'italic', 'strikethrough', 'code', 'keyboard', 'superscript', 'subscript'] as const),
)
const color = fc.constantFrom(...COLORS)
const mark: fc.Arbitrary<Mark> = fc.oneof(
  { weight: 5, arbitrary: plainMark.map((type): Mark => ({ object: 'mark', type })) },
  fc
    .tuple(color, color)
    .filter(([text, background]) => text !== 'default' || background !== 'default')
    .map(([text, background]): Mark => ({ object: 'mark', type: 'color', data: { text, background } })),
)
const marks = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Mark[]>([]) },
  { weight: 3, arbitrary: mark.map(one => [one]) },
  fc.uniqueArray(mark, { maxLength: 3, selector: one => one.type }),
)

/** A leaf; code stays on one line, and words are broken here and there. */
const leaf = fc.tuple(words, marks, fc.boolean()).map(([text, all, isBroken]) => {
  const isCode = all.some(one => one.type === 'code')
  const points = [...text]
  const broken =
    isBroken && !isCode && points.length > 3
      ? `${points.slice(0, 2).join('').trimEnd()}\n${points.slice(2).join('').trimStart()}`
      : text
  return { object: 'leaf' as const, text: isCode ? broken.trim() : broken, marks: all }
})
const text: fc.Arbitrary<Text> = fc
  .array(leaf, { minLength: 1, maxLength: 3 })
  .map(leaves => ({ object: 'text', leaves }))
const unmarked: fc.Arbitrary<Text> = label.map(one => ({
  object: 'text',
  leaves: [{ object: 'leaf', text: one, marks: [] }],
}))

const inlineImage = fc
  .record({
    ref: media,
    refDark: fc.option(media),
    alt: fc.option(label),
    caption: fc.option(label),
    size: fc.constantFrom('original', 'line'),
  })
  .map(({ ref, refDark, alt, caption, size }) =>
    inline('inline-image', {
      ref,
      ...(refDark === null ? {} : { refDark }),
      ...(alt === null ? {} : { alt }),
      ...(caption === null ? {} : { caption }),
      size: size as 'original' | 'line',
    }),
  )

const link = fc
  .tuple(reference, fc.array(fc.oneof(text, inlineImage), { minLength: 1, maxLength: 2 }))
  .map(([ref, nodes]) => inline('link', { ref }, { nodes }))

export const formula = fc
  .array(fc.constantFrom('a', 'x_1', '\\frac{a}{b}', '^2', '$', '`', '*', ' + ', '\\', '{', '<b>', '&amp;'), {
    minLength: 1,
    maxLength: 4,
  })
  .map(parts => parts.join('').trim())
  .filter(one => /[a-z]/.test(one) && !/\s\s/.test(one))

const voidInline: fc.Arbitrary<Inline> = fc.oneof(
  fc.constantFrom('1f680', '2705', '1f469-1f4bb').map(code => inline('emoji', { code })),
  fc
    .tuple(fc.constantFrom('rocket', 'circle-info'), fc.option(color.filter(one => one !== 'default')))
    .map(([icon, one]) => inline('icon', one === null ? { icon } : { icon, color: one })),
  label.map(expression => inline('expression', { expression })),
  formula.map(one => inline('inline-math', { formula: one })),
  reference.map(ref => inline('mention', { ref })),
  fc
    .tuple(label, fc.constantFrom('primary' as const, 'secondary' as const), reference, fc.boolean())
    .map(([one, kind, ref, isAction]) =>
      inline('button', {
        label: one,
        kind,
        ...(isAction ? { action: { action: 'ask', query: one } } : { ref }),
        ...(isAction ? { icon: 'rocket' } : {}),
      }),
    ),
  inlineImage,
)

const noteBody: fc.Arbitrary<Block[]> = fc.oneof(
  unmarked.map(one => [paragraph([one])]),
  fc.tuple(unmarked, label).map(([one, code]) => [
    paragraph([one]),
    block('list-unordered', {}, { nodes: [block('list-item', {}, { nodes: [paragraph([one])] })] }),
    block(
      'code',
      {},
      {
        nodes: [
          block(
            'code-line',
            {},
            { nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: code, marks: [] }] }] },
          ),
        ],
      },
    ),
  ]),
)
const annotation = fc
  .tuple(fc.oneof(unmarked, text), noteBody)
  .map(([one, body]) =>
    inline(
      'annotation',
      {},
      { nodes: [one], fragments: [fragment('annotation-body', body, 'annotation-body')] },
    ),
  )

type Line = (Text | Inline)[]
const lineOf = (...more: fc.Arbitrary<Text | Inline>[]): fc.Arbitrary<Line> =>
  fc
    .array(fc.oneof({ weight: 3, arbitrary: text as fc.Arbitrary<Text | Inline> }, ...more), {
      minLength: 1,
      maxLength: 4,
    })
    .filter(nodes => nodes.some(node => node.object === 'text'))
export const line = lineOf(link, voidInline, annotation)
