import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { assertLiveRows } from '../../../test/support/live-rows.ts'
import { spaceWith } from '../../../test/support/pages.ts'
import { world } from '../../../test/support/world.ts'

const w = await world()

/** Text that no compression makes shorter, so that indexes see all of it. */
function noise(characters: number, seed = ''): string {
  let text = ''
  for (let at = 0; text.length < characters; at += 1)
    text += createHash('sha256').update(`${seed}${at}`).digest('hex')
  return text.slice(0, characters)
}

/** Han characters: three bytes each. */
const han = (characters: number, seed: string): string =>
  [...noise(characters * 3, seed).matchAll(/.../g)]
    .map(([hex]) => String.fromCodePoint(0x4e00 + Number.parseInt(hex, 16)))
    .join('')

test('links of any length are kept', async () => {
  for (const characters of [2400, 2490, 3000, 9000]) {
    const id = await spaceWith(w, {
      'README.md': `# A\n\n[x](${noise(characters)}.md) [y](#${noise(characters)})\n`,
    })
    await assertLiveRows(w.services, id)
  }
})

test('files and pages may have the longest paths there are', async () => {
  const folders = Array.from({ length: 15 }, (_, level) => han(80, `${level}`))
  const file = `${folders.join('/')}/page.md`
  const id = await spaceWith(w, { 'README.md': `# A\n\n[deep](${file})\n`, [file]: '# Deep\n' })
  await assertLiveRows(w.services, id)
  const files: Record<string, string> = { 'SUMMARY.md': '# Table of contents\n\n' }
  for (let level = 0; level < 30; level += 1) {
    const name = `${han(75, `slug ${level}`)}.md`
    files[name] = '# x\n'
    files['SUMMARY.md'] += `${'  '.repeat(level)}* [p${level}](${name})\n`
  }
  const nested = await spaceWith(w, files)
  await assertLiveRows(w.services, nested)
})
