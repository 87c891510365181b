import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createLookups } from './lookups.ts'

/** A resolver that answers on demand, and the time. */
function resolver() {
  const state = { now: 0 }
  const open = new Map<string, () => void>()
  const asked: string[] = []
  const ask = (host: string) => {
    asked.push(host)
    const { promise, resolve } = Promise.withResolvers<[]>()
    open.set(host, () => resolve([]))
    return promise
  }
  const lookups = createLookups(ask, () => state.now)
  return {
    asked,
    /** Asks for each, and lets what may begin do so. */
    async lookUp(...hosts: string[]) {
      const answers = hosts.map(lookups)
      await setImmediate()
      return { all: Promise.all(answers) }
    },
    async answer(host: string, afterMs: number) {
      state.now += afterMs
      open.get(host)?.()
      await setImmediate()
    },
  }
}

test('two names are looked up at once, and the next when one is answered', async () => {
  const { asked, lookUp, answer } = resolver()
  await lookUp('a', 'b', 'c')
  assert.deepEqual(asked, ['a', 'b'])
  await answer('a', 1)
  assert.deepEqual(asked, ['a', 'b', 'c'])
})

test('names that made others wait are looked up one after the other, beside the rest', async () => {
  const { asked, lookUp, answer } = resolver()
  await lookUp('slow', 'slower')
  await answer('slow', 5_000)
  await answer('slower', 5_000)
  await lookUp('slow', 'slower', 'quick', 'swift')
  assert.deepEqual(asked.slice(2), ['slow', 'quick', 'swift'])
  await answer('slow', 1)
  assert.deepEqual(asked.slice(5), ['slower'])
})

test('a name that is being looked up is asked for once, and again after its answer', async () => {
  const { asked, lookUp, answer } = resolver()
  const { all } = await lookUp('a', 'a')
  await answer('a', 1)
  await all
  await lookUp('a')
  assert.deepEqual(asked, ['a', 'a'])
})

test('a question that fails makes room for the next', async () => {
  const asked: string[] = []
  const lookups = createLookups(async host => {
    asked.push(host)
    throw new Error('no such name')
  })
  const failures = await Promise.allSettled(['a', 'b', 'c', 'd'].map(lookups))
  assert.deepEqual(
    [asked, failures.map(({ status }) => status)],
    [['a', 'b', 'c', 'd'], Array(4).fill('rejected')],
  )
})
