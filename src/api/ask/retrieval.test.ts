// How many of the found sections are read for an answer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spaceWith } from '../../../test/support/pages.ts'
import { world } from '../../../test/support/world.ts'

test('the one section with the answer is quoted, though a dozen sections about the same things rank before it', async () => {
  const w = await world()
  const echoes = Array.from(
    { length: 13 },
    (_, at) => `## Quokka gadget widgets ${at}\n\nQuokka gadget widgets of the quokka gadget are widgets.\n`,
  )
  await spaceWith(w, {
    'SUMMARY.md': '* [Parts](parts.md)\n',
    'parts.md': `# Parts\n\n${echoes.join('\n')}\n## Bounds\n\n${'Nothing else is told here. '.repeat(8)}A quokka gadget has at most 74 widgets.\n`,
  })
  const { body } = await w.call('POST', `/orgs/${w.organizationId}/ask`, {
    body: { query: 'How many widgets does a quokka gadget have?' },
  })
  assert.match(body.answer.answer.markdown, /at most 74 widgets/)
})
