import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeRequestWith } from '../../../test/support/change-requests.ts'
import { spaceWith } from '../../../test/support/pages.ts'
import { cookieOf } from '../../../test/support/sessions.ts'
import { type PersonName, world } from '../../../test/support/world.ts'

const w = await world()
const space = await spaceWith(w, { 'README.md': '# Start\n', 'a.md': '# A\n' }, { visibility: 'public' })
const propose = async (subject: string, status?: string) => {
  const made = await changeRequestWith(w, space, { 'README.md': `# Start\n\n${subject}\n` }, { subject })
  if (status !== undefined)
    await w.call('PATCH', `/spaces/${space}/change-requests/${made.id}`, { body: { status } })
}
await propose('A first <draft>')
await propose('Something open', 'open')
await propose('Put away', 'archived')

async function read(path: string, as: PersonName | null = 'read') {
  const headers = as === null ? {} : { cookie: await cookieOf(w, as) }
  const { statusCode, payload, headers: answered } = await w.app.inject({ url: path, headers })
  return { status: statusCode, text: payload, location: String(answered.location) }
}

const subjectsOf = (text: string): string[] =>
  [...text.matchAll(/class="change-title"[^>]*><a href="[^"]*">([^<]*)</g)].map(([, subject = '']) => subject)

test('members find the change requests of a space by their state, from the space and from every page', async () => {
  for (const path of ['', '/a']) {
    const { text } = await read(`/s/${space}${path}`)
    assert.match(text, new RegExp(`href="/w/s/${space}/c"`))
  }
  const listed = async (query: string) => subjectsOf((await read(`/s/${space}/~/changes${query}`)).text)
  assert.deepEqual(await listed(''), ['Something open'])
  assert.deepEqual(await listed('?status=draft'), ['A first &lt;draft&gt;'])
  assert.deepEqual(await listed('?status=archived'), ['Put away'])
  assert.deepEqual(await listed('?status=merged'), [])
  assert.deepEqual((await listed('?status=all')).length, 3)
  assert.deepEqual(await listed('?status=nonsense&status=x'), ['Something open'])
  assert.equal((await read(`/s/${space}/~/changes?page=made-up`)).status, 400)
})

test('to visitors of a public space neither the list nor a way to it or to print is there', async () => {
  for (const as of [null, 'stranger'] as const) {
    assert.equal((await read(`/s/${space}/~/changes`, as)).status, 404)
    assert.equal((await read(`/s/${space}/~/print`, as)).status, 404)
    const { status, text } = await read(`/s/${space}`, as)
    assert.equal(status, 200)
    assert.ok(!text.includes('~/changes') && !text.includes('~/print'))
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
