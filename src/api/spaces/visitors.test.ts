import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publishFiles, spaceWith } from '../../../test/support/pages.ts'
import { world } from '../../../test/support/world.ts'
import { allows, MEMBER_ROLES } from '../../access/policy.ts'
import type { UserPrincipal } from '../../access/principal.ts'
import { roleOnSpace } from '../../access/roles.ts'
import { listSpaces, visibleSpaces } from './rows.ts'
import { VISIBILITIES } from './schema.ts'

const w = await world()
const { db } = w.services

const RULES = {
  type: 'rules',
  rules: [{ rule: 'require_specific_reviewers', users: [w.people.admin.id] }],
}

test('who visits an open space is told nothing of how it is kept', async () => {
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

test('what can be listed is what can be seen: SQL and function agree on every role, level and visibility', async () => {
  const spaces: string[] = []
  for (const visibility of VISIBILITIES) {
    for (const level of [...MEMBER_ROLES, 'none', 'inherit'] as const) {
      const { id } = await w.createSpace()
      await w.services.transaction(trx =>
        trx.updateTable('spaces').set({ visibility, default_level: level }).where('id', '=', id).execute(),
      )
      spaces.push(id)
    }
  }
  const rows = await db.selectFrom('spaces').selectAll().where('id', 'in', spaces).execute()
  for (const role of [...MEMBER_ROLES, null, undefined]) {
    const memberships = new Map(role === undefined ? [] : [[w.organizationId, role]])
    const principal = { kind: 'user', memberships } as unknown as UserPrincipal
    const seen = rows.filter(row => allows('space', 'view', roleOnSpace(principal, row))).map(row => row.id)
    if (role !== undefined) {
      const { items, count } = await listSpaces(db, w.organizationId, principal, { limit: 1000 })
      const listed = items.map(item => item.id).filter(id => spaces.includes(id))
      assert.deepEqual(listed.sort(), seen.sort(), `${role}`)
      assert.equal(count, items.length)
    }
    const found = (await visibleSpaces(db, principal).execute()).map(row => row.id)
    // Whoever knows the address of an unlisted space may read it; nobody finds it who has no role on it.
    const findable = rows
      .filter(row => seen.includes(row.id))
      .filter(row => row.visibility !== 'unlisted' || roleOnSpace(principal, row) !== 'visitor')
      .map(row => row.id)
    assert.deepEqual(found.filter(id => spaces.includes(id)).sort(), findable.sort(), `home of ${role}`)
  }
})
