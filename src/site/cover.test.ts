import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spaceWith } from '../../test/support/pages.ts'
import { world } from '../../test/support/world.ts'

const w = await world()

async function coverOf(frontmatter: string): Promise<string> {
  const page = `---\ncover: https://example.com/cover.png\n${frontmatter}---\n\n# Start\n\nWords.\n`
  const space = await spaceWith(w, { 'README.md': page }, { visibility: 'public' })
  const { payload } = await w.app.inject({ url: `/s/${space}` })
  const cover = /<div class="cover[\s\S]*?<\/div>/.exec(payload)?.[0] ?? ''
  const isAbove = payload.indexOf('class="cover') < payload.indexOf('class="frame')
  return `${isAbove ? 'above' : 'within'} ${cover}`
}

test('a cover has the size, the place and the height that the frontmatter gives it', async () => {
  for (const [frontmatter, pattern] of [
    ['', /^within <div class="cover cover-hero"><img class="focus-50" [^>]*fetchpriority="high"></],
    ['layout:\n  cover:\n    visible: true\n    size: hero\n', /^within <div class="cover cover-hero">/],
    ['layout:\n  cover:\n    visible: true\n    size: full\n', /^above <div class="cover cover-full">/],
    ['layout:\n  cover:\n    size: Full\n', /^above <div class="cover cover-full">/],
    ['layout:\n  cover:\n    size: huge\n', /^within <div class="cover cover-hero">/],
    ['coverY: -250\n', /class="focus-100"/],
    ['coverY: 250\n', /class="focus-0"/],
    ['coverHeight: 320\n', /<div class="cover cover-hero cover-sized"><img [^>]* height="320">/],
    ['coverHeight: 9000\n', /<div class="cover cover-hero"><img/],
  ] as const)
    assert.match(await coverOf(frontmatter), pattern, frontmatter)
  assert.doesNotMatch(await coverOf('layout:\n  cover:\n    visible: false\n    size: full\n'), /<div/)
})
