import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Parser } from 'htmlparser2'
import { assertLinear } from '../../../test/support/growth.ts'
import { drawDiagram } from './diagram.ts'

const EVIL =
  '<script>alert(1)</script> & "quotes\' ]]> --> <!-- <![CDATA[ &#x3c;b&#x3e; \u202e url(#x) javascript:1'
const NAMES = ['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString', 'valueOf']

/** Every kind, with these words wherever a writer puts words. */
const withWords = (words: string): string[] => {
  const quoted = words.replaceAll('"', '')
  const bare = quoted.replace(/[<>{}[\]|:;#]|--/g, ' ')
  return [
    `---\ntitle: ${words}\n---\nflowchart TD\nsubgraph g ["${quoted}"]\na["${quoted}"] -->|"${quoted.replaceAll('|', '')}"| b{"${quoted}"}\nend`,
    `sequenceDiagram\nparticipant a as ${words}\na->>b: ${words}\nNote over a: ${words}\nloop ${words}\na->>a: x\nend`,
    `classDiagram\nclass a["${quoted}"]\nclass a {\n${bare}\n}\na "${quoted}" --> "${quoted}" b : ${words}`,
    `stateDiagram-v2\nstate "${quoted}" as a\na --> b : ${words}`,
    `erDiagram\na["${quoted.replaceAll(']', '')}"] {\nt n "${quoted}"\n}\na ||--o{ b : "${quoted}"`,
    `flowchart TD\naccDescr: ${words}\na --> b`,
  ]
}

const ELEMENTS = new Set([
  'svg',
  'defs',
  'marker',
  'g',
  'rect',
  'line',
  'polyline',
  'polygon',
  'circle',
  'ellipse',
  'path',
  'text',
])
const ATTRIBUTES = new Set(
  `xmlns viewBox width height font-family id markerWidth markerHeight refX refY orient points fill stroke stroke-width
    marker-start marker-end stroke-dasharray d transform x y x1 y1 x2 y2 cx cy r rx ry text-anchor font-size font-weight
    font-style text-decoration`.split(/\s+/),
)

/** Only what draws, and no address but those of the arrowheads in the picture itself. */
function assertHarmless(svg: string): void {
  const open: string[] = []
  new Parser(
    {
      onopentag(name, attributes) {
        assert.ok(ELEMENTS.has(name), name)
        open.push(name)
        for (const [key, value] of Object.entries(attributes)) {
          assert.ok(ATTRIBUTES.has(key), key)
          if (key !== 'xmlns')
            assert.match(
              value,
              /^(?:url\(#(?:arrowhead|arrowhead-start|seq-arrow|seq-arrow-open|cls-[a-z]+)\)|(?!.*(?:url|:))[^<>"]*)$/,
            )
        }
      },
      onclosetag: name => assert.equal(open.pop(), name),
      oncomment: () => assert.fail('a comment'),
      onprocessinginstruction: () => assert.fail('an instruction'),
      oncdatastart: () => assert.fail('a section of text'),
    },
    { xmlMode: true },
  ).end(svg)
  assert.deepEqual(open, [])
  assert.doesNotMatch(svg, /[\0-\x08\x0b\x0c\x0e-\x1f\u202e\ufffe\uffff]/)
}

test('whatever the words of a diagram are, its picture draws and does nothing else', async () => {
  for (const words of [
    EVIL,
    'a\0b\x1b\ufffe',
    '\ud800',
    '#quot;#lt;script#gt;#0;#55296;#9999999;',
    'T0xx T1',
    ...NAMES,
  ])
    for (const source of withWords(words)) {
      const drawn = await drawDiagram(source)
      assert.ok(drawn !== undefined, source)
      for (const svg of [drawn.light, drawn.dark]) assertHarmless(svg)
      assert.ok(drawn.light.isWellFormed())
      assert.ok(drawn.alt.isWellFormed())
    }
})

test('things may have the names of what every object has', async () => {
  const list = NAMES.join(' & ')
  const flow = await drawDiagram(`flowchart TD\n${list} --> a\nsubgraph __proto__x\nconstructor\nend`)
  assert.ok(NAMES.every(name => flow?.light.includes(`>${name}</text>`)))
  for (const head of ['classDiagram', 'stateDiagram-v2'])
    assert.ok(await drawDiagram([head, ...NAMES.map(name => `${name} --> a`)].join('\n')), head)
  assert.ok(await drawDiagram(['sequenceDiagram', ...NAMES.map(name => `${name}->>a: x`)].join('\n')))
  assert.ok(await drawDiagram(['erDiagram', ...NAMES.map(name => `${name} ||--o{ a : x`)].join('\n')))
})

const many = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n')

test('what is beyond a bound is not drawn', async () => {
  const arrows = (count: number) =>
    `flowchart TD\n${many(count, at => `a${at % 100} --> b${Math.floor(at / 100)}`)}`
  assert.ok(await drawDiagram(arrows(200)))
  assert.equal(await drawDiagram(arrows(251)), undefined)
  const chains = (count: number) =>
    `flowchart TD\n${many(count, at => (at % 15 === 0 ? `a${at}` : `a${at - 1} --> a${at}`))}`
  assert.ok(await drawDiagram(chains(150)))
  assert.equal(await drawDiagram(chains(151)), undefined)
  assert.equal(
    await drawDiagram(
      `flowchart TD\n${Array.from({ length: 60 }, (_, at) => `a${at}`).join(' & ')} --> ${Array.from({ length: 60 }, (_, at) => `b${at}`).join(' & ')}`,
    ),
    undefined,
  )
  const deep = (depth: number) =>
    `flowchart TD\n${many(depth, at => `subgraph g${at}`)}\na --> b\n${many(depth, () => 'end')}`
  assert.ok(await drawDiagram(deep(6)))
  assert.equal(await drawDiagram(deep(7)), undefined)
  // Six levels around 40 things took the layout seven seconds.
  const around = (count: number) =>
    `flowchart TD\n${many(6, at => `subgraph g${at}`)}\n${many(count - 1, at => `a${at} --> a${at + 1}`)}\n${many(6, () => 'end')}`
  assert.ok(await drawDiagram(around(19)))
  assert.equal(await drawDiagram(around(20)), undefined)
  const frames = (count: number) =>
    `sequenceDiagram\na->>b: x\n${many(count, () => 'loop')}\n${many(count, () => 'end')}`
  assert.ok(await drawDiagram(frames(149)))
  assert.equal(await drawDiagram(frames(150)), undefined)
  const commented = (count: number) => `flowchart TD\na --> b\n${'%'.repeat(count)}`
  assert.ok(await drawDiagram(commented(19_000)))
  assert.equal(await drawDiagram(commented(20_000)), undefined)
  assert.equal(await drawDiagram(`sequenceDiagram\n${many(26, at => `participant p${at}`)}`), undefined)
  assert.equal(await drawDiagram(`classDiagram\n${many(61, at => `class c${at}`)}`), undefined)
  assert.equal(await drawDiagram(`erDiagram\n${many(61, at => `e${at} {\n}`)}`), undefined)
  assert.equal(await drawDiagram(`flowchart TD\na["${'x'.repeat(20_000)}"]`), undefined)
  assert.equal(await drawDiagram(`flowchart TD\na["${'x '.repeat(9_000)}"]`), undefined)
})

const READ_MAX = 20_000

for (const [name, shape] of Object.entries({
  'open brackets': (length: number) => `flowchart TD\n${'a['.repeat(length / 2)}`,
  'half arrows': (length: number) => `flowchart TD\na${' -- x'.repeat(length / 5)}`,
  'arrows without ends': (length: number) => `flowchart TD\na ${'-'.repeat(length)}`,
  'dots of arrows': (length: number) => `flowchart TD\na -${'.'.repeat(length)}`,
  'things side by side': (length: number) => `flowchart TD\n${'a & '.repeat(length / 4)}`,
  'spaces in messages': (length: number) => `sequenceDiagram\na${' - '.repeat(length / 3)}`,
  'names of participants': (length: number) => `sequenceDiagram\n${'a '.repeat(length / 2)}`,
  'marks around generics': (length: number) => `classDiagram\n${'a~'.repeat(length / 2)}`,
  'kinds of classes': (length: number) => `classDiagram\n<<${' x'.repeat(length / 2)}`,
  members: (length: number) => `classDiagram\nclass a {\n${'x('.repeat(length / 2)}\n}`,
  'colons in states': (length: number) => `stateDiagram-v2\na${' :'.repeat(length / 2)}`,
  'keys of attributes': (length: number) => `erDiagram\na {\nt n ${'PK,'.repeat(length / 3)}\n}`,
  'signs of entities': (length: number) => `erDiagram\na ${'|o'.repeat(length / 2)}`,
  'words to break': (length: number) => `flowchart TD\na["${'x '.repeat(length / 2)}"] -->|"${'x'}"| b`,
  'characters with names': (length: number) => `flowchart TD\na["${'#'.repeat(length)}"]`,
}))
  test(`the time to read ${name} grows with their length alone`, async () => {
    await assertLinear(name, drawDiagram, shape, READ_MAX - 100)
  })
