import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { cjkFriendlyExtension } from 'micromark-extension-cjk-friendly'
import { gfm } from 'micromark-extension-gfm'
import { tried } from '../../../../test/support/property-runs.ts'
import { childrenOf, type Node } from './ast.ts'
import { parseMarkdown } from './parse.ts'

const LETTERS = ['中', '文', 'か', '한', '𠀀']
const SIGNS = ['。', '、', '「', '」', '（', '）', '：']
const OTHERS = ['a', 'b', ' ', '(', ')', '"', '!', '`c`', '[x](y)']
const RUNS = ['*', '**', '***']

/** `strong 3-9` for each emphasis. */
const emphasesOf = (source: string): string[] => {
  const all: string[] = []
  const visit = (node: Node) => {
    if (node.type === 'strong' || node.type === 'emphasis')
      all.push(`${node.type} ${node.position.start}-${node.position.end}`)
    for (const child of childrenOf(node)) visit(child)
  }
  visit(parseMarkdown(source))
  return all
}

type Tree = ReturnType<typeof fromMarkdown>

const emphasesOfAmendment = (source: string): string[] => {
  const all: string[] = []
  const visit = (node: Tree | Tree['children'][number]) => {
    if (node.type === 'strong' || node.type === 'emphasis')
      all.push(`${node.type} ${node.position?.start.offset}-${node.position?.end.offset}`)
    if ('children' in node) for (const child of node.children) visit(child)
  }
  visit(
    fromMarkdown(source, {
      extensions: [gfm(), cjkFriendlyExtension()],
      mdastExtensions: [gfmFromMarkdown()],
    }),
  )
  return all
}

const word = fc.constantFrom(...LETTERS, ...SIGNS, ...OTHERS)
const words = fc
  .tuple(word, word, fc.array(word, { maxLength: 2 }))
  .map(([a, b, more]) => [a, b, ...more].join(''))
// Alone between two runs, a character of theirs is beside both.
const part = fc.oneof(
  { weight: 3, arbitrary: words },
  { weight: 1, arbitrary: fc.constantFrom(...LETTERS, ...SIGNS) },
)
const line = fc
  .tuple(words, fc.array(fc.tuple(fc.constantFrom(...RUNS), part), { minLength: 1, maxLength: 5 }))
  .map(([first, rest]) => `x${first}${rest.flat().join('')}`)

// Then the character between would have to be a sign for one and a letter for the other: the first is taken.
const isTorn = (source: string): boolean =>
  /[ab ]\*+(?:[^*]\*+)+[()"!`[]|[()"!`\]]\*+(?:[^*]\*+)+(?:[ab ]|$)/u.test(source)

test('emphasis beside Chinese, Japanese and Korean is read as the amendment to CommonMark says', () => {
  fc.assert(
    fc.property(line, source => {
      fc.pre(!isTorn(source))
      assert.deepEqual(emphasesOf(source), emphasesOfAmendment(source))
    }),
    tried(1500),
  )
})
