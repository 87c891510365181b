// No word of a document is lost where it is written, and what cannot be written is named.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Block,
  block,
  fragment,
  inline,
  type JSONDocument,
  paragraph,
  text,
  toDocument,
} from '../document/document.ts'
import { PARSED_CHARACTERS_MAX } from '../syntax/syntax.ts'
import { losesWords } from './losses.ts'
import { renderOver, writeOver } from './render.ts'

const documentOf = (nodes: Block[]): JSONDocument => ({ object: 'document', data: {}, nodes })

const said = (words: string) => [paragraph([text(words)])]

test('words are compared in their order, wherever marks cut them', () => {
  assert.equal(losesWords(said('one two two'), said('one two, and two')), false)
  assert.equal(losesWords(said('one two two'), said('two one two')), true, 'in another order')
  assert.equal(losesWords([...said('on'), ...said('e')], said('one')), false, 'cut elsewhere')
  assert.equal(losesWords(said('one two two'), said('one two')), true)
  const code = block('code', { title: 'a.js' }, { nodes: [block('code-line', {}, { nodes: [text('x')] })] })
  assert.equal(losesWords([code], [block('code', {}, { nodes: code.nodes ?? [] })]), true, 'a title')
  assert.equal(losesWords([code], said('a.js x')), false)
})

test('words that are new elsewhere do not take the place of lost ones', () => {
  const asked = [...said('Press the red button.'), ...said('Wait.')]
  assert.equal(
    losesWords(asked, [...said('Press the button.'), ...said('Wait.'), ...said('Be ready.')]),
    true,
  )
  assert.equal(losesWords(asked, [...said('Press the button.'), ...said('red Wait.')]), true)
  assert.equal(losesWords(said('नमस्ते'), said('नमसत')), true, 'vowel signs')
})

test('words of footnotes and cells are compared', () => {
  const noted = (body: string) => [
    paragraph([
      inline(
        'annotation',
        {},
        { nodes: [text('word')], fragments: [fragment('', said(body), 'annotation-body')] },
      ),
    ]),
  ]
  assert.equal(losesWords(noted('A red note'), noted('A note, read')), true)
  assert.equal(losesWords([...noted('A red note'), ...noted('A red note')], noted('A red note')), true)
  assert.equal(losesWords(noted('A red note'), said('word (A red note)')), false)
  const { document } = toDocument(
    '<table><thead><tr><th>Name</th><th data-type="number">Count</th></tr></thead><tbody><tr><td>a</td><td>42</td></tr></tbody></table>\n',
  )
  assert.equal(losesWords(document.nodes, said('Name Count a 42')), false)
  assert.equal(losesWords(document.nodes, said('Name Count a')), true, 'a number')
})

/** A picture whose file is not there is written as its caption; its alternative text has no place beside it. */
const picture = (alt: string): Block =>
  block(
    'images',
    {},
    {
      nodes: [
        block(
          'image',
          { ref: { kind: 'file', file: 'gone' }, alt },
          { fragments: [fragment('caption', said('Caption'))] },
        ),
      ],
    },
  )
const write = () => undefined

test('a new block that has no form with all its words is written as plain words and named', () => {
  const asked = { ...picture('Words of it'), key: 'k1' }
  const { text: written, unwritten } = writeOver(
    '# T\n\nBefore.\n',
    documentOf([...said('Before.'), asked]),
    {
      title: 'T',
      write,
    },
  )
  assert.equal(written, '# T\n\nBefore.\n\nWords of it\n\nCaption\n')
  assert.deepEqual(unwritten, [{ block: 'k1', isKept: false }])
})

test('a document without a page keeps its words in a form that holds them', () => {
  const { text: written, unwritten } = writeOver(
    '',
    documentOf([...said('Before.'), picture('Words of it')]),
    {
      write,
    },
  )
  assert.equal(written, 'Before.\n\nWords of it\n\nCaption\n')
  assert.deepEqual(unwritten, [{ block: undefined, isKept: false }])
})

test('a block that cannot be written over its text with all its words leaves the text, and is named', () => {
  const source = 'Before.\n\n![Old words](a.png "Caption")\n\nAfter.\n'
  const { document } = toDocument(source)
  const [before, old, after] = document.nodes
  assert.ok(before !== undefined && old?.key !== undefined && after !== undefined)
  const asked = documentOf([before, { ...picture('New words'), key: old.key }, after])
  const { text: written, unwritten } = writeOver(source, asked, { write })
  assert.equal(written, source)
  assert.deepEqual(unwritten, [{ block: old.key, isKept: true }])
})

test('a page longer than what is read of it keeps every other byte when its first words change', () => {
  const row = (at: number) =>
    `<tr><td>cell ${at}</td><td><pre><code>line ${at} &#x3C;b> *x*\nmore</code></pre></td></tr>`
  const table = (from: number) =>
    `<table><tbody>\n${Array.from({ length: 50 }, (_, at) => row(from + at)).join('\n')}\n</tbody></table>`
  let source = '```\nfirst line\n```\n'
  for (let at = 0; source.length < PARSED_CHARACTERS_MAX * 1.2; at += 50) source += `\n${table(at)}\n`
  const { document } = toDocument(source)
  // So many that fewer of the tables are read.
  const words = `first ${'changed '.repeat(60)}line`
  const changed = JSON.parse(JSON.stringify(document).replace('first line', words))
  assert.ok(renderOver(source, changed, {}) === source.replace('first line', words))
})

test('blank lines at the beginning of a page stay', () => {
  for (const source of ['\n\n\n# T\n\nOld words.\n', '\ufeff\r\n \r\nOld words.\r\n\r\nMore.\r\n']) {
    const { document } = toDocument(source)
    const changed = JSON.parse(JSON.stringify(document).replace('Old', 'New'))
    assert.equal(renderOver(source, changed, {}), source.replace('Old', 'New'))
  }
})
