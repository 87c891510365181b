// Many who ask for the same at once cost one computation, whatever they ask it for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { spaceWith } from '../../test/support/pages.ts'
import { world } from '../../test/support/world.ts'
import { type Compute, createCompute } from '../compute/compute.ts'
import type { AsksReferences } from '../compute/page-document.ts'
import { buildServer } from './server.ts'

const w = await world()
const callers = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4']
const filler = 'Some words that fill a page.\n\n'.repeat(60)
const files = {
  'SUMMARY.md': '* [Start](README.md)\n',
  'README.md': `# Start\n\n[Here](README.md)\n\n${filler}`,
}
const space = await spaceWith(w, files)
const { body: content } = await w.call('GET', `/spaces/${space}/content`)
const [page] = content.pages
const { body: print } = await w.call('GET', `/spaces/${space}/pdf`)
const authorization = `Bearer ${w.people.admin.token}`

const requests = {
  'comments on one block': {
    method: 'POST',
    url: `/v1/spaces/${space}/comments`,
    headers: { authorization },
    payload: { body: { markdown: 'Here?' }, page: page.id, node: 'none' },
  },
  'a print view': { url: String(print.url).replace('http://octavo.test/pdf/', '/print/') },
} as const

/** A compute whose threads are all busy until released, and a count of its expensive calls. */
function held() {
  const compute = createCompute()
  const { promise, resolve } = Promise.withResolvers<never[]>()
  const markdown = `[a](b.md)\n\n${filler}`
  const holding = Array.from({ length: 9 }, (_, n) =>
    compute.run('pageDocument', `lane ${n}`, { markdown, title: undefined }, { references: () => promise }),
  )
  const asked = { count: 0 }
  const run: Compute['run'] = (name, lane, input, ...rest) => {
    asked.count += 1
    return compute.run(name, lane, input, ...rest)
  }
  const release = async () => {
    resolve([])
    await Promise.all(holding)
  }
  return { compute: { ...compute, run }, asked, release, holding: holding.length }
}

test('many who ask at once for comments on one block or for a print view cost one computation of each', async () => {
  const { compute, asked, release, holding } = held()
  const app = buildServer({ ...w.services, compute })
  const kinds = Object.values(requests)
  const answers = kinds.flatMap(request =>
    callers.map(remoteAddress => app.inject({ ...request, remoteAddress })),
  )
  while (asked.count < answers.length) await turn()
  await release()
  const statuses = (await Promise.all(answers)).map(({ statusCode }) => statusCode)
  assert.deepEqual([...new Set(statuses)], [400, 200])
  assert.equal(compute.counts().tasks.done, holding + kinds.length)
  await app.close()
})

test('what was too costly is not tried again', async () => {
  const compute = createCompute({ millisecondsMax: 0 })
  const input = { markdown: filler.repeat(100) }
  for (const _ of [1, 2, 3]) assert.equal((await compute.run('pageLinks', 'a', input)).kind, 'beyond')
  assert.equal(compute.counts().tasks.beyondTime, 1)
  await compute.end()
})

test('a task that asks nothing is carried out once, and one that asks, once for each of what its answers depend on', async () => {
  const { compute, release, holding } = held()
  const links = [1, 2, 3].map(() => compute.run('pageLinks', 'a', { markdown: filler }))
  const input = { markdown: `[a](b.md)\n\n${filler}`, title: undefined }
  const [first, second] = [{ root: 1 }, { root: 2 }]
  const answers: AsksReferences = { references: async destinations => destinations.map(() => undefined) }
  const runs = [[first], [second], [first], undefined, undefined].map(given =>
    compute.run('pageDocument', 'a', input, answers, given),
  )
  await release()
  await Promise.all([...runs, ...links])
  assert.equal(compute.counts().tasks.done, holding + 4 + 1)
  await compute.end()
})
