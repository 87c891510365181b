// What one side writes at the edge of text that the other removed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SplitBlocks } from './block-diff.ts'
import { paragraphs } from './merge.arbitrary.ts'
import { mergeDocuments } from './merge-documents.ts'

/** Paragraphs with the sections that headings begin. */
const sections: SplitBlocks = markdown =>
  paragraphs(markdown).map(block => {
    const level = /^#+/.exec(markdown.slice(block.start, block.end))?.[0].length
    return level === undefined ? block : { ...block, level }
  })

const page = (...parts: readonly string[]): string => parts.join('\n\n')

/** What each conflict is about, as the base has it. */
function conflictsOf(base: string, ours: string, theirs: string): string[] {
  const found: string[] = []
  mergeDocuments({ base, ours, theirs }, sections, ({ base }) => {
    found.push(base ?? '')
    return undefined
  })
  return found
}

test('a subsection that stays keeps what is written at its end out of the removal of the section around it', () => {
  const [ROSE, LILY, FERN] = ['Roses need sun.', 'Lilies need shade.', 'Ferns need rain.']
  const base = page(ROSE, LILY, '# Plants', FERN, '## Care', '# End')
  const removed = page(ROSE, LILY, FERN, '## Care', 'Water them.', '# End')
  const written = page(ROSE, LILY, '# Plants', FERN, '## Care daily', FERN, '# End')
  assert.deepEqual(conflictsOf(base, removed, written), ['## Care'])
  assert.deepEqual(conflictsOf(base, written, removed), ['## Care'])
})

test('what is written in a removed section and in a subsection of it that stays is one conflict', () => {
  const STONE = 'Stones\nof\nmany\nkinds'
  const base = page('# End', STONE, '## Part', '# Start', '### Deep', '## Part', '## Last')
  const removed = page('## Part', '# Start', '### Deep')
  const written = page(
    '# End',
    STONE,
    'New.',
    '## Part',
    'More.',
    '# Start',
    '### Deep',
    '## Part',
    '## Last',
  )
  assert.deepEqual(conflictsOf(base, removed, written), [page('# End', STONE, '## Part', '# Start')])
  assert.deepEqual(conflictsOf(base, written, removed), [page('# End', STONE, '## Part', '# Start')])
})
