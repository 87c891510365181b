import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { tried } from '../../../../test/support/property-runs.ts'
import { checkDocument } from './check.ts'
import { toDocument } from './to-document.ts'

// Every generated word is its own, so that a lost one has a name.
let words = 0
const word = fc.constant(null).map(() => `w${++words}`)

const inline = fc.oneof(
  word,
  word.map(one => `**${one}**`),
  word.map(one => `\`${one}\``),
  word.map(one => `[${one}](a.md)`),
  word.map(one => `[:rocket: ${one} $$x$$](a.md)`),
  word.map(one => `<mark style="color:red;">${one}</mark>`),
  word.map(one => `<a href="b.md" class="button primary">${one}</a>`),
  word.map(one => `${one}[^note]`),
  word.map(one => `![${one}](a.png)`),
)
const line = fc.array(inline, { minLength: 1, maxLength: 4 }).map(parts => parts.join(' '))

const indented = (text: string, first: string, rest: string): string =>
  text
    .split('\n')
    .map((one, index) => (one === '' ? '' : (index === 0 ? first : rest) + one))
    .join('\n')

const { block } = fc.letrec<{ block: string; flow: string }>(tie => {
  const wrapped = (open: string, close: string) => tie('flow').map(flow => `${open}\n${flow}\n${close}`)
  const items = (first: string, rest: string) =>
    fc
      .array(tie('flow'), { minLength: 1, maxLength: 3 })
      .map(all => all.map(one => indented(one, first, rest)).join('\n\n'))
  const leaf = fc.oneof(
    line,
    line.map(one => `## ${one}`),
    line.map(one => `###### ${one}`),
    word.map(one => `\`\`\`js\n${one}\n\`\`\``),
    fc.tuple(line, line).map(([a, b]) => `| ${a} | h |\n| - | - |\n| c | ${b} |`),
    word.map(one => `<figure><img src="a.png" alt=""><figcaption>${one}</figcaption></figure>`),
    word.map(one => `{% embed url="https://x.example" %}\n${one}\n{% endembed %}`),
    word.map(one => `{% file src="a.pdf" %}\n${one}\n{% endfile %}`),
    word.map(
      one => `{% openapi-operation spec="${one}" path="/p" method="get" %}\n{% endopenapi-operation %}`,
    ),
    word.map(one => `$$\n${one}\n$$`),
    word.map(
      one =>
        `<table data-view="cards"><thead><tr><th></th><th data-type="number"></th></tr></thead><tbody><tr><td>${one}</td><td>${one}</td></tr></tbody></table>`,
    ),
    fc.constant('***'),
  )
  return {
    flow: fc
      .array(tie('block'), { minLength: 1, maxLength: 3, depthIdentifier: 'nest' })
      .map(all => all.join('\n\n')),
    block: fc.oneof(
      { depthIdentifier: 'nest', maxDepth: 4, depthSize: 'small' },
      leaf,
      wrapped('{% hint style="info" %}', '{% endhint %}'),
      wrapped('{% if visitor.claims.x %}', '{% endif %}'),
      wrapped('{% stepper %}\n{% step %}', '{% endstep %}\n{% endstepper %}'),
      wrapped('{% columns %}\n{% column %}', '{% endcolumn %}\n{% endcolumns %}'),
      wrapped(
        '{% updates format="full" %}\n{% update date="2025-01-01" %}',
        '{% endupdate %}\n{% endupdates %}',
      ),
      wrapped('{% prompt description="d" %}', '{% endprompt %}'),
      wrapped('{% code title="t" %}', '{% endcode %}'),
      wrapped('<div>\n', '\n</div>'),
      fc
        .tuple(word, tie('flow'))
        .map(
          ([title, flow]) => `{% tabs %}\n{% tab title="${title}" %}\n${flow}\n{% endtab %}\n{% endtabs %}`,
        ),
      fc
        .tuple(word, tie('flow'))
        .map(([title, flow]) => `<details>\n\n<summary>${title}</summary>\n\n${flow}\n\n</details>`),
      tie('flow').map(flow => indented(flow, '> ', '> ')),
      items('* ', '  '),
      items('1. ', '   '),
      items('* [ ] ', '  '),
    ),
  }
})
const page = fc
  .array(block, { minLength: 1, maxLength: 4 })
  .map(all => `${all.join('\n\n')}\n\n[^note]: Note`)

test('any nesting of GitBook blocks becomes a valid document, with every word', () => {
  fc.assert(
    fc.property(page, source => {
      const { document } = toDocument(source)
      assert.deepEqual(checkDocument(document), [])
      const found = new Set(JSON.stringify(document).match(/w\d+/g))
      assert.deepEqual(
        [...new Set(source.match(/w\d+/g))].filter(one => !found.has(one)),
        [],
      )
      assert.deepEqual(toDocument(source).document, document)
    }),
    tried(60),
  )
})

const soup = fc.array(
  fc.oneof(
    fc.constantFrom(...'*_~`[]()<>!|#>-+1.:$\\&;{}%="\'\n\t ab\0'.split('')),
    fc.constantFrom(
      '{% hint %}',
      '{% endhint %}',
      '{% tabs %}',
      '{% tab title="x" %}',
      '{% endtab %}',
      '{% if',
      '%}',
      '{% @a/b %}',
    ),
    fc.constantFrom(
      '<table>',
      '<tr>',
      '<td colspan="9e9">',
      '</table>',
      '<details>',
      '<summary>',
      '</details>',
      '<pre>',
      '<th>',
    ),
    fc.constantFrom(
      '<img src=x>',
      '<a href="x" class="button">',
      '</a>',
      '<mark style="color:red">',
      '<li>',
      '<ul>',
      '[^1]',
      '[^1]: ',
    ),
    fc.constantFrom(
      '\n\n',
      '\n    ',
      '\n> ',
      '\n* ',
      '\n1. ',
      '```',
      '$$',
      ':rocket:',
      '{{space.vars.x}}',
      '\ud800',
      '🚀',
      '&#x20;',
    ),
  ),
  { maxLength: 60 },
)

test('any string becomes a valid document', () => {
  fc.assert(
    fc.property(soup, parts => {
      const { document } = toDocument(parts.join(''))
      assert.deepEqual(checkDocument(document), [])
    }),
    tried(120),
  )
})

/** Every container within every other, `levels` deep. */
function nested(levels: number): string {
  const kinds: readonly (readonly [string, string])[] = [
    ['<details><summary>s</summary>\n\n', '\n\n</details>\n\n'],
    ['{% hint style="info" %}\n', '{% endhint %}\n\n'],
    ['<table><tr><td>\n\n', '\n\n</td></tr></table>\n\n'],
    ['{% updates %}\n{% update date="d" %}\n', '{% endupdate %}\n{% endupdates %}\n\n'],
    ['<ul><li>\n\n', '\n\n</li></ul>\n\n'],
    ['{% columns %}\n{% column %}\n', '{% endcolumn %}\n{% endcolumns %}\n\n'],
    ['<blockquote>\n\n', '\n\n</blockquote>\n\n'],
    ['{% if visitor.x %}\n', '{% endif %}\n\n'],
  ]
  const path = Array.from({ length: levels }, (_, level) => kinds[level % kinds.length]!)
  const closing = path.toReversed().map(([, close]) => close)
  return `${path.map(([open]) => open).join('')}end word[^n]\n\n${closing.join('')}\n\n[^n]: note`
}

const HOSTILE: { readonly [name: string]: string } = {
  quotes: `${'>'.repeat(5_000)} end`,
  lists: Array.from({ length: 2_000 }, (_, level) => `${' '.repeat(level * 2)}* end`).join('\n'),
  hints: `${'{% hint style="info" %}\n'.repeat(5_000)}end\n${'{% endhint %}\n'.repeat(5_000)}`,
  tabs:
    '{% tabs %}\n{% tab title="t" %}\n'.repeat(2_500) +
    'end\n' +
    '{% endtab %}\n{% endtabs %}\n'.repeat(2_500),
  details: `${'<details><summary>s</summary>\n\n'.repeat(5_000)}end${'\n\n</details>'.repeat(5_000)}`,
  divs: `${'<div>'.repeat(5_000)}end${'</div>'.repeat(5_000)}`,
  'tables in tables': `${'<table><tr><td>'.repeat(5_000)}end${'</td></tr></table>'.repeat(5_000)}`,
  emphasis: `${'*a _'.repeat(5_000)}end${'_ b*'.repeat(5_000)}`,
  marks: `${'<b><mark style="color:red;">'.repeat(5_000)}end${'</mark></b>'.repeat(5_000)}`,
  links: `${'['.repeat(5_000)}end${'](a.md)'.repeat(5_000)}`,
  'code in hints': `${'{% hint style="info" %}\n```\nx\n```\n'.repeat(500)}end\n${'{% endhint %}\n'.repeat(500)}`,
  'everything in everything': nested(500),
  'blocks in a line': `end <div>${'<p>x</p>'.repeat(150_000)}</div>`,
  'blocks in an item': `* end\n  {% if visitor.a %}\n${'  x\n\n'.repeat(150_000)}  {% endif %}`,
  'one note often': `${'word[^n] '.repeat(5_000)}end\n\n[^n]: ${'long '.repeat(2_000)}`,
  'one definition often': `${'[a] '.repeat(5_000)}end\n\n[a]: https://x.example/${'long'.repeat(5_000)}`,
  'notes in notes':
    Array.from({ length: 500 }, (_, note) => `[^${note}]: [^${note + 1}] [^${note + 1}]`).join('\n\n') +
    '\n\nend[^0]',
  spans: `<table>${'<tr><td colspan="1000" rowspan="1000">end</td></tr>'.repeat(2_000)}</table>`,
  spaces: `end${' '.repeat(200_000)}x<br>y${' '.repeat(200_000)}z <img src="a" width="1${' '.repeat(200_000)}x">`,
  'unused notes': Array.from({ length: 3_000 }, (_, note) => `[^${note}]: end`).join('\n\n'),
}

for (const [name, source] of Object.entries(HOSTILE)) {
  test(`a page of nothing but ${name} is read into a valid document that is not much larger`, () => {
    const { document } = toDocument(source)
    assert.deepEqual(checkDocument(document), [])
    const wire = JSON.stringify(document)
    assert.ok(wire.length < 100 * source.length + 10_000_000)
    assert.ok(wire.includes('end'))
  })
}
