// Documents for properties: every block in every container that may hold it. They are such as reading gives them, apart
// from how text is cut: render.test.ts names what Markdown has no form for.
import fc from 'fast-check'
import {
  type Block,
  block,
  fragment,
  type JSONDocument,
  paragraph,
} from '../../../src/engines/markdown/document/document.ts'
import { HINT_STYLES } from '../../../src/engines/markdown/schema/schema.ts'
import {
  aligned,
  blocks,
  code,
  divider,
  heading,
  images,
  lists,
  math,
  nested,
  pointers,
  specs,
} from './blocks.ts'
import { attribute } from './hostile-words.ts'
import { line } from './lines.ts'
import { tables } from './tables.ts'

const { top } = fc.letrec<{ essential: Block; section: Block; item: Block; top: Block; quoted: Block }>(
  tie => {
    const essentials = [aligned, heading, divider]
    const table = tables(
      fc.oneof({ weight: 3, arbitrary: line.map(nodes => [paragraph(nodes)]) }, blocks(tie('top'))),
    )
    const hint = fc
      .tuple(
        fc.constantFrom(...HINT_STYLES),
        blocks(tie('essential')),
        fc.constantFrom({}, { icon: 'rocket' }),
      )
      .map(([style, nodes, icon]) => block('hint', { style, ...icon }, { nodes }) as Block)
    const quote = blocks(tie('quoted')).map(nodes => block('blockquote', {}, { nodes }) as Block)
    const sections = [code, images, pointers, hint, quote, math]
    const items = <
      T extends 'tabs' | 'stepper' | 'columns',
      I extends 'tabs-item' | 'stepper-step' | 'column',
    >(
      type: T,
      name: I,
      data: fc.Arbitrary<object>,
    ) =>
      fc
        .array(fc.tuple(blocks(tie('section')), data), {
          minLength: 1,
          maxLength: 2,
          depthIdentifier: 'nest',
        })
        .map(
          all =>
            block(type, {} as never, {
              nodes: all.map(([nodes, one]) => block(name, one as never, { nodes })),
            }) as Block,
        )
    const expandable = fc
      .tuple(
        line,
        blocks(fc.oneof(nested, tie('essential'), code, images, hint)),
        fc.constantFrom({}, { defaultExpanded: true }),
      )
      .map(
        ([title, body, data]) =>
          block('expandable', data, {
            fragments: [
              fragment('expandable-title', [paragraph(title)], 'expandable-title'),
              fragment('expandable-body', body, 'expandable-body'),
            ],
          }) as Block,
      )
    return {
      essential: fc.oneof(nested, ...essentials, ...lists(tie('item'))),
      quoted: fc.oneof(nested, ...essentials, ...lists(tie('item')), quote),
      item: fc.oneof(
        nested,
        { weight: 3, arbitrary: aligned },
        heading,
        divider,
        code,
        hint,
        quote,
        math,
        table,
        ...lists(tie('item')),
      ),
      section: fc.oneof(nested, ...essentials, ...sections, ...lists(tie('item'))),
      top: fc.oneof(
        nested,
        { weight: 3, arbitrary: aligned },
        ...essentials,
        ...sections,
        specs,
        table,
        expandable,
        ...lists(tie('item')),
        items(
          'tabs',
          'tabs-item',
          fc.oneof(
            fc.constant({}),
            attribute.map(title => ({ title, icon: 'rocket' })),
          ),
        ),
        items('stepper', 'stepper-step', fc.constantFrom({}, { icon: 'rocket' })),
        items(
          'columns',
          'column',
          fc.constantFrom({}, { width: { unit: '%', value: 50 }, verticalAlignment: 'middle' }),
        ),
        fc
          .tuple(fc.constantFrom('visitor.claims.a == "b"', 'a'), blocks(tie('top')))
          .map(([expression, nodes]) => block('if', { expression }, { nodes }) as Block),
        blocks(tie('top')).map(
          nodes =>
            block(
              'updates',
              { format: 'full' },
              {
                nodes: [block('update', { date: '2030-01-01', tags: ['a', 'b c'] }, { nodes })],
              },
            ) as Block,
        ),
        fc
          .tuple(code, attribute)
          .map(([one, description]) => block('prompt', { description }, { nodes: [one] }) as Block),
      ),
    }
  },
)

export const documents: fc.Arbitrary<JSONDocument> = fc
  .array(top, { minLength: 1, maxLength: 4 })
  .map(nodes => ({ object: 'document', data: { schemaVersion: 1 }, nodes }))
