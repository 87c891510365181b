import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createCompute } from './compute.ts'

const compute = createCompute()
after(() => compute.end())

test('what a transaction waits for does not wait behind tasks that ask, of which each may wait for that transaction', async () => {
  const markdown = `[a](b.md)\n\n${'Words.\n\n'.repeat(500)}`
  const answer = Promise.withResolvers<never[]>()
  let asked = 0
  const asking = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map(lane =>
    compute.run(
      'pageDocument',
      lane,
      { markdown, title: undefined },
      {
        references() {
          asked += 1
          return answer.promise
        },
      },
    ),
  )
  const anchors = [{ node: null, cell: null, isOutdated: true }]
  const following = { before: markdown, after: `${markdown}More.`, anchors }
  const followed = await compute.run('followedAnchors', 'a', following)
  assert.deepEqual(followed, { kind: 'done', value: [{ node: null, cell: null, isOutdated: false }] })
  assert.ok(asked < asking.length)
  answer.resolve([])
  await Promise.all(asking)
})

test('what has no answer fails the task that asks, and the next one is carried out', async () => {
  const page = { markdown: `[a](b.md)\n\n${'Words.\n\n'.repeat(500)}`, title: undefined }
  // The type asks for the answer that is left out here.
  const asking = compute.run('pageDocument', 'a', page, {} as never)
  await assert.rejects(asking, /the caller answers what is asked about references/)
  const { kind } = await compute.run('pageDocument', 'a', page, { references: async () => [] })
  assert.equal(kind, 'done')
})
