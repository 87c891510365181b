// Real documentation as documents and back, page by page.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corpusPages, skipCorpus as skip } from '../../../../test/support/corpus.ts'
import { resolve, write } from '../../../../test/support/markdown/paths.ts'
import { type JSONDocument, toDocument } from '../document/document.ts'
import { contentOf } from './matching.ts'
import { renderDocument } from './render-document.ts'
import { renderOver } from './render-over.ts'

/** One page in so many, and another part of them in the other test. */
const EVERY = 6

const contents = ({ nodes }: JSONDocument): string[] => nodes.map(contentOf)
/** The words of a document in their order, whatever holds them. */
const words = (document: JSONDocument): string[] => {
  const found: string[] = []
  const collect = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) collect(one)
    else if (typeof value === 'object' && value !== null) {
      if ('text' in value && typeof value.text === 'string') found.push(value.text)
      for (const [name, member] of Object.entries(value)) if (name !== 'meta') collect(member)
    }
  }
  collect(document.nodes)
  return found.join(' ').match(/[\p{L}\p{N}]+/gu) ?? []
}

test('a page of the corpus, written from its document, is the same document, and is written the same again', {
  skip,
}, () => {
  const different: string[] = []
  for (const { file, source } of corpusPages(EVERY)) {
    const { document } = toDocument(source, { resolve })
    const markdown = renderDocument(document, { write })
    const again = toDocument(markdown, { resolve }).document
    assert.deepEqual(words(again), words(document), file)
    assert.equal(renderDocument(again, { write }), markdown, file)
    if (contents(again).join('\n') !== contents(document).join('\n')) different.push(file)
  }
  assert.deepEqual(different, [])
})

test('a page of the corpus, written over itself, is itself byte for byte, with keys and without', {
  skip,
}, () => {
  for (const { file, source } of corpusPages(EVERY, 3)) {
    const title = /^# (.*)$/m.exec(source)?.[1] ?? ''
    const { document } = toDocument(source, { resolve, title })
    assert.equal(renderOver(source, document, { resolve, write, title }), source, file)
    const keyless = { ...document, nodes: document.nodes.map(({ key: _, ...node }) => node) } as JSONDocument
    assert.equal(renderOver(source, keyless, { resolve, write, title }), source, file)
  }
})
