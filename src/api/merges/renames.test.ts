import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spaceWith } from '../../../test/support/pages.ts'
import { world } from '../../../test/support/world.ts'

const w = await world()
const SUMMARY = '* [Start](README.md)\n* [Guide](guide.md)\n'

for (const text of ['# Guide\n\nWords.\n', '---\ntitle: Guide\n---\n\nWords.\n', 'Words.\n'])
  for (const take of ['ours', 'theirs', { value: 'Companion: two' }] as const)
    test(`a page that both renamed is one conflict: ${JSON.stringify(text)}, ${JSON.stringify(take)}`, async () => {
      const id = await spaceWith(w, { 'README.md': '# Start\n', 'SUMMARY.md': SUMMARY, 'guide.md': text })
      const { body: request } = await w.call('POST', `/spaces/${id}/change-requests`)
      const { body: before } = await w.call('GET', `/spaces/${id}/content`)
      const page = before.pages.find(({ title }: { title: string }) => title === 'Guide').id
      const rename = async (path: string, title: string) => {
        const change = { operation: 'update_page', page, title, slug: title.toLowerCase() }
        assert.equal((await w.call('POST', path, { body: { changes: [change] } })).status, 200)
      }
      await rename(`/spaces/${id}/change-requests/${request.id}/content`, 'Handbook')
      await rename(`/spaces/${id}/content`, 'Manual')
      const path = `/spaces/${id}/change-requests/${request.id}/merge`
      const { conflicts } = (await w.call('POST', path)).body
      assert.deepEqual(
        conflicts.map(({ field, ours, theirs }: Record<string, unknown>) => [field, ours, theirs]),
        [['title', 'Manual', 'Handbook']],
      )
      const { body } = await w.call('POST', path, { body: { resolutions: [{ ...conflicts[0], take }] } })
      assert.equal(body.result, 'merge', JSON.stringify(body))
      const title = take === 'ours' ? 'Manual' : take === 'theirs' ? 'Handbook' : take.value
      const { body: after } = await w.call('GET', `/spaces/${id}/content/page/${page}?format=markdown`)
      assert.deepEqual([after.title, after.slug], [title, take === 'theirs' ? 'handbook' : 'manual'])
      assert.doesNotMatch(JSON.stringify(after), take === 'theirs' ? /Manual/ : /Handbook/)
    })
