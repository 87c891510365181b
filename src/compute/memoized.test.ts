import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unavailable } from '../base/errors.ts'
import type { Compute } from './compute.ts'
import { createCompute } from './compute.ts'
import { memoizeTexts } from './memoized.ts'

/** Counts what is carried out; throws `failing` times first. */
function counting({ failing = 0 } = {}): { readonly compute: Compute; readonly carriedOut: string[] } {
  const carriedOut: string[] = []
  const compute = createCompute()
  return {
    carriedOut,
    compute: {
      ...compute,
      async run(name, ...rest) {
        carriedOut.push(name)
        if (carriedOut.length <= failing) throw unavailable('busy', 'Too much else.')
        return compute.run(name, ...rest)
      },
    },
  }
}

const markdown = '# A\n\n[b](c.md)\n'

test('a task over one text is carried out once, and each text and each task by itself', async () => {
  const { compute, carriedOut } = counting()
  const memoizing = memoizeTexts(compute)
  const links = () => memoizing.run('destinations', 'space', { markdown })
  const found = { kind: 'done', value: [{ kind: 'link', destination: 'c.md' }] }
  assert.deepEqual(await Promise.all([links(), links()]), [found, found])
  await links()
  assert.deepEqual(carriedOut, ['destinations'])
  await memoizing.run('pageLinks', 'space', { markdown })
  await memoizing.run('destinations', 'space', { markdown: 'Another.' })
  assert.deepEqual(carriedOut, ['destinations', 'pageLinks', 'destinations'])
})

test('a task that is about more than one text is carried out each time', async () => {
  const { compute, carriedOut } = counting()
  const memoizing = memoizeTexts(compute)
  for (const [before, after] of [
    ['A', 'B'],
    ['A', 'C'],
  ] as const)
    await memoizing.run('retitle', 'space', { markdown, before, after })
  assert.deepEqual(carriedOut, ['retitle', 'retitle'])
})

test('a task that was refused is tried again', async () => {
  const { compute } = counting({ failing: 1 })
  const memoizing = memoizeTexts(compute)
  const links = () => memoizing.run('destinations', 'space', { markdown })
  await assert.rejects(links())
  assert.equal((await links()).kind, 'done')
})
