// Texts of sections that are kept: by what they are, and not by when they were read.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { spaceWith } from '../../../test/support/pages.ts'
import { world } from '../../../test/support/world.ts'
import { createSectionTexts, sectionKey } from './texts.ts'

const w = await world()

/** A document of a section, and the way to its text. */
async function documentOf(word: string) {
  const markdown = `# ${word}\n\nAbout ${word}.\n`
  await spaceWith(w, { 'one.md': markdown })
  const document = createHash('sha256').update(markdown).digest('hex')
  return { document, ordinal: 0 }
}

const remove = ({ document }: { document: string }) =>
  sql`delete from sections where document_hash = ${Buffer.from(document, 'hex')}`.execute(w.services.db)

test('a text that was read is not asked for again', async () => {
  const [kept, other] = [await documentOf('quokka'), await documentOf('wombat')]
  const texts = createSectionTexts(w.services.db, 1024 * 1024)
  const before = await texts.read([kept])
  assert.equal(before.get(sectionKey(kept))?.body, 'About quokka.')
  await remove(kept)
  const both = await texts.read([kept, other])
  assert.deepEqual(both.get(sectionKey(kept)), before.get(sectionKey(kept)))
  assert.equal(both.get(sectionKey(other))?.body, 'About wombat.')
})

test('beyond its bound the text that was shown least recently is read anew', async () => {
  const [first, second] = [await documentOf('bilby'), await documentOf('dingo')]
  const texts = createSectionTexts(w.services.db, 400)
  await texts.read([first])
  await texts.read([second])
  await remove(first)
  await remove(second)
  assert.deepEqual([...(await texts.read([first, second])).keys()], [sectionKey(second)])
})

test('what is not there is not kept as absent', async () => {
  const texts = createSectionTexts(w.services.db, 1024 * 1024)
  const markdown = '# Numbat\n\nAbout numbat.\n'
  const at = { document: createHash('sha256').update(markdown).digest('hex'), ordinal: 0 }
  assert.equal((await texts.read([at])).size, 0)
  await spaceWith(w, { 'one.md': markdown })
  assert.equal((await texts.read([at])).size, 1)
})
