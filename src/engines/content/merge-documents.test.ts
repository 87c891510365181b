import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { paragraphs, paragraphsBelowFrontmatter } from './merge.arbitrary.ts'
import type { BlockConflict } from './merge-conflicts.ts'
import { mergeDocuments } from './merge-documents.ts'

const RAIN = 'Rain falls on the quiet town in the evening.'
const SUN = 'Sunlight warms every stone along the river bank.'
const WIND = 'Wind carries old leaves across an empty square.'
const SNOW = 'Snow covers mountains while everybody sleeps below.'
const FOG = 'Fog hides the harbour until somebody rings the bell.'

const page = (...parts: readonly string[]): string => `${parts.join('\n\n')}\n`

function merged(base: string, ours: string, theirs: string): { text: string; conflicts: BlockConflict[] } {
  const conflicts: BlockConflict[] = []
  const text = mergeDocuments({ base, ours, theirs }, paragraphs, conflict => {
    conflicts.push(conflict)
    return undefined
  })
  return { text, conflicts }
}

/** Merges cleanly, and to the same whichever side is ours. */
function mergesTo(base: string, ours: string, theirs: string, result: string): void {
  assert.deepEqual(merged(base, ours, theirs), { text: result, conflicts: [] })
  assert.deepEqual(merged(base, theirs, ours), { text: result, conflicts: [] })
}

describe('the end of a merged document', () => {
  const parts: readonly string[] = [RAIN, SUN, WIND, SNOW]
  const edited = parts.map(part => `${part} Theirs.`)

  for (const gone of [1, 2])
    for (const [what, before, after] of [
      ['with a line end', '\n', '\n'],
      ['without a line end', '', ''],
      ['that gets a line end', '', '\n'],
      ['that loses its line end', '\n', ''],
      ['with blank lines', '\n\n', '\n\n'],
    ] as const)
      it(`is that of the side which removed the last ${gone}, ${what}`, () => {
        const left = parts.slice(0, -gone)
        for (const [at, text] of left.entries()) {
          const instead = edited[at] ?? ''
          const [changed, kept] = [parts.with(at, instead), left.with(at, instead)]
          mergesTo(
            parts.join('\n\n') + before,
            left.join('\n\n') + after,
            changed.join('\n\n') + before,
            kept.join('\n\n') + after,
          )
          const added = [FOG, text].join('\n\n')
          mergesTo(
            parts.join('\n\n') + before,
            left.join('\n\n') + after,
            parts.with(at, added).join('\n\n') + before,
            left.with(at, added).join('\n\n') + after,
          )
        }
      })

  it('has no blank lines that the other side put after what is removed', () => {
    for (const gone of [1, 2]) {
      const left = parts.slice(0, -gone)
      const changed = parts.with(0, edited[0] ?? '')
      const kept = left.with(0, edited[0] ?? '')
      for (const blank of ['\n', '\n\n', '  \n'])
        mergesTo(page(...parts), page(...left), page(...changed) + blank, page(...kept))
    }
  })

  it('has the blank lines of the side that wrote the last block', () => {
    const left = parts.slice(0, 3)
    mergesTo(page(...parts), page(...left), `${page(...parts, FOG)}\n`, `${page(...left, FOG)}\n`)
    mergesTo(page(...parts), `${page(...left)}\n`, page(...parts, FOG), page(...left, FOG))
  })

  it('has one line end where both removed another last one', () => {
    mergesTo(page(RAIN, SUN, WIND), page(RAIN, SUN), page(RAIN, WIND), page(RAIN))
    mergesTo(page(RAIN, SUN, WIND), page(RAIN), page(RAIN, SUN), page(RAIN))
  })

  it('is that of frontmatter alone where one side removed all that follows', () => {
    const head = (word: string) => `---\ntitle: ${word}\n---`
    const result = (base: string, ours: string, theirs: string) => {
      const merge = (one: string, other: string, taken: 'ours' | 'theirs') =>
        mergeDocuments(
          { base, ours: one, theirs: other },
          paragraphsBelowFrontmatter,
          conflict => conflict[taken] ?? '',
        )
      const text = merge(ours, theirs, 'theirs')
      assert.equal(merge(theirs, ours, 'ours'), text)
      return text
    }
    for (const removed of ['', page(head('Other'))])
      assert.equal(
        result(page(head('One'), RAIN, SUN), removed, page(head('Two'), RAIN, SUN)),
        page(head('Two')),
      )
  })

  it('is not what somebody wrote around a text that settles a conflict', () => {
    const settled = (written: string) =>
      mergeDocuments(
        { base: page(RAIN, SUN), ours: page(RAIN), theirs: page(RAIN, `${SUN} Theirs.`) },
        paragraphs,
        () => written,
      )
    for (const written of [FOG, `${FOG}\n`, `\n\n${FOG}\n\n`]) assert.equal(settled(written), page(RAIN, FOG))
    for (const nothing of ['', '\n', '\n\n']) assert.equal(settled(nothing), page(RAIN))
  })
})

describe('the merge of a document', () => {
  it('takes edits of neighbouring paragraphs, which to git are one conflict', () => {
    mergesTo(
      page(RAIN, SUN),
      page(`${RAIN} Ours.`, SUN),
      page(RAIN, `${SUN} Theirs.`),
      page(`${RAIN} Ours.`, `${SUN} Theirs.`),
    )
  })

  it('takes an edit along with the paragraph that the other side moved', () => {
    mergesTo(
      page(RAIN, SUN, WIND, SNOW),
      page(SNOW, RAIN, SUN, WIND),
      page(RAIN, SUN, WIND, `${SNOW} Theirs.`),
      page(`${SNOW} Theirs.`, RAIN, SUN, WIND),
    )
  })

  it('keeps both of two paragraphs that were added at one place, and one that both added', () => {
    mergesTo(page(RAIN), page(RAIN, SNOW), page(RAIN, FOG), page(RAIN, FOG, SNOW))
    mergesTo(page(RAIN), page(RAIN, SNOW, FOG), page(RAIN, SNOW, SUN), page(RAIN, SNOW, FOG, SUN))
  })

  it('removes the paragraph that one removed and the other only moved, and moves once what both moved', () => {
    mergesTo(page(RAIN, SUN, WIND), page(SUN, WIND), page(SUN, WIND, RAIN), page(SUN, WIND))
    mergesTo(
      page(RAIN, SUN, WIND, SNOW),
      page(SUN, RAIN, WIND, SNOW),
      page(SUN, WIND, SNOW, RAIN),
      page(SUN, RAIN, WIND, SNOW),
    )
  })

  it('keeps the end of the documents, whichever block is last', () => {
    mergesTo(page(RAIN, SUN), page(RAIN, SNOW, SUN), page(RAIN), page(RAIN, SNOW))
    mergesTo(`${RAIN}\n\n${SUN}`, `${RAIN}\n\n${SNOW}\n\n${SUN}`, RAIN, `${RAIN}\n\n${SNOW}`)
  })

  it('separates two blocks that become adjacent only in the merge', () => {
    mergesTo(`${RAIN}\n\n${SUN}\n`, `${RAIN}\n`, page(RAIN, SUN, WIND), page(RAIN, WIND))
    mergesTo(
      `${RAIN}\n\n${SUN}`,
      `${RAIN}\n\n${SUN}\n\n${SNOW}`,
      `${FOG}\n\n${RAIN}\n\n${SUN}`,
      `${FOG}\n\n${RAIN}\n\n${SUN}\n\n${SNOW}`,
    )
  })

  it('keeps every byte between blocks that neither side changed', () => {
    const odd = `\n${RAIN}  \r\n\r\n\r\n${SUN}\t\n \n${WIND}`
    mergesTo(
      odd,
      odd.replace(SUN, `${SUN} Ours.`),
      odd.replace(WIND, `${WIND} Theirs.`),
      `\n${RAIN}  \r\n\r\n\r\n${SUN} Ours.\t\n \n${WIND} Theirs.`,
    )
  })

  it('merges the lines of one block as git would', () => {
    const list = ['- one two three', '- four five six', '- seven eight nine', '- ten eleven twelve']
    const ours = list.with(0, '- one two three, ours')
    const theirs = list.with(3, '- ten eleven twelve, theirs')
    mergesTo(
      list.join('\n'),
      ours.join('\n'),
      theirs.join('\n'),
      [ours[0], list[1], list[2], theirs[3]].join('\n'),
    )
  })

  it('reports a paragraph that both rewrote, and keeps ours', () => {
    const { text, conflicts } = merged(
      page(RAIN, SUN),
      page(`${RAIN} Ours.`, SUN),
      page(`${RAIN} Theirs.`, SUN),
    )
    assert.equal(text, page(`${RAIN} Ours.`, SUN))
    assert.deepEqual(conflicts, [
      { block: `${RAIN}~0`, base: RAIN, ours: `${RAIN} Ours.`, theirs: `${RAIN} Theirs.` },
    ])
  })

  it('reports a paragraph that one removed and the other changed', () => {
    const [conflict] = merged(page(RAIN, SUN), page(SUN), page(`${RAIN} Theirs.`, SUN)).conflicts
    assert.deepEqual(conflict, { block: `${RAIN}~0`, base: RAIN, ours: null, theirs: `${RAIN} Theirs.` })
  })

  it('puts the resolution of a conflict in the place of the block', () => {
    const settled = (text: string | null) =>
      mergeDocuments(
        { base: page(RAIN, SUN, WIND), ours: page(RAIN, WIND), theirs: page(RAIN, `${SUN} Theirs.`, WIND) },
        paragraphs,
        () => text,
      )
    assert.equal(settled(FOG), page(RAIN, FOG, WIND))
    assert.equal(settled(null), page(RAIN, WIND))
  })

  it('keeps one frontmatter, first, whatever else was added before the text', () => {
    const merge = (base: string, ours: string, theirs: string): string =>
      mergeDocuments({ base, ours, theirs }, paragraphsBelowFrontmatter, () => undefined)
    const text = merge(page(RAIN), `---\nicon: sun\n---\n\n${page(RAIN)}`, page('# Title', RAIN))
    assert.equal(text, `---\nicon: sun\n---\n\n${page('# Title', RAIN)}`)
    const both = merge(
      `---\na: 1\nb: 2\nc: 3\n---\n\n${page(RAIN)}`,
      `---\na: 9\nb: 2\nc: 3\n---\n\n${page(RAIN)}`,
      `---\na: 1\nb: 2\nc: 7\n---\n\n${page(RAIN)}`,
    )
    assert.equal(both, `---\na: 9\nb: 2\nc: 7\n---\n\n${page(RAIN)}`)
  })

  it('takes ten thousand paragraphs that one edited and the other put in another order', () => {
    const parts = Array.from(
      { length: 10_000 },
      (_, i) => `Paragraph ${i} tells of ${i * 7919} and ${i * 104729}.`,
    )
    const ours = page(...parts.map((part, i) => (i % 3 === 0 ? `${part} Ours.` : part)))
    const { text, conflicts } = merged(page(...parts), ours, page(...[...parts].reverse()))
    assert.deepEqual(conflicts, [])
    assert.equal(text.length, ours.length)
    assert.ok(text.startsWith('Paragraph 9999 '))
  })
})
