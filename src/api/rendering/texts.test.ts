import assert from 'node:assert/strict'
import { test } from 'node:test'
import { world } from '../../../test/support/world.ts'
import { EMPTY_ROOT } from '../../engines/content/trie.ts'
import { createRendering } from './rendering.ts'

const w = await world()

test('one text that is too much is shown as it was written, and the others as HTML', async () => {
  const { id } = await w.createSpace()
  const { services } = w
  const run: typeof services.compute.run = async (name, lane, input, ...rest) =>
    name === 'textsHtml' && JSON.stringify(input).includes('costly')
      ? ({ kind: 'beyond', bound: 'time' } as never)
      : services.compute.run(name, lane, input, ...rest)
  const assets = { stylesheet: '/a.css', tryScript: '/a.js' }
  const rendering = createRendering({ ...services, compute: { ...services.compute, run } }, assets)
  const content = await services.contents.get(EMPTY_ROOT)
  const space = { id, organization_id: w.organizationId }
  const texts = ['One.', '<b>costly', 'Two.'].map((markdown, index) => ({ markdown, idPrefix: `${index}.` }))
  const [one, costly, two] = await rendering.texts.render({ space, content, changeRequest: null }, texts)
  await rendering.close()
  assert.deepEqual([one, two], ['<p>One.</p>', '<p>Two.</p>'])
  assert.match(costly ?? '', /<pre>&lt;b&gt;costly<\/pre>/)
})
