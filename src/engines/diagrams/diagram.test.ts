import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DrawnDiagram, drawDiagram } from './diagram.ts'

async function draw(source: string): Promise<DrawnDiagram> {
  const drawn = await drawDiagram(source)
  assert.ok(drawn !== undefined, source)
  return drawn
}

/** The words of a picture, in the order in which it has them. */
const wordsOf = ({ light }: DrawnDiagram): string[] =>
  [...light.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, words = '']) => words)

const arrowsOf = ({ light }: DrawnDiagram): number => light.split('marker-end="url(#arrowhead)"').length - 1

test('a flowchart is drawn with every arrow, however it is written', async () => {
  const drawn = await draw(
    [
      'graph TD;',
      'A-->B',
      'B-->|yes|C;C-- no -->D',
      'D -. maybe .-> E & F',
      'F == sure ==> G ---> H <--> I',
      'a-b-c["[x] & (y)"] --> A:::loud',
      'style A fill:#f00',
      'classDef loud fill:#f00',
      'click A href "https://octavo.example"',
    ].join('\n'),
  )
  assert.equal(arrowsOf(drawn), 9)
  const words = wordsOf(drawn)
  for (const word of ['A', 'yes', 'no', 'maybe', 'sure', '[x] &amp; (y)'])
    assert.ok(words.includes(word), word)
  assert.ok(!drawn.light.includes('#f00') && !drawn.light.includes('octavo.example'))
  assert.equal(drawn.alt, 'Flowchart: A, B, C, D, E, F, G, H, I, [x] & (y)')
})

test('a flowchart may be on one line, and a semicolon ends what says how it looks', async () => {
  const drawn = await draw('graph TD;A-->B;B-->C;')
  assert.equal(arrowsOf(drawn), 2)
  assert.deepEqual(wordsOf(drawn), ['A', 'B', 'C'])
  await draw('flowchart TD\nA --> B\nclick A "https://octavo.example/a;b"\nstyle A fill:#f00;')
  assert.equal(await drawDiagram('flowchart TD\nA --> B\nstyle A fill:#f00; B --> C'), undefined)
})

test('a label between backticks is shown without the marks of bold and italic words', async () => {
  const drawn = await draw('flowchart TD\nA["`**bold** and _slanted_ a_b_c`"] --> B["**plain**"]')
  assert.deepEqual(wordsOf(drawn), ['bold and slanted a_b_c', '**plain**'])
})

test('the description of a diagram becomes that of its picture, on one line or on several', async () => {
  const said = async (lines: string) => (await draw(`flowchart TD\n${lines}\nA --> B`)).alt
  assert.equal(await said('accDescr: One thing'), 'Flowchart: One thing')
  assert.equal(await said('  accDescr {\n    Two\n    things\n  }'), 'Flowchart: Two things')
  assert.equal(await drawDiagram('flowchart TD\naccDescr {\nA --> B'), undefined)
})

test('a line that is not understood leaves a diagram as code', async () => {
  for (const line of ['A -->', 'A@{ shape: bolt }', 'end', 'subgraph one', '-->', 'A[x'])
    assert.equal(await drawDiagram(`flowchart TD\n  A --> B\n  ${line}`), undefined, line)
  for (const source of ['', 'pie\n "a": 1', 'flowchart', 'flowchart XX\n A --> B', 'gantt', '%% nothing'])
    assert.equal(await drawDiagram(source), undefined, source)
})

test('several arrows between two things are one with the words of all, or none are drawn', async () => {
  const drawn = await draw('flowchart TD\nA -->|one| B\nA -->|two| B')
  assert.equal(arrowsOf(drawn), 1)
  assert.deepEqual(wordsOf(drawn).slice(0, 2), ['one', 'two'])
  assert.equal(await drawDiagram('flowchart TD\nA --> B\nA -.-> B'), undefined)
})

/** How many lines between things a picture has. */
const linesOf = ({ light }: DrawnDiagram): number =>
  light.split(/<path d="M[^"]*" fill="none" stroke="#626c7a" stroke-width="1(?:\.1)?"/).length - 1

test('a group is a frame, and an arrow to it ends at its border', async () => {
  const drawn = await draw('flowchart TD\nsubgraph g [Group]\n a --> b\nend\nc --> g\ng --> d')
  assert.ok(wordsOf(drawn).includes('Group'))
  assert.equal(arrowsOf(drawn), 3)
})

test('a sequence diagram has its messages, notes and frames', async () => {
  const drawn = await draw(
    [
      'sequenceDiagram',
      'autonumber',
      'actor R as Reader',
      'R->>+Web: ask',
      'Web-->>-R: answer',
      'Note over R,Web: a note',
      'alt found',
      'Web-xR: lost',
      'else',
      'Web->R: line',
      'end',
      'rect rgb(0,0,0)',
      'R-)Web: later',
      'end',
    ].join('\n'),
  )
  assert.deepEqual(
    new Set(wordsOf(drawn)),
    new Set([
      '1. ask',
      '2. answer',
      'a note',
      'alt [found]',
      '3. lost',
      '4. line',
      '5. later',
      'Reader',
      'Web',
    ]),
  )
  assert.equal(drawn.light.split('marker-end').length - 1, 3, 'a line and a lost message have no arrow')
  assert.equal(drawn.alt, 'Sequence diagram: Reader, Web')
})

test('a semicolon ends a statement of a sequence diagram, but not within the code of a character', async () => {
  const drawn = await draw('sequenceDiagram\nparticipant A;\nA->>B: one; B->>A: two #59; &lt;three&gt;')
  assert.deepEqual(new Set(wordsOf(drawn)), new Set(['A', 'B', 'one', 'two ; &lt;three&gt;']))
  assert.equal(drawn.alt, 'Sequence diagram: A, B')
})

test('a class diagram has its members and relations, whichever way they are written', async () => {
  const drawn = await draw(
    [
      'classDiagram',
      'class Shape {',
      '<<interface>>',
      '+int size$',
      '+area() float*',
      '}',
      'Circle --|> Shape',
      'Circle : -List~int~ radii',
      'Circle "1" o-- "many" Point : made of',
      'Point -- Line',
    ].join('\n'),
  )
  const words = wordsOf(drawn)
  for (const word of [
    'Shape',
    '&lt;&lt;interface&gt;&gt;',
    '+int size',
    '+area(): float',
    '-List&lt;int&gt; radii',
    '1',
    'many',
    'made of',
  ])
    assert.ok(words.includes(word), `${word} in ${words}`)
  assert.equal(drawn.light.split('url(#cls-inherit)').length - 1, 1)
  assert.equal(drawn.light.split('url(#cls-aggregation)').length - 1, 1)
  assert.ok(!drawn.light.includes('url(#cls-arrow)'), 'a link is no arrow')
})

test('a state diagram has its states, also those in others', async () => {
  const drawn = await draw(
    [
      'stateDiagram-v2',
      '[*] --> Draft',
      'state "In review" as Review',
      'Draft --> Review : submit',
      'state Done {',
      '[*] --> Merged',
      'Merged : is seen',
      '}',
      'Review --> Done',
      'Done --> [*]',
    ].join('\n'),
  )
  assert.deepEqual(new Set(wordsOf(drawn)), new Set(['Draft', 'In review', 'submit', 'is seen', 'Done']))
  assert.equal(arrowsOf(drawn), 5)
})

test('an entity relationship diagram has its attributes, and both of two relations', async () => {
  const drawn = await draw(
    [
      'erDiagram',
      'A ||--o{ B : has',
      'A ||--o{ B : ""',
      'A {',
      'string name PK, FK "the name"',
      '}',
      'B["A thing"]',
    ].join('\n'),
  )
  assert.deepEqual(
    new Set(wordsOf(drawn)),
    new Set(['A', 'A thing', 'has', 'string', 'name · the name', 'PK,FK']),
  )
  assert.equal(linesOf(drawn), 2)
  assert.equal(await drawDiagram('erDiagram\nA ||--o{ B : 1\nA ||--o{ B : 2\nA ||--o{ B : 3'), undefined)
})

test('a line that is not understood leaves a diagram of any kind as code', async () => {
  for (const [source, line] of [
    ['sequenceDiagram\nA->>B: x', 'box Aqua'],
    ['sequenceDiagram\nA->>B: x', 'else'],
    ['sequenceDiagram\nA->>B: x', 'create participant C'],
    ['classDiagram\nA --> B', 'namespace n {'],
    ['classDiagram\nA --> B', 'A --> B'],
    ['stateDiagram-v2\na --> b', 'state c <<history>>'],
    ['erDiagram\nA ||--o{ B : x', 'A to B : x'],
  ] as const) {
    assert.ok((await drawDiagram(source)) !== undefined, source)
    assert.equal(await drawDiagram(`${source}\n${line}`), undefined, line)
  }
})

test('words of any language have room, and the picture has the words in which its author describes it', async () => {
  const [latin, han] = await Promise.all(
    ['abcdefgh', '提交变更请求审核'].map(words => draw(`flowchart TD\n a[${words}]`)),
  )
  assert.ok(latin !== undefined && han !== undefined && han.width > latin.width * 1.4)
  const drawn = await draw(
    '---\ntitle: Flow\n---\nflowchart TD\naccTitle: Short\naccDescr: Long\n%% note\na --> b',
  )
  assert.deepEqual([drawn.title, drawn.alt], ['Flow', 'Flowchart: Short. Long'])
})

test('what a flowchart may have beside plain arrows is drawn, or passed over where it is for the layout alone', async () => {
  const drawn = await draw(
    [
      'flowchart LR',
      'A ~~~ B',
      'A --x C',
      'A o--o D',
      'A e1@--> E',
      'A --words--> F',
      'G@{ shape: cyl, label: "A base" }',
      'H["one',
      'two"]',
      'subgraph Same title',
      'I',
      'end',
      'subgraph Same title',
      'J',
      'end',
      'B --> A %% a comment',
    ].join('\n'),
  )
  assert.equal(arrowsOf(drawn), 3)
  assert.equal(drawn.light.split('l10,10m0,-10l-10,10').length - 1, 1)
  assert.equal(drawn.light.split('r="4"').length - 1, 2)
  const words = wordsOf(drawn)
  for (const word of ['words', 'A base', 'one', 'two', 'Same title']) assert.ok(words.includes(word), word)
})

test('notes on states are beside them, on lines without arrows', async () => {
  const drawn = await draw(
    [
      'stateDiagram-v2',
      'a --> b',
      'note right of a : short',
      'note left of b',
      'long',
      'words',
      'end note',
    ].join('\n'),
  )
  assert.equal(arrowsOf(drawn), 1)
  assert.equal(drawn.light.split('stroke-dasharray="4 4"').length - 1, 2)
  for (const word of ['short', 'long', 'words']) assert.ok(wordsOf(drawn).includes(word), word)
})

test('bars of a sequence diagram that do not begin and end with a message are left out', async () => {
  const drawn = await draw('sequenceDiagram\nA->>+B: x\nactivate A\nB-->>-A: y\ndeactivate A')
  assert.equal(drawn.light.split('<rect ').length - 1, 4, 'two boxes, and the grounds of two words')
})

test('attributes of an entity may be on one line, and names may have styles', async () => {
  const drawn = await draw(
    'erDiagram\nA:::loud||--||B : x\nA { int id PK string name "the name" }\nB:::loud { }',
  )
  assert.deepEqual(
    new Set(wordsOf(drawn)),
    new Set(['A', 'B', 'x', 'int', 'id', 'PK', 'string', 'name · the name']),
  )
})

test('where states part and meet has signs of its own, without words', async () => {
  const drawn = await draw(
    [
      'stateDiagram-v2',
      'state which <<choice>>',
      'state all <<fork>>',
      'a --> which',
      'which --> b : if so',
      'which --> all : if not',
      'all --> c',
      'all --> d',
    ].join('\n'),
  )
  assert.deepEqual(new Set(wordsOf(drawn)), new Set(['a', 'b', 'c', 'd', 'if so', 'if not']))
  assert.equal(arrowsOf(drawn), 5)
  assert.equal(drawn.light.split('rx="2"').length - 1, 1)
})

test('a diagram of which the layout loses a line stays code', async () => {
  const lines = ['flowchart TD', 'subgraph g', 'b --> c', 'end', 'a --> b']
  assert.equal(arrowsOf(await draw(lines.join('\n'))), 2)
  // It leads to the first thing in the group, where another arrow of the same thing leads.
  assert.equal(await drawDiagram([...lines, 'a --> g'].join('\n')), undefined)
})
