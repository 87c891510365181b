import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publishFiles, spaceWith } from '../../../test/support/pages.ts'
import { world } from '../../../test/support/world.ts'

const w = await world()

const RULES = {
  type: 'rules',
  rules: [{ rule: 'require_specific_reviewers', users: [w.people.admin.id] }],
}

test('visitors of an open space do not see how it is maintained', async () => {
  const id = await spaceWith(w, { 'README.md': '# Open\n' }, { visibility: 'public' })
  await w.call('PATCH', `/spaces/${id}`, { body: { mergeRules: RULES } })
  await w.services.transaction(trx =>
    trx
      .insertInto('git_links')
      .values({ space_id: id, url: 'https://git.test/secret/docs', repo_name: 'docs', ref: 'main' })
      .onConflict(conflict =>
        conflict.column('space_id').doUpdateSet({ url: 'https://git.test/secret/docs' }),
      )
      .execute(),
  )
  const paths = ['', '/content', '/content/pages', '/content/files']
  for (const path of paths) {
    const { status, text, body } = await w.call('GET', `/spaces/${id}${path}`, { as: 'stranger' })
    assert.equal(status, 200, path)
    assert.ok(!/secret|"git"|gitSync/.test(text), path)
    if (path === '') assert.deepEqual(body.mergeRules, { type: 'inherit' })
  }
  const { body } = await w.call('GET', `/spaces/${id}`, { as: 'read' })
  assert.deepEqual([body.gitSync.url, body.mergeRules], ['https://git.test/secret/docs', RULES])
  for (const as of ['read', 'stranger', 'read'] as const) {
    const { text } = await w.call('GET', `/spaces/${id}/content/pages`, { as })
    assert.equal(text.includes('"git"'), as === 'read', 'answers that are kept belong to one kind of caller')
  }
})

test('a document that readers do not see any more is there for members only', async () => {
  const id = await spaceWith(w, { 'README.md': '# Before\n' }, { visibility: 'public' })
  const page = (await w.call('GET', `/spaces/${id}/content/pages`, { as: 'stranger' })).body.pages[0]
  const read = async (as: 'stranger' | 'read') =>
    (await w.call('GET', `/spaces/${id}/documents/${page.documentId}`, { as })).status
  assert.deepEqual([await read('stranger'), await read('read')], [200, 200])
  await publishFiles(w, id, { 'README.md': '# After\n' })
  assert.deepEqual([await read('read'), await read('stranger')], [200, 404])
})
