import assert from 'node:assert/strict'
import { test } from 'node:test'
import { world } from '../../../test/support/world.ts'
import { EMPTY_ROOT } from '../../engines/content/trie.ts'
import { createRendering } from './rendering.ts'

const w = await world()

/** A renderer whose pool finds texts with the word costly too much, and how often it was asked for one. */
async function rendererOf() {
  const { services } = w
  let tries = 0
  const run: typeof services.compute.run = async (name, lane, input, ...rest) => {
    if (name !== 'textsHtml' || !JSON.stringify(input).includes('costly'))
      return services.compute.run(name, lane, input, ...rest)
    tries += 1
    // What any task may end with: the type of an outcome depends on the name, which is not narrowed here.
    return { kind: 'beyond', bound: 'time' } as never
  }
  const assets = { stylesheet: '/a.css', tryScript: '/a.js' }
  const rendering = createRendering({ ...services, compute: { ...services.compute, run } }, assets)
  const content = await services.contents.get(EMPTY_ROOT)
  const { id } = await w.createSpace()
  const place = { space: { id, organization_id: w.organizationId }, content, changeRequest: null }
  return {
    tries: () => tries,
    close: () => rendering.close(),
    render: (...markdowns: string[]) =>
      rendering.texts.render(
        place,
        markdowns.map((markdown, index) => ({ markdown, idPrefix: `${index}.` })),
      ),
  }
}

test('one text that is too much is shown as it was written, and the others as HTML', async () => {
  const renderer = await rendererOf()
  const [one, costly, two] = await renderer.render('One.', '<b>costly', 'Two.')
  await renderer.close()
  assert.deepEqual([one, two], ['<p>One.</p>', '<p>Two.</p>'])
  assert.match(costly ?? '', /<pre>&lt;b&gt;costly<\/pre>/)
})

test('a text that was too much is not tried again for the next reader, until it is another', async () => {
  const renderer = await rendererOf()
  const first = await renderer.render('One.', '<b>costly', 'Two.')
  const tries = renderer.tries()
  assert.deepEqual(await renderer.render('One.', '<b>costly', 'Two.'), first)
  assert.equal(renderer.tries(), tries)
  await renderer.render('One.', '<b>costly, too', 'Two.')
  assert.ok(renderer.tries() > tries)
  assert.deepEqual((await renderer.render('One.', 'Cheap.', 'Two.'))[1], '<p>Cheap.</p>')
  await renderer.close()
})
