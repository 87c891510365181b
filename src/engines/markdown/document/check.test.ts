import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkDocument, NODE_DEPTH_MAX, VALUES_MAX } from './check.ts'
import { block, fragment, inline, paragraph, text } from './model.ts'
import { BLOCKS, INLINES } from './rules.ts'

const document = (...nodes: unknown[]): unknown => ({ object: 'document', data: { schemaVersion: 1 }, nodes })
const problemsOf = (...nodes: unknown[]): string[] =>
  checkDocument(document(...nodes)).map(one => `${one.at} ${one.message}`)

test('a document is an object with data and nodes', () => {
  assert.deepEqual(checkDocument({ object: 'document', data: {}, nodes: [] }), [])
  for (const value of [undefined, null, 1, 'x', []]) assert.equal(checkDocument(value).length, 1)
  assert.deepEqual(
    checkDocument({ object: 'page', data: { schemaVersion: 'x' } }).map(one => one.at),
    ['/object', '/data/schemaVersion', '/nodes'],
  )
})

test('what is no object, no list or no text where one has to be is named with its place', () => {
  assert.deepEqual(
    checkDocument({ object: 'document', data: [], nodes: [] }).map(one => one.at),
    ['/data'],
  )
  const annotated = (fragments: unknown) => ({
    ...inline('annotation', {}, { nodes: [text('x')] }),
    fragments,
  })
  for (const [node, problem] of [
    ['x', '/nodes/0 a node is an object'],
    [{ ...paragraph([]), key: 1 }, '/nodes/0/key must be a string'],
    [{ ...paragraph([]), nodes: {} }, '/nodes/0/nodes must be an array'],
    [paragraph([{ object: 'text', leaves: {} } as never]), '/nodes/0/nodes/0/leaves must be an array'],
    [paragraph([annotated({}) as never]), '/nodes/0/nodes/0/fragments must be an array'],
    [
      paragraph([annotated([{ object: 'fragment' }]) as never]),
      '/nodes/0/nodes/0/fragments/0 a fragment is an object that names its slot',
    ],
  ] as const)
    assert.equal(problemsOf(node)[0], problem)
})

test('data beyond what is known is let through, on the document and on nodes', () => {
  const node = { ...paragraph([text('x')]), data: { align: 'center', color: 'new' } }
  assert.deepEqual(checkDocument({ object: 'document', data: { origin: 'x' }, nodes: [node] }), [])
})

test('fields that may be left out may be left out', () => {
  const leaf = { object: 'leaf', text: 'x', marks: [] }
  const line = { object: 'block', type: 'paragraph', nodes: [{ object: 'text', leaves: [leaf] }] }
  assert.deepEqual(problemsOf(line), [])
})

test('unknown nodes, nodes in the wrong place and prototype names are named with their place', () => {
  assert.deepEqual(problemsOf({ object: 'block', type: 'magic' }), [
    '/nodes/0 is not a known block, inline or text',
  ])
  assert.deepEqual(problemsOf({ object: 'block', type: 'constructor', isVoid: true, data: {} }), [
    '/nodes/0 is not a known block, inline or text',
  ])
  assert.deepEqual(problemsOf({ object: 'inline', type: 'paragraph' }).length, 1)
  assert.deepEqual(problemsOf(block('list-item', {}, { nodes: [paragraph([])] })), [
    '/nodes/0 list-item is not allowed in the document',
  ])
  assert.deepEqual(
    problemsOf(block('hint', { style: 'info' }, { nodes: [block('code', {}, { nodes: [] })] })),
    ['/nodes/0/nodes/0 code is not allowed in hint'],
  )
  assert.deepEqual(
    problemsOf(
      paragraph([
        inline('link', { ref: { kind: 'url', url: 'x' } }, { nodes: [inline('emoji', { code: '1f680' })] }),
      ]),
    ),
    ['/nodes/0/nodes/0/nodes/0 emoji is not allowed in link'],
  )
})

test('tabs do not nest in tabs', () => {
  const inner = block('tabs', {}, { nodes: [block('tabs-item', {}, { nodes: [] })] })
  const outer = block('tabs', {}, { nodes: [block('tabs-item', {}, { nodes: [inner] })] })
  assert.deepEqual(problemsOf(outer), ['/nodes/0/nodes/0/nodes/0 tabs is not allowed in tabs-item'])
})

test('every type wants its data, and void nodes want to say so and hold nothing', () => {
  const optional = [
    'paragraph',
    'blockquote',
    'list-item',
    'list-unordered',
    'list-tasks',
    'tabs',
    'stepper',
    'annotation',
  ]
  for (const [type, rule] of Object.entries({ ...BLOCKS, ...INLINES })) {
    const object = type in BLOCKS ? 'block' : 'inline'
    const nodes = rule.isVoid ? {} : { nodes: [] }
    const ats = problemsOf({ object, type, isVoid: rule.isVoid, ...nodes }).map(line => line.split(' ')[0])
    assert.equal(ats.includes('/nodes/0/data'), !optional.includes(type), type)
    if (!rule.isVoid) continue
    const filled = problemsOf({ object, type, data: {}, nodes: [text('x')] }).map(line => line.split(' ')[0])
    assert.ok(filled.includes('/nodes/0/isVoid') && filled.includes('/nodes/0/nodes'), type)
  }
})

test('data is checked to its depth', () => {
  assert.deepEqual(
    problemsOf(block('hint', { style: 'loud' as 'info' }, { nodes: [] })).map(line => line.split(' ')[0]),
    ['/nodes/0/data/style'],
  )
  assert.equal(problemsOf(block('content-ref', { ref: { kind: 'page' } as never })).length, 1)
  assert.equal(problemsOf(block('heading-1', { id: 'Not An Id' }, { nodes: [] })).length, 1)
  assert.deepEqual(problemsOf(paragraph([inline('button', { label: 'x', kind: 'primary' })])), [
    '/nodes/0/nodes/0/data a button needs a ref or an action',
  ])
})

test('leaves and marks', () => {
  const marked = (mark: unknown): unknown => ({
    ...paragraph([]),
    nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'x', marks: [mark] }] }],
  })
  assert.deepEqual(problemsOf(marked({ object: 'mark', type: 'bold' })), [])
  assert.deepEqual(
    problemsOf(marked({ object: 'mark', type: 'color', data: { text: 'red', background: 'default' } })),
    [],
  )
  assert.equal(
    problemsOf(marked({ object: 'mark', type: 'color', data: { text: 'mauve', background: 'default' } }))
      .length,
    1,
  )
  assert.equal(problemsOf(marked({ object: 'mark', type: 'toString' })).length, 1)
  assert.equal(
    problemsOf({ ...paragraph([]), nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 1 }] }] })
      .length,
    1,
  )
  assert.deepEqual(
    problemsOf({ ...paragraph([]), nodes: [{ object: 'text', leaves: [{ text: 'x', marks: [] }] }] }),
    ['/nodes/0/nodes/0/leaves/0 a leaf has "object": "leaf", a text and a list of marks'],
  )
})

test('fragments fill the slots of their node, each once', () => {
  const title = fragment('expandable-title', [paragraph([])])
  const body = fragment('expandable-body', [paragraph([])])
  const expandable = (...fragments: unknown[]): unknown => ({ ...block('expandable', {}), fragments })
  assert.deepEqual(problemsOf(expandable(title, body)), [])
  assert.deepEqual(problemsOf(expandable(title)), [
    '/nodes/0 expandable needs the fragment "expandable-body"',
  ])
  assert.equal(problemsOf(expandable(title, body, body)).length, 1)
  assert.equal(problemsOf(expandable(title, body, fragment('other', []))).length, 1)
  assert.deepEqual(
    problemsOf(expandable(fragment('expandable-title', [paragraph([]), paragraph([])]), body)),
    ['/nodes/0/fragments/0/nodes expandable-title holds at most 1'],
  )
})

test('a table shows columns that it defines', () => {
  const view = { type: 'grid' as const, columns: ['c1'], hideHeader: false }
  assert.deepEqual(problemsOf(block('table', { view, records: {}, definition: {} })), [
    '/nodes/0/data/view/columns names a column that is not defined',
  ])
})

test('hostile values end in a problem: too deep, too many, and wrong everywhere', () => {
  let deep: unknown = paragraph([])
  for (let level = 0; level < 5_000; level++) deep = block('blockquote', {}, { nodes: [deep as never] })
  assert.match(problemsOf(deep)[0] ?? '', new RegExp(`at most ${NODE_DEPTH_MAX} nodes deep`))
  let props: unknown = 1
  for (let level = 0; level < 100_000; level++) props = [props]
  assert.equal(problemsOf(block('integration', { integration: 'a', block: 'b', props: { props } })).length, 1)
  assert.match(
    checkDocument({ object: 'document', data: {}, nodes: Array(VALUES_MAX + 1).fill(1) })[0]?.message ?? '',
    /at most 10000000 values/,
  )
  assert.equal(checkDocument(document(...Array(10_000).fill({ object: 'block', type: 'hint' }))).length, 20)
})

test('the deepest nesting that is allowed is allowed, and one more is not', () => {
  const nest = (levels: number): unknown => {
    let node: unknown = block('divider', {})
    for (let level = 1; level < levels; level++) node = block('blockquote', {}, { nodes: [node as never] })
    return node
  }
  assert.deepEqual(problemsOf(nest(NODE_DEPTH_MAX)), [])
  assert.equal(problemsOf(nest(NODE_DEPTH_MAX + 1)).length, 1)
})
