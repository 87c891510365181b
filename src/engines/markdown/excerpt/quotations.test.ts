import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '../../../../test/support/growth.ts'
import { quotations } from './quotations.ts'
import { sentencesOf } from './sentences.ts'

const quoted = (source: string, ordinal = 0) => quotations(source, new Set([ordinal]))[0]?.quotations ?? []
const markdownOf = (source: string, ordinal = 0) =>
  quoted(source, ordinal).map(({ kind, pieces }) => [kind, ...pieces.map(({ markdown }) => markdown)])

test('a paragraph is quoted by sentences, which keep their marks, their code and links into the web', () => {
  assert.deepEqual(
    markdownOf(
      'Set **all of `a.b. C`** first, e.g. Now. See [here](x.md) or [there](https://t.test/). 第一句。第二句！',
    ),
    [
      [
        'prose',
        'Set **all of `a.b. C`** first, e.g. Now.',
        'See here or [there](https://t.test/).',
        '第一句。',
        '第二句！',
      ],
    ],
  )
})

test('what a sentence says in plain characters stays no markup where it is quoted', () => {
  assert.deepEqual(markdownOf('Use 2 \\* 3 \\* 4. And \\<b> too.'), [
    ['prose', 'Use 2 * 3 * 4.', 'And \\<b> too.'],
  ])
})

test('steps are one piece with the code in them, other lists are items, tables are rows', () => {
  const source =
    '1. Do\n\n   ```sh\n   run\n   ```\n2. Done\n\n* a\n* b\n\n| K | V |\n| - | - |\n| x | 1 |\n| y | 2 |\n'
  const [steps, list, table] = quoted(source)
  assert.deepEqual(
    steps?.pieces.map(({ markdown }) => markdown),
    ['1. Do\n\n   ```sh\n   run\n   ```\n\n2. Done'],
  )
  assert.deepEqual(
    list?.pieces.map(({ text }) => text),
    ['a', 'b'],
  )
  assert.equal(table?.head?.split('\n').length, 2)
  assert.deepEqual(
    table?.pieces.map(({ text }) => text),
    ['x 1', 'y 2'],
  )
})

test('a stepper is quoted as a whole from each of its steps, also where their headings are sections', () => {
  const source =
    '# T\n\n{% stepper %}\n{% step %}\n## Open\n\nOpen it.\n{% endstep %}\n{% step %}\n## Close\n\nClose it.\n{% endstep %}\n{% endstepper %}\n'
  const whole = '1. **Open**\n\n   Open it.\n\n2. **Close**\n\n   Close it.'
  assert.deepEqual(markdownOf(source, 1), [['steps', whole]])
  assert.deepEqual(markdownOf(source, 2), [['steps', whole]])
})

test('the content of tabs, hints and quotes is quoted, comments and frontmatter are not', () => {
  const source =
    '---\na: b\n---\n\n<!-- hidden -->\n\n{% hint style="info" %}\nIn a hint.\n{% endhint %}\n\n{% tabs %}\n{% tab title="X" %}\nIn a tab.\n{% endtab %}\n{% endtabs %}\n\n> In a quote.\n'
  assert.deepEqual(markdownOf(source), [
    ['prose', 'In a hint.'],
    ['prose', 'In a tab.'],
    ['prose', 'In a quote.'],
  ])
})

test('only the sections that are asked for are read, by their place', () => {
  const source = 'Before.\n\n# A\n\nIn A.\n\n## B\n\nIn B.\n'
  assert.deepEqual(markdownOf(source, 0), [['prose', 'Before.']])
  assert.deepEqual(markdownOf(source, 2), [['prose', 'In B.']])
  assert.deepEqual(quotations(source, new Set([7])), [])
})

test('sentences are found in a text of any length', () => {
  const text = 'One two three. '.repeat(1_000)
  const spans = sentencesOf(text)
  assert.equal(text.slice(spans[0]?.start, spans[0]?.end), 'One two three.')
  assert.ok(Math.abs(spans.length - 1_000) < 20)
  assert.ok(sentencesOf('x'.repeat(100_000)).every(({ start, end }) => end - start <= 2_000))
})

test('reading takes time in proportion to the page', async () => {
  const part = '## H\n\nA sentence here. Another one there.\n\n'
  const read = (source: string) => quotations(source, new Set([0, 1, 50]))
  await assertLinear('a page', read, n => part.repeat(n / part.length), 200_000)
  await assertLinear('sentences', sentencesOf, n => 'e.g. '.repeat(n / 5), 100_000)
})

test('a table of HTML is quoted by its rows, below their heads', () => {
  const cell = (text: string) => `<td>${text}</td>`
  const source = [
    '<table><thead><tr><th>Name</th><th data-hidden>Key</th><th>Meaning</th></tr></thead><tbody>',
    `<tr>${cell('<p><code>count</code></p>')}${cell('k')}${cell('The number of <strong>turns</strong>, a | b. From 1.')}</tr>`,
    `<tr>${cell('list')}${cell('k')}${cell('<ul><li>one</li><li>two</li></ul>')}</tr>`,
    '</tbody></table>',
  ].join('')
  const [table, ...others] = quoted(source)
  assert.deepEqual(others, [])
  assert.equal(table?.kind, 'table')
  assert.equal(table?.head, '| Name | Meaning |\n| --- | --- |')
  assert.deepEqual(table?.pieces, [
    {
      text: 'count The number of turns, a | b. From 1.',
      markdown: '| `count` | The number of **turns**, a \\| b. From 1. |',
    },
    { text: 'list one two', markdown: '| list | one two |' },
  ])
})

test('cards are quoted one by one, and a table without heads has empty ones', () => {
  assert.deepEqual(
    quoted('<table data-view="cards"><tbody><tr><td>A card.</td><td>B</td></tr></tbody></table>').map(
      ({ kind }) => kind,
    ),
    ['prose', 'prose'],
  )
  const [table] = quoted('<table><tbody><tr><td>a</td><td>b</td></tr></tbody></table>')
  assert.equal(table?.head, '|  |  |\n| --- | --- |')
})
