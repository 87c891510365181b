import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '../../../test/support/growth.ts'
import { Draft } from './draft.ts'

const analyse = function* (text: string) {
  for (const [word] of text.toLowerCase().matchAll(/[a-z0-9]+/g))
    yield { word, key: word.replace(/(?:ing|ed|s)$/, '') }
}
const sentencesOf = (text: string) =>
  [...text.matchAll(/\S.*?(?:[.!?]+(?=\s|$)|$)/g)].map(({ 0: all, index }) => ({
    start: index,
    end: index + all.trimEnd().length,
  }))

const termsIn = (text: string) => text.match(/failed deliver(?:y|ies)|broken post|attempts?/gi) ?? []

const READING = { analyse, sentencesOf, termsIn, synonymsOf: () => [] }

const EVIDENCE = [
  {
    title: 'Webhooks',
    heading: 'Retries',
    text: 'A failed delivery is retried three times. You cannot change the number of attempts.',
    language: null,
  },
  {
    title: 'Limits',
    heading: '',
    text: 'A page holds 500 files.\nSet `--limit 20` to change it.',
    language: null,
  },
]
const newDraft = () => new Draft(EVIDENCE, READING, (place, number) => `(${number}:${place})`)
function draftOf(text: string, pieceLength = 3) {
  const draft = newDraft()
  for (let at = 0; at < text.length; at += pieceLength) draft.add(text.slice(at, at + pieceLength))
  draft.end()
  return draft
}
const taken = (text: string) => draftOf(text).markdown

test('a sentence that a section supports is taken over with its citation, however it comes in pieces', () => {
  const text = 'A failed delivery is retried three times. [1] A page holds 500 files [2].'
  for (let length = 1; length < 20; length++) {
    const draft = draftOf(text, length)
    assert.equal(
      draft.markdown,
      'A failed delivery is retried three times. (1:0) A page holds 500 files. (2:1)',
    )
    assert.deepEqual(draft.cited, [0, 1])
  }
})

test('a wrong citation is mended, a missing one is found', () => {
  assert.equal(taken('A page holds 500 files [1].'), 'A page holds 500 files. (1:1)')
  assert.equal(taken('A page holds 500 files.'), 'A page holds 500 files. (1:1)')
})

test('another number, another word, the opposite and foreign code are left out', () => {
  for (const lie of [
    'A failed delivery is retried five times [1].',
    'A page holds 600 files [2].',
    'You can change the number of attempts [1].',
    'A failed delivery is not retried three times [1].',
    'Set `--limit 30` to change it [2].',
    'Elephants never forget birthdays [1].',
    'A page holds 500 files, see https://evil.test [2].',
    'Yes.',
  ]) {
    const draft = draftOf(lie)
    assert.deepEqual([draft.markdown, draft.dropped], ['', 1], lie)
  }
})

test('lists keep their marks, headings and links lose theirs, code has to be in a section', () => {
  assert.equal(
    taken(
      '# Title\n\n- A failed delivery is [retried](https://evil.test) three times [1].\n- Bananas fly [1].\n',
    ),
    '- A failed delivery is retried three times. (1:0)',
  )
  assert.equal(taken('```\nSet `--limit 20`\n```\n'), '```\nSet `--limit 20`\n```\n\n(1:1)')
  assert.equal(taken('```\nrm -rf /\n```\n'), '')
  assert.equal(taken('```\nA page'), '')
})

test('nothing that a model writes becomes a link, a picture or HTML, in whatever way it is written', () => {
  const page = 'A page holds 500 files of any kind and any size [2].'
  for (const trick of [
    'A page [holds](//evil.test/(x)) 500 files [2].',
    'A page ![holds](//evil.test/(x)) 500 files [2].',
    'A page [holds [500] files](//evil.test) [2].',
    'A page [holds][e] 500 files [2].',
    'A page \\\\[holds](//evil.test/(x)) 500 files [2].',
    'A page \\`[holds](//evil.test/(x))\\` 500 files [2].',
    'A page ```[holds](//evil.test/(x))` 500 files [2].',
    'A page holds 500 files <img src=//evil.test> [2].',
  ])
    assert.doesNotMatch(taken(trick).replaceAll(/\\[\s\S]/g, ''), /[<[\]]/, trick)
  for (const address of ['HTTPS://evil.test', 'www.evil.test', 'ftp://evil.test', 'a@evil.test'])
    assert.equal(taken(page.replace('files', `files ${address}`)), '', address)
  for (const fence of ['``` ` ![x](//evil.test)\n```', '~~~ ![x](//evil.test)\nA page holds\n```'])
    assert.doesNotMatch(taken(fence), /evil/, fence)
})

test('nothing that a model writes becomes a block, a formula or an expression', () => {
  const evidence = [
    {
      title: 'Templates',
      heading: '',
      text: 'A page holds 500 files: {% include "a.md" %} $$x$$ {{ space.vars.x }} %} lcub ` `{{ space.vars.x }}` `{% include "a.md" {{ Values.files }} {{ pages }} {{ s&#112;ace.vars.x }} {{visitor\\.x}} {&#123; space.vars.x }} {&#x7b; space.vars.x }} `<b> &amp; {% include "a.md"`',
      language: null,
    },
  ]
  const write = (text: string) => {
    const draft = new Draft(evidence, READING, () => '(1)')
    draft.add(`${text}\n`)
    draft.end()
    return draft.markdown.replace(' (1)', '')
  }
  for (const [written, expected] of [
    ['A page holds 500 files {% include "a.md" %}.', 'A page holds 500 files {\\% include "a.md" %\\}.'],
    ['{% include "a.md" %} holds 500 files.', '{\\% include "a.md" %\\} holds 500 files.'],
    ['A page holds [0]{% include %} files.', 'A page holds {\\% include %\\} files.'],
    ['A page holds {[0]{ space.vars.x }} files.', 'A page holds {<!-- -->{ space.vars.x }} files.'],
    ['A page holds {\\{ space.vars.x }} files.', 'A page holds {<!-- -->\\{ space.vars.x }} files.'],
    ['A page holds \\{{ space.vars.x }} files.', 'A page holds \\{<!-- -->{ space.vars.x }} files.'],
    ['A page holds {&lcub; space.vars.x }} files.', 'A page holds {\\&lcub; space.vars.x }} files.'],
    ['A page holds {&#123; space.vars.x }} files.', 'A page holds {\\&#123; space.vars.x }} files.'],
    ['A page holds {&#x7b; space.vars.x }} files.', 'A page holds {\\&#x7b; space.vars.x }} files.'],
    ['A page holds {{ s&#112;ace.vars.x }} files.', 'A page holds {<!-- -->{ s&#112;ace.vars.x }} files.'],
    ['A page holds {{visitor\\.x}} files.', 'A page holds {<!-- -->{visitor\\.x}} files.'],
    ['A page holds {{ Values.files }} files.', 'A page holds {{ Values.files }} files.'],
    ['A page holds {{ pages }} files.', 'A page holds {{ pages }} files.'],
    ['A page holds $$x$$ files.', 'A page holds \\$\\$x\\$\\$ files.'],
    ['A page holds \\$$x$$ files.', 'A page holds \\$\\$x\\$\\$ files.'],
    ['A page holds `{{ space.vars.x }}` files.', 'A page holds `{{ space.vars.x }}` files.'],
    ['A page holds `{% include "a.md" %}` files.', 'A page holds `{% include "a.md" %}` files.'],
    ['A page holds `` `{{ space.vars.x }}` `` files.', 'A page holds `` `{{ space.vars.x }}` `` files.'],
    ['A page holds ``{% include "a.md" %}`` files.', 'A page holds ``{% include "a.md" %}`` files.'],
    [
      'A page holds `` ` `` {{ space.vars.x }} ` files.',
      'A page holds `` ` `` {<!-- -->{ space.vars.x }} ` files.',
    ],
    [
      'A page holds `` `{% include "a.md" `` files `%}`.',
      'A page holds <code>&#96;{&#37; include "a.md"</code> files `%}`.',
    ],
    ['A page holds \\`{{ space.vars.x }}` files.', 'A page holds \\`{<!-- -->{ space.vars.x }}` files.'],
    [
      'A page holds `<b> &amp; {% include "a.md"` files `%}`.',
      'A page holds <code>&lt;b> &amp;amp; {&#37; include "a.md"</code> files `%}`.',
    ],
    [
      'A page holds `{% include "a.md"` files `%}`.',
      'A page holds <code>{&#37; include "a.md"</code> files `%}`.',
    ],
  ] as const)
    assert.equal(write(written), expected)
})

test('brackets in code are code, and no citation', () => {
  const evidence = [
    { title: 'Lists', heading: '', text: 'Read the first with items[0] at once.', language: null },
  ]
  const draft = new Draft(evidence, READING, () => '(1)')
  draft.add('Read the first with `items[0]` at once [1].')
  draft.end()
  assert.equal(draft.markdown, 'Read the first with `items[0]` at once. (1)')
})

test('an address that a section has is kept at the end of a sentence, too', () => {
  const evidence = [
    { title: 'Limits', heading: '', text: 'See https://a.test/x for limits.', language: null },
  ]
  const draft = new Draft(evidence, READING, () => '(1)')
  draft.add('For limits see https://a.test/x.')
  draft.end()
  assert.equal(draft.markdown, 'For limits see https://a.test/x. (1)')
})

test('a model that finds nothing says so', () => {
  assert.ok(draftOf('NO_ANSWER').saysNothing)
  assert.ok(draftOf('NO_ANSWER.\n').saysNothing)
  assert.ok(!draftOf('A page holds 500 files [2].').saysNothing)
})

test('checking takes time in proportion to what is written', async () => {
  const check = (text: string) => draftOf(text, 20)
  await assertLinear('sentences', check, n => 'A page holds 500 files [2]. '.repeat(n / 28), 40_000)
  await assertLinear('brackets', check, n => '['.repeat(n), 20_000)
})

test('a sentence that says a term in another way than the section is left out', () => {
  const text = 'A failed delivery is retried three times [1].'
  assert.equal(taken(text), 'A failed delivery is retried three times. (1:0)')
  assert.equal(taken('A broken post failed delivery is retried three times [1].'), '')
})
