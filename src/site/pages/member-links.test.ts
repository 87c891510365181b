import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spaceWith } from '../../../test/support/pages.ts'
import { cookieOf } from '../../../test/support/sessions.ts'
import { type PersonName, world } from '../../../test/support/world.ts'

const w = await world()
const space = await spaceWith(w, { 'README.md': '# Start\n', 'a.md': '# A\n' }, { visibility: 'public' })

async function read(path: string, as: PersonName | null = 'read') {
  const headers = as === null ? {} : { cookie: await cookieOf(w, as) }
  const { statusCode, payload, headers: answered } = await w.app.inject({ url: path, headers })
  return { status: statusCode, text: payload, location: String(answered.location) }
}

test('members find change requests and history in the workspace from every page, and whoever may write, the page', async () => {
  for (const path of ['', '/a'])
    for (const as of ['read', 'edit'] as const) {
      const { text } = await read(`/s/${space}${path}`, as)
      assert.ok(text.includes(`href="/w/s/${space}/c"`))
      assert.ok(text.includes(`href="/w/s/${space}/history"`))
      assert.equal(text.includes(`href="/w/s/${space}/p/`), as === 'edit')
    }
})

test('to visitors of a public space no way to the workspace or to print is there', async () => {
  for (const as of [null, 'stranger'] as const) {
    assert.equal((await read(`/s/${space}/~/print`, as)).status, 404)
    const { status, text } = await read(`/s/${space}`, as)
    assert.equal(status, 200)
    assert.ok(!text.includes(`/w/s/${space}`) && !text.includes('~/changes') && !text.includes('~/print'))
  }
})

test('members print a page, or the space, from every page', async () => {
  const { text } = await read(`/s/${space}/a`)
  const [page, whole] = [...text.matchAll(/href="([^"]*~\/print[^"]*)"/g)].map(([, href = '']) => href)
  const onlyA = await read((await read(page ?? '')).location)
  assert.deepEqual([onlyA.status, /<h1 class="print-heading"[^>]*>(.*?)</.exec(onlyA.text)?.[1]], [200, 'A'])
  const all = await read((await read(whole ?? '')).location)
  assert.equal(all.text.match(/class="print-heading"/g)?.length, 2)
  assert.equal((await read(`/s/${space}/~/print?page=none`)).status, 404)
})
