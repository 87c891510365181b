// Blocks that name a private specification, in everything that readers are shown of a page.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { proposeFiles } from '../../../../test/support/change-requests.ts'
import { publishFiles, spaceWith } from '../../../../test/support/pages.ts'
import { readPdfPages } from '../../../../test/support/pdf.ts'
import { blockOf, keepPrivate, SECRET } from '../../../../test/support/private-specification.ts'
import { cookieOf } from '../../../../test/support/sessions.ts'
import { type PersonName, world } from '../../../../test/support/world.ts'

const w = await world()
const ADDRESS = 'https://api.example.com/private.json'
before(async () => {
  await keepPrivate(w, 'private')
  await w.services.db
    .updateTable('openapi_specs')
    .set({ source_url: ADDRESS, source_body: null })
    .where('organization_id', '=', w.organizationId)
    .execute()
})

const START = { 'README.md': '# Start\n\nWords.\n' }
/** By slug, by address, and in a reusable content that the page includes. */
const NAMING: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'by slug': { 'README.md': `# Start\n\n${blockOf('private')}` },
  'by address': {
    'README.md': `# Start\n\n{% openapi src="${ADDRESS}" path="/wages" method="get" %}\n[words](https://example.com)\n{% endopenapi %}\n`,
  },
  'in an include': {
    'README.md': '# Start\n\n{% include ".gitbook/includes/wages.md" %}\n',
    '.gitbook/includes/wages.md': `---\ntitle: Wages\n---\n\n${blockOf('private')}`,
  },
}

const inject = async (url: string, person: PersonName | null) =>
  w.app.inject({ url, headers: person === null ? {} : { cookie: await cookieOf(w, person) } })

const read = async (url: string, person: PersonName | null): Promise<string> => {
  const { statusCode, payload } = await inject(url, person)
  assert.equal(statusCode, 200, url)
  return payload
}

const printed = async (path: string, as: PersonName): Promise<{ print: string; pdf: string }> => {
  const url: string = (await w.call('GET', `${path}/pdf`, { as })).body.url.replace('http://octavo.test', '')
  const file = await inject(url, null)
  assert.equal(file.statusCode, 200)
  return {
    print: await read(url.replace('/pdf/', '/print/'), null),
    pdf: readPdfPages(file.rawPayload).join(' '),
  }
}

/** Which answers about the head have the secret word. */
async function shownAtHead(space: string, person: PersonName | null): Promise<boolean[]> {
  const at = `/s/${space}`
  const texts = [
    await read(at, person),
    await read(`${at}/readme.md`, person),
    await read(`${at}/llms-full.txt`, person),
  ]
  if (person === 'admin') texts.push(...Object.values(await printed(`/spaces/${space}`, person)))
  return texts.map(text => text.includes(SECRET))
}

for (const [how, files] of Object.entries(NAMING)) {
  test(`in a change request of a guest, a specification named ${how} is shown to those who may see it`, async () => {
    const space = await spaceWith(w, START, { visibility: 'public' })
    const entry = `/spaces/${space}/permissions/users/${w.people.guest.id}`
    await w.call('PATCH', entry, { body: { role: 'edit' } })
    const { body: made } = await w.call('POST', `/spaces/${space}/change-requests`, { as: 'guest', body: {} })
    await proposeFiles(w, made.id, files, 'guest')
    const at = `/s/${space}/~/changes/${made.number}`
    for (const path of [`${at}/readme`, `${at}/readme.md`]) {
      // At the same time, so that what one reader waits for could reach another.
      const [member, guest] = await Promise.all([read(path, 'read'), read(path, 'guest')])
      assert.ok(member.includes(SECRET), path)
      assert.ok(!guest.includes(SECRET), path)
      assert.ok(!(await read(path, 'guest')).includes(SECRET), path)
      assert.ok((await read(path, 'read')).includes(SECRET), path)
    }
    const ofChange = `/spaces/${space}/change-requests/${made.id}`
    const [own, others] = [await printed(ofChange, 'admin'), await printed(ofChange, 'guest')]
    assert.ok(own.print.includes(SECRET) && own.pdf.includes(SECRET))
    assert.ok(!others.print.includes(SECRET) && !others.pdf.includes(SECRET))
    assert.ok((await printed(ofChange, 'read')).pdf.includes(SECRET))
    const published = async (as: PersonName) =>
      (await w.call('GET', `${ofChange}/mergeability`, { as })).body.publishes.length
    assert.deepEqual([await published('read'), await published('guest')], [1, 0])
    await w.call('POST', `${ofChange}/merge`, { body: {} })
    assert.equal(await published('read'), 0)
    assert.ok((await shownAtHead(space, null)).every(Boolean), 'an admin merged it')
    assert.ok((await read(`${at}/readme`, 'guest')).includes(SECRET), 'the head publishes it')
  })

  test(`at the head, a specification named ${how} by a guest is shown to nobody`, async () => {
    const space = await spaceWith(w, START, { visibility: 'public' })
    await publishFiles(w, space, files, 'guest')
    for (const person of [null, 'guest', 'admin'] as const)
      assert.ok(
        (await shownAtHead(space, person)).every(shown => !shown),
        String(person),
      )
    const before = await inject(`/s/${space}/llms-full.txt`, null)
    await publishFiles(w, space, START)
    await publishFiles(w, space, files)
    assert.ok((await shownAtHead(space, null)).every(Boolean))
    assert.ok((await shownAtHead(space, 'admin')).every(Boolean))
    assert.notEqual((await inject(`/s/${space}/llms-full.txt`, null)).headers.etag, before.headers.etag)
  })
}
