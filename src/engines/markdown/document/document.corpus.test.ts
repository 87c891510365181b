// Real documentation, page by page: valid documents, and no word lost on the way.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corpusPages, skipCorpus as skip } from '../../../../test/support/corpus.ts'
import { decodeReferences } from '../syntax/syntax.ts'
import { checkDocument } from './check.ts'
import { toDocument } from './to-document.ts'

const pages =
  skip === false ? corpusPages(3).map(page => ({ ...page, document: toDocument(page.source).document })) : []

test('a page of the corpus becomes a valid document', { skip }, () => {
  for (const { file, document } of pages) {
    assert.deepEqual(checkDocument(document), [], file)
    assert.equal(new Set(document.nodes.map(node => node.key)).size, document.nodes.length, file)
  }
})

test('every word of a page of the corpus is in its document, as often as it was written', { skip }, () => {
  for (const { file, source, document } of pages) {
    const found = countWords(stringsOf(document))
    const lost = [...countWords(wordsWritten(source))].filter(
      ([word, count]) => count > (found.get(word) ?? 0),
    )
    assert.deepEqual(lost, [], file)
  }
})

const countWords = (texts: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const text of texts)
    for (const word of text.match(/[\p{L}\p{N}]+/gu) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : []
}

/** What a reader sees of a page, found without the parser: code as it is, the rest without its markup. */
function wordsWritten(source: string): string[] {
  const codes: string[] = []
  const keep = (code: string): string => {
    codes.push(code)
    return ' '
  }
  const prose = source
    .replace(/^\ufeff?---\r?\n[\s\S]*?\r?\n---\r?\n/, '')
    .replace(/^(?:[ \t>*+-]|\d+[.)])*(`{3,}|~{3,})[^\n]*\n([\s\S]*?)^[ \t>]*\1/gm, (_, _fence, code) =>
      keep(code),
    )
    .replace(/`[^`\n]+`/g, keep)
    // The link in a pointer says its destination again; emojis are codes in a document.
    .replace(/(\{% (?:content-ref|openapi\S*) [^\n]*%\}\s*)\[[^\]]*\]\([^\n]*\)/g, '$1')
    .replace(/:(?:white\\?_check\\?_mark|x):/g, ' ')
    .replace(/(<span data-gb-custom-inline data-tag="emoji"[^>]*>)[^<]*/g, '$1')
    .replace(/\{%.*?%\}|<!--[\s\S]*?-->|<\/?[a-zA-Z][^>]*>/g, ' ')
    .replace(/\]\((?:<[^>]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s+"[^"]*")?\)/g, '] ')
    .replace(/^\s*(?:\d+[.)]\s+)+/gm, ' ')
  return [...codes, decodeReferences(prose)]
}
