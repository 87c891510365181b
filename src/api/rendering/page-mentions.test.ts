// People who are named in pages.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idAt, liveAt } from '../../../test/support/edits.ts'
import { spaceWith } from '../../../test/support/pages.ts'
import { world } from '../../../test/support/world.ts'

const w = await world()

test('a person who is named in a page is no broken link: their name is shown as it is written, and a page of that path wins', async () => {
  const { id } = w.people.edit
  const text = `Ask [@Ada](/users/${id}) or [that page](/users/one).`
  const space = await spaceWith(w, {
    'SUMMARY.md': '* [Start](README.md)\n* [One](users/one.md)\n',
    'README.md': `# Start\n\n${text}\n`,
    'users/one.md': '# One\n',
  })
  const page = await idAt(w, liveAt(space), 'readme')
  const { body } = await w.call('GET', `/spaces/${space}/content/page/${page}/html`)
  assert.match(
    body.html,
    new RegExp(`Ask <span class="mention" data-user="${id}">@Ada</span> or <a href="[^"]+"`),
  )
  const preview = await w.call('POST', `/spaces/${space}/content/preview`, {
    body: { markdown: `Ask [@Ada](/users/${id}).`, page },
  })
  assert.deepEqual(preview.body.problems, [])
})
