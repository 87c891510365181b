import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sha256 } from '../../base/canonical.ts'
import { createCompute } from '../../compute/compute.ts'
import { BLOCK_BOUNDS, type BlockBounds, BlockDescriber } from './blocks.ts'
import type { DocumentDetail } from './schema.ts'

const compute = createCompute()
after(() => compute.end())

/** Tells of each pair of texts, one after the other, in one answer. */
async function describeAll(
  pairs: readonly (readonly [before: string | null, after: string | null])[],
  bounds: Partial<BlockBounds> = {},
): Promise<DocumentDetail[]> {
  const describer = new BlockDescriber(compute, 'a space', { ...BLOCK_BOUNDS, ...bounds })
  const details: DocumentDetail[] = []
  for (const [before, after] of pairs) {
    const bodies = new Map(
      [before, after].flatMap(text => (text === null ? [] : [[sha256(text), Buffer.from(text)] as const])),
    )
    const hash = (text: string | null) => (text === null ? null : sha256(text))
    details.push(await describer.describe({ before: hash(before), after: hash(after) }, bodies))
  }
  return details
}

const shown = ({ blocks }: DocumentDetail) =>
  blocks?.map(({ kind, before, after }) => `${kind} ${before?.markdown ?? ''}>${after?.markdown ?? ''}`)

describe('the blocks of two documents', () => {
  it('are described with type and key, and those that are equal are left out', async () => {
    const [detail] = await describeAll([
      ['# A\n\nSame.\n', '# A\n\nSame.\n\n{% hint %}\nNew.\n{% endhint %}\n'],
    ])
    assert.deepEqual(
      detail?.blocks?.map(({ kind, after }) => [kind, after?.type, after?.markdown]),
      [['inserted', 'hint', '{% hint %}\nNew.\n{% endhint %}']],
    )
    assert.match(detail?.blocks?.[0]?.after?.key ?? '', /^[0-9a-f]{24}$/)
  })

  it('are all inserted where there was no document, and all removed where there is none', async () => {
    const [came, went] = await describeAll([
      [null, 'One.\n\nTwo.\n'],
      ['One.\n\nTwo.\n', null],
    ])
    assert.deepEqual(shown(came as DocumentDetail), ['inserted >One.', 'inserted >Two.'])
    assert.deepEqual(shown(went as DocumentDetail), ['removed One.>', 'removed Two.>'])
  })

  it('say of a block that was changed and moved that it did both', async () => {
    const long = 'Rain falls on the quiet town in the evening and nobody minds'
    const others = ['One thing.', 'Another matter.', 'Something else.', 'A last word.']
    const [detail] = await describeAll([
      [[long, ...others].join('\n\n'), [...others, `${long} it`].join('\n\n')],
    ])
    assert.deepEqual(
      detail?.blocks?.map(({ kind, moved }) => [kind, moved]),
      [['modified', true]],
    )
  })

  it('ignore differences in white space only', async () => {
    const [detail] = await describeAll([['One.\n\nTwo.\n', '\n\nOne.   \n\n\n\nTwo.']])
    assert.deepEqual(detail, { blocks: [] })
    const [blank] = await describeAll([['\n\n', 'One.\n']])
    assert.deepEqual(shown(blank as DocumentDetail), ['inserted >One.'])
  })

  it('are counted beyond the bound on blocks, and beyond the bound on characters of the whole answer', async () => {
    const text = Array.from({ length: 10 }, (_, i) => `Paragraph ${i}.`).join('\n\n')
    const [many] = await describeAll([[null, text]], { blocksMax: 4 })
    assert.deepEqual([many?.blocks?.length, many?.moreBlocks], [4, 6])
    const details = await describeAll(
      [
        [null, text],
        [null, text],
      ],
      { charactersMax: 14 * 'Paragraph 0.'.length },
    )
    assert.deepEqual(
      details.map(({ blocks, moreBlocks }) => [blocks?.length, moreBlocks]),
      [
        [10, undefined],
        [4, 6],
      ],
    )
  })

  it('are left out for a document beyond its bound, and once the answer has reached its own', async () => {
    const [large, small] = await describeAll(
      [
        ['x'.repeat(60), 'y'.repeat(60)],
        ['a', 'b'],
      ],
      { documentBytesMax: 100 },
    )
    assert.deepEqual(large, {})
    assert.equal(small?.blocks?.length, 2)
    const [first, second] = await describeAll(
      [
        ['x'.repeat(60), 'y'.repeat(60)],
        ['x'.repeat(60), 'z'.repeat(60)],
      ],
      { comparedBytesMax: 200 },
    )
    assert.deepEqual([first?.blocks === undefined, second], [false, {}])
  })
})
