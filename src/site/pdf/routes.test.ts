import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { PIXEL, spaceWith } from '../../../test/support/pages.ts'
import { world } from '../../../test/support/world.ts'

const w = await world()
const files = {
  'SUMMARY.md': '* [Start](README.md)\n\n## Guides\n\n* [Setup](setup.md)\n  * [Deeper](deeper.md)\n',
  'README.md': '---\ndescription: Where it begins\n---\n\n# Start\n\nGo to [install](setup.md#install).\n',
  'setup.md': '# Setup\n\n## Install\n\n![A dot](.gitbook/assets/dot.png) [here](#install)\n\n$$\\sqrt{x}$$\n',
  'deeper.md': '# Deeper\n\nBack to [start](README.md), `code`.\n',
  '.gitbook/assets/dot.png': PIXEL,
}
const space = await spaceWith(w, files, { title: 'Handbook' })

const { error: logged } = w.services.log
w.services.log.error = ((...args: unknown[]) => console.log(args)) as typeof logged
test('a space is one PDF file', async () => {
  const { body } = await w.call('GET', `/spaces/${space}/pdf`)
  const answer = await w.app.inject({ url: body.url.replace('http://octavo.test', '') })
  console.log(answer.statusCode, answer.headers, answer.payload.slice(0, 300))
  writeFileSync('/tmp/pdf-t.pdf', answer.rawPayload)
  assert.equal(answer.statusCode, 200)
})
