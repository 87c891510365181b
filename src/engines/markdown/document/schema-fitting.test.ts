import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sketch } from '../../../../test/support/markdown/sketch.ts'
import { checkDocument } from './check.ts'
import { toDocument } from './to-document.ts'

/** Lines of Markdown become lines of a sketch; the document is valid and `codes` are its problems. */
function becomes(
  source: readonly string[],
  expected: readonly string[],
  codes: readonly string[] = [],
): void {
  const { document, problems } = toDocument(source.join('\n'))
  assert.deepEqual(checkDocument(document), [])
  assert.deepEqual(sketch(document).split('\n'), expected)
  assert.deepEqual(
    problems.map(one => one.code),
    codes,
  )
}

const hint = (...lines: string[]): string[] => ['{% hint style="info" %}', ...lines, '{% endhint %}']
const tab = (title: string, ...lines: string[]): string[] => [
  `{% tab title="${title}" %}`,
  ...lines,
  '{% endtab %}',
]

test('code ends a hint, follows it, and the hint goes on', () => {
  becomes(hint('a', '', '```', 'x', '```', '', 'b'), [
    'hint {"style":"info"}',
    '  paragraph "a"',
    'code',
    '  code-line "x"',
    'hint {"style":"info"}',
    '  paragraph "b"',
  ])
})

test('images, formulas, references and embeds become part of a line where their blocks are not allowed', () => {
  becomes(
    hint(
      '![alt](a.png "cap")',
      '',
      '$$',
      'x',
      '$$',
      '',
      '{% content-ref url="a.md" %}',
      '{% endcontent-ref %}',
    ),
    [
      'hint {"style":"info"}',
      '  paragraph <inline-image {"ref":{"kind":"url","url":"a.png"},"caption":"cap","alt":"alt","size":"original"}>',
      '  paragraph <inline-math {"formula":"x"}>',
      '  paragraph <mention {"ref":{"kind":"url","url":"a.md"}}>',
    ],
  )
  becomes(
    ['* a', '', '  {% embed url="https://x.example" %}'],
    [
      'list-unordered',
      '  list-item',
      '    paragraph "a"',
      '    paragraph <link {"ref":{"kind":"url","url":"https://x.example"}} "https://x.example">',
    ],
  )
})

test('steps where none may stand are one after the other, each below its title', () => {
  becomes(
    [
      '* a',
      '',
      '  {% stepper %}',
      '  {% step title="One" %}',
      '  b',
      '  {% endstep %}',
      '  {% endstepper %}',
    ],
    ['list-unordered', '  list-item', '    paragraph "a"', '    paragraph bold:"One"', '    paragraph "b"'],
  )
})

test('hints within hints and quotes within hints give what they hold', () => {
  becomes(hint('a', '', ...hint('b'), '', '> c'), [
    'hint {"style":"info"}',
    '  paragraph "a"',
    '  paragraph "b"',
    '  paragraph "c"',
  ])
})

test('tabs within tabs come apart under their titles', () => {
  becomes(
    ['{% tabs %}', ...tab('Outer', '{% tabs %}', ...tab('Inner', 'deep'), '{% endtabs %}'), '{% endtabs %}'],
    ['tabs', '  tabs-item {"title":"Outer"}', '    paragraph bold:"Inner"', '    paragraph "deep"'],
  )
})

test('an expandable in a tab is its title in bold and its body', () => {
  becomes(
    [
      '{% tabs %}',
      ...tab('A', '<details>', '<summary>Why</summary>', '', 'Because', '', '</details>'),
      '{% endtabs %}',
    ],
    ['tabs', '  tabs-item {"title":"A"}', '    paragraph bold:"Why"', '    paragraph "Because"'],
  )
})

test('a table in a tab takes the tabs apart, so that it stays under its own title', () => {
  becomes(
    ['{% tabs %}', ...tab('A', 'a'), ...tab('B', '| h |', '| - |', '| c |'), '{% endtabs %}'],
    [
      'paragraph bold:"A"',
      'paragraph "a"',
      'paragraph bold:"B"',
      'table {"view":{"type":"grid","columns":["c1"],"hideHeader":false},"records":{"r1":{"orderIndex":"000001","values":{"c1":"r1-c1"}}},"definition":{"c1":{"id":"c1","title":"h","type":"text","textAlignment":"left","verticalAlignment":"top"}}}',
      '  #r1-c1',
      '    paragraph "c"',
    ],
    ['unfitting'],
  )
})

test('a list ends where an item holds what it may not, and goes on with its numbers', () => {
  becomes(
    ['1. a', '2. b', '', '   {% openapi-operation spec="s" path="/p" method="get" %}', '', '   rest', '3. c'],
    [
      'list-ordered',
      '  list-item',
      '    paragraph "a"',
      '  list-item',
      '    paragraph "b"',
      'openapi-operation {"path":"/p","method":"get","ref":{"kind":"openapi","spec":"s"}}',
      'paragraph "rest"',
      'list-ordered {"start":3}',
      '  list-item',
      '    paragraph "c"',
    ],
  )
})

test('an expandable that holds what it may not is shown open', () => {
  becomes(
    ['<details>', '<summary>T</summary>', '', '{% @a/b x="1" %}', '', '</details>'],
    ['paragraph bold:"T"', 'integration {"integration":"a","block":"b","props":{"x":"1"}}'],
    ['unfitting'],
  )
})

test('a condition deeper than in the document stays visible as it is written', () => {
  becomes(
    ['{% tabs %}', ...tab('A', '{% if visitor.claims.pro %}', 'Pro', '{% endif %}'), '{% endtabs %}'],
    [
      'tabs',
      '  tabs-item {"title":"A"}',
      '    paragraph "{% if visitor.claims.pro %}"',
      '    paragraph "Pro"',
      '    paragraph "{% endif %}"',
    ],
  )
})

test('a block in the middle of a line cuts the line', () => {
  becomes(
    ['before <figure><img src="a.png" alt=""></figure> after'],
    ['paragraph "before"', 'images', '  image {"ref":{"kind":"url","url":"a.png"}}', 'paragraph "after"'],
  )
})

test('parts of containers without their containers give their titles and their content', () => {
  becomes(tab('Alone', 'a'), ['paragraph bold:"Alone"', 'paragraph "a"'])
})
