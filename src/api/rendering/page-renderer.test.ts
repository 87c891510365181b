import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { edit, idAt, liveAt } from '../../../test/support/edits.ts'
import { spaceWith } from '../../../test/support/pages.ts'
import { type World, world } from '../../../test/support/world.ts'
import { type Compute, createCompute } from '../../compute/compute.ts'
import type { RenderedPage } from '../../http/rendering.ts'
import { spaceHref } from './addresses.ts'
import { createHighlighter } from './highlight.ts'
import { createPageRenderer } from './page-renderer.ts'

const w = await world()
const highlighter = createHighlighter()
after(() => highlighter.close())

/** A reader of spaces whose renderings are counted. */
function readerOf({ services }: World, within: Compute = services.compute) {
  let renderings = 0
  const compute: Compute = {
    ...within,
    run: (name, ...rest) => {
      renderings += 1
      return within.run(name, ...rest)
    },
  }
  const renderer = createPageRenderer(
    { ...services, compute },
    highlighter,
    services.rendering.apiParts,
    64 * 1024 * 1024,
  )
  return {
    count: () => renderings,
    async read(spaceId: string, id: string): Promise<RenderedPage> {
      const row = await services.db
        .selectFrom('spaces')
        .innerJoin('revisions', 'revisions.id', 'spaces.revision_id')
        .select('revisions.root_hash')
        .where('spaces.id', '=', spaceId)
        .executeTakeFirstOrThrow()
      const root = row.root_hash.toString('hex')
      const content = await services.contents.get(root)
      const record = content.pages.get(id)
      assert.ok(record !== undefined)
      return renderer.render(
        { spaceId, base: spaceHref(spaceId), root, sight: 'published' },
        content,
        id,
        record,
      )
    },
  }
}

const long = (text: string) => `${text}\n\n${'A sentence that makes the page longer. '.repeat(50)}`

test('a hundred concurrent requests for an uncached page render it once', async () => {
  const spaceId = await spaceWith(w, { 'README.md': long('# Start') })
  const id = await idAt(w, liveAt(spaceId), 'readme')
  const reader = readerOf(w)
  const pages = await Promise.all(Array.from({ length: 100 }, () => reader.read(spaceId, id)))
  assert.equal(reader.count(), 1)
  assert.equal(new Set(pages).size, 1)
})

test('a page stays cached through edits elsewhere, and shows at once what changed in its targets', async () => {
  const spaceId = await spaceWith(w, {
    'README.md': long('# Start\n\n[to b](b.md)\n\n{% include ".gitbook/includes/note.md" %}'),
    'b.md': '# Page b',
    'c.md': '# Page c',
    '.gitbook/includes/note.md': '---\ntitle: Note\n---\n\nWords of the note. [to c](../../c.md)',
    'SUMMARY.md': '* [Start](README.md)\n* [Page b](b.md)\n* [Page c](c.md)\n',
  })
  const at = liveAt(spaceId)
  const [id, b, c] = [await idAt(w, at, 'readme'), await idAt(w, at, 'b'), await idAt(w, at, 'c')]
  const reader = readerOf(w)
  const first = await reader.read(spaceId, id)
  assert.match(first.html, /Words of the note/)
  assert.match(first.html, new RegExp(`href="${spaceHref(spaceId)}/c"`))
  assert.equal(reader.count(), 1)

  await edit(w, at, { operation: 'update_page', page: b, document: { markdown: '# Page b\n\nOther words.' } })
  assert.equal(await reader.read(spaceId, id), first)
  assert.equal(reader.count(), 1)

  await edit(w, at, { operation: 'update_page', page: c, slug: 'moved' })
  const second = await reader.read(spaceId, id)
  assert.match(second.html, new RegExp(`href="${spaceHref(spaceId)}/moved"`))
  assert.equal(reader.count(), 2)

  const { reusableContents } = (await w.call('GET', `/spaces/${spaceId}/content`)).body
  await edit(w, at, {
    operation: 'update_reusable_content',
    reusableContent: reusableContents[0].id,
    document: { markdown: 'Newer words.' },
  })
  assert.match((await reader.read(spaceId, id)).html, /Newer words/)
})

test('a page beyond what one may cost is shown as its text with a sentence, and is not tried for each reader', async () => {
  const spaceId = await spaceWith(w, { 'README.md': `# Start\n\n${'$$x^2$$ '.repeat(2_000)}` })
  const id = await idAt(w, liveAt(spaceId), 'readme')
  const compute = createCompute({ millisecondsMax: 1 })
  after(() => compute.end())
  const reader = readerOf(w, compute)
  const { html } = await reader.read(spaceId, id)
  assert.match(html, /^<p class="too-long">This page is too large or too complex/)
  assert.match(html, /<pre>[\s\S]*\$\$x\^2\$\$/)
  assert.equal((await reader.read(spaceId, id)).html, html)
  assert.equal(reader.count(), 1)
})
