import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openBeside, openTestDatabase, testEngine } from '../../../test/support/database.ts'
import { spaceWith } from '../../../test/support/pages.ts'
import { world } from '../../../test/support/world.ts'

const PAGES = {
  'SUMMARY.md': '* [Antrag](antrag.md)\n* [Urlaub](urlaub.md)\n* [Other](other.md)\n',
  'antrag.md': '# Freigabe\n\nÄnderungsanträge werden geprüft, bevor sie gelten.\n',
  'urlaub.md': '# Urlaub\n\nAnträge auf Urlaub stellt man der Verwaltung.\n',
  'other.md': '# Fast food\n\nNothing of this is found.\n',
}

async function scene() {
  const w = await world()
  const space = await spaceWith(w, PAGES)
  await w.call('PATCH', `/spaces/${space}`, { body: { language: 'de' } })
  const change = (...operations: object[]) =>
    w.call('PUT', `/orgs/${w.organizationId}/translations-glossary`, { body: { operations } })
  const titles = async (query: string, where = `/spaces/${space}/search`) => {
    const { body } = await w.call('GET', `${where}?query=${encodeURIComponent(query)}`)
    // biome-ignore lint/suspicious/noExplicitAny: items of the two searches
    return body.items.flatMap((item: any) => (item.pages ?? [item]).map((page: any) => page.title))
  }
  return { w, space, change, titles }
}

test('a term finds pages with its translation as soon as it is in the glossary', async () => {
  const { w, change, titles } = await scene()
  const everywhere = `/orgs/${w.organizationId}/search`
  assert.deepEqual(await titles('change requests'), [])
  await change({ type: 'insert', translations: { en: 'change request', de: 'Änderungsantrag' } })
  assert.deepEqual(await titles('change requests'), ['Antrag'])
  assert.deepEqual(await titles('change requests', everywhere), ['Antrag'])
  const { body } = await w.call('GET', `/orgs/${w.organizationId}/translations-glossary`)
  await change({ type: 'delete', id: body.items[0].id })
  assert.deepEqual(await titles('change requests'), [])
  assert.deepEqual(await titles('change requests', everywhere), [])
})

test('a glossary applies to its organization only', async () => {
  const { titles } = await scene()
  const other = await scene()
  await other.change({ type: 'insert', translations: { en: 'change request', de: 'Änderungsantrag' } })
  assert.deepEqual(await titles('change request'), [])
})

test('a change to a glossary by another process applies from the next search on', {
  skip: testEngine === 'embedded' && 'nobody else writes to an embedded database',
}, async () => {
  const { w, change, titles } = await scene()
  await change({ type: 'insert', translations: { en: 'change request', de: 'Änderungsantrag' } })
  assert.deepEqual(await titles('change requests'), ['Antrag'])
  const another = await openBeside(await openTestDatabase())
  await another.transaction(async trx => {
    await trx.deleteFrom('glossary_entries').where('organization_id', '=', w.organizationId).execute()
    await sql`update glossaries set version = version + 1 where organization_id = ${w.organizationId}`.execute(
      trx,
    )
  })
  assert.deepEqual(await titles('change requests'), [])
  await another.close()
})
