import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { changeRequestWith } from '../../test/support/change-requests.ts'
import { spaceWith } from '../../test/support/pages.ts'
import { createRepository } from '../../test/support/repositories.ts'
import { world } from '../../test/support/world.ts'
import { exportOrganization } from './export-organization.ts'

const w = await world()
const parent = mkdtempSync(join(tmpdir(), 'octavo-organization-'))
after(() => rmSync(parent, { recursive: true, force: true }))
const silent = { emit: () => {}, signal: new AbortController().signal }
const tokens = async () => (await w.services.db.selectFrom('tokens').select('id').execute()).length

test('an organization is git repositories with histories and change requests, and JSON with what people said', async () => {
  const space = await spaceWith(w, { 'README.md': '# Guide\n\nFirst words.\n' }, { title: 'My guide' })
  await changeRequestWith(w, space, { 'README.md': '# Guide\n\nOther words.\n' }, { subject: 'Better words' })
  const { body: comment } = await w.call('POST', `/spaces/${space}/comments`, {
    body: { body: { markdown: 'Is this right?' } },
  })
  await w.call('POST', `/spaces/${space}/comments/${comment.id}/replies`, {
    body: { body: { markdown: 'It is.' } },
  })
  const before = await tokens()
  const folder = join(parent, 'all')
  const options = { folder, organization: w.organizationId }
  const { spaces, problems } = await exportOrganization(w.services, options, silent)
  assert.deepEqual([spaces, problems], [1, []])
  assert.equal(await tokens(), before)
  assert.deepEqual(readdirSync(parent), ['all'])

  const read = (...path: string[]) => JSON.parse(readFileSync(join(folder, ...path), 'utf8'))
  const inSpace = join('spaces', `my-guide-${space}`)
  assert.equal(read('organization.json').id, w.organizationId)
  assert.equal(read('members.json').length, Object.keys(w.people).length - 1)
  assert.equal(read(inSpace, 'space.json').title, 'My guide')
  const [said] = read(inSpace, 'comments.json')
  assert.equal(said.body.markdown.trim(), 'Is this right?')
  assert.equal(said.replies[0].body.markdown.trim(), 'It is.')
  assert.equal(read(inSpace, 'change-requests.json')[0].subject, 'Better words')

  const clone = await createRepository(parent, 'clone.git')
  const repository = join(folder, inSpace, 'repository.git')
  await clone.git(['-c', 'safe.directory=*', 'fetch', '--quiet', repository, '+refs/heads/*:refs/heads/*'])
  const page = async (ref: string) => (await clone.git(['show', `${ref}:README.md`])).toString()
  assert.match(await page('main'), /First words/)
  assert.match(await page('change-requests/1'), /Other words/)
  rmSync(join(parent, 'clone.git'), { recursive: true })
})

test('comments without replies are asked for by the list alone', async () => {
  const own = await world()
  const space = await spaceWith(own, { 'README.md': '# Guide\n' })
  const say = (words: string) =>
    own.call('POST', `/spaces/${space}/comments`, { body: { body: { markdown: words } } })
  const { services } = own
  let asked = 0
  const counting = {
    ...services,
    principals: {
      ...services.principals,
      find: (token: string) => {
        asked += 1
        return services.principals.find(token)
      },
    },
  }
  const requests = async (name: string) => {
    asked = 0
    const options = { folder: join(parent, name), organization: own.organizationId }
    await exportOrganization(counting, options, silent)
    return asked
  }
  await say('One')
  const few = await requests('few')
  assert.ok(few > 1)
  for (const words of ['Two', 'Three', 'Four']) await say(words)
  assert.equal(await requests('more'), few)
  for (const name of ['few', 'more']) rmSync(join(parent, name), { recursive: true })
})

test('a folder that cannot be made is named', async () => {
  const folder = join(parent, 'missing', 'all')
  await assert.rejects(exportOrganization(w.services, { folder, organization: w.organizationId }, silent), {
    code: 'folder_refused',
  })
})

test('a folder that is not empty is left as it is', async () => {
  const folder = join(parent, 'full')
  mkdirSync(folder)
  writeFileSync(join(folder, 'mine.txt'), '')
  const before = await tokens()
  await assert.rejects(exportOrganization(w.services, { folder, organization: w.organizationId }, silent), {
    code: 'folder_not_empty',
  })
  assert.deepEqual(readdirSync(folder), ['mine.txt'])
  assert.equal(await tokens(), before)
})

test('an export that is interrupted leaves nothing', async () => {
  const folder = join(parent, 'none')
  const interrupted = { emit: () => {}, signal: AbortSignal.abort() }
  const before = await tokens()
  await assert.rejects(
    exportOrganization(w.services, { folder, organization: w.organizationId }, interrupted),
  )
  assert.deepEqual(
    readdirSync(parent).filter(name => name.startsWith('none')),
    [],
  )
  assert.equal(await tokens(), before)
})
