import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FairQueue } from './fair-queue.ts'

const partyOf = (name: string) => {
  const [organization = '', person = ''] = name.split('/')
  return { organization, person }
}
const queueOf = (...names: string[]) => {
  const queue = new FairQueue<string>()
  for (const name of names) queue.add(partyOf(name), name)
  return queue
}
const takeAll = (queue: FairQueue<string>, mayHaveTurn?: (organization: string) => boolean) => {
  const taken: string[] = []
  for (let next = queue.take(mayHaveTurn); next !== undefined; next = queue.take(mayHaveTurn))
    taken.push(next.item)
  return taken
}

test('organizations have turns one after the other, however much one of them asks for', () => {
  assert.deepEqual(takeAll(queueOf('a/1', 'a/1', 'a/1', 'b/1', 'c/1', 'b/1')), [
    ...['a/1', 'b/1', 'c/1'],
    ...['a/1', 'b/1'],
    'a/1',
  ])
})

test('the turns of an organization go to its people one after the other', () => {
  assert.deepEqual(takeAll(queueOf('a/1', 'a/1', 'a/2', 'b/9', 'a/3')), [
    ...['a/1', 'b/9'],
    ...['a/2', 'a/3', 'a/1'],
  ])
})

test('many people of one organization have one turn of a round', () => {
  const people = Array.from({ length: 5 }, (_, n) => `a/${n}`)
  assert.deepEqual(takeAll(queueOf(...people, 'b/1')).indexOf('b/1'), 1)
})

test('who asks again after each turn does not overtake who waits', () => {
  const queue = queueOf('a/1', 'b/1')
  queue.take()
  queue.add(partyOf('a/1'), 'a/1 again')
  assert.deepEqual(takeAll(queue), ['b/1', 'a/1 again'])
})

test('what an organization asks for after its turn does not go before the first of another one', () => {
  const queue = queueOf('a/1')
  assert.equal(queue.take()?.item, 'a/1')
  queue.add(partyOf('a/1'), 'a/1 again')
  queue.add(partyOf('b/1'), 'b/1')
  assert.deepEqual(takeAll(queue), ['b/1', 'a/1 again'])
})

test('a stream of organizations that had no turn does not keep one that had its turn from the next', () => {
  const queue = queueOf('a/1', 'b/1')
  queue.take()
  queue.add(partyOf('a/1'), 'a/1 again')
  let turns = 0
  for (let item = queue.take()?.item; item !== 'a/1 again'; item = queue.take()?.item) {
    turns += 1
    queue.add(partyOf(`new ${turns}/1`), 'other')
    queue.add(partyOf(`newer ${turns}/1`), 'other')
    assert.ok(turns <= 200)
  }
})

test('an organization that may have no turn keeps its place', () => {
  const queue = queueOf('a/1', 'b/1', 'a/2')
  assert.deepEqual(
    takeAll(queue, organization => organization !== 'a'),
    ['b/1'],
  )
  assert.equal(queue.size, 2)
  assert.deepEqual(takeAll(queue), ['a/1', 'a/2'])
})

test('what no longer waits is removed, and counted no longer', () => {
  const queue = queueOf('a/1', 'a/2')
  assert.equal(queue.countOf(partyOf('a/1')), 1)
  assert.equal(queue.remove(partyOf('a/1'), 'a/1'), true)
  assert.equal(queue.remove(partyOf('a/1'), 'a/1'), false)
  assert.deepEqual([queue.size, queue.countOf(partyOf('a/1'))], [1, 0])
  assert.equal(queue.countOfOrganization('a'), 1)
  assert.deepEqual(queue.drain(), ['a/2'])
  assert.deepEqual([queue.size, queue.take()], [0, undefined])
})

test('who may have no turn is passed over, and so is an organization without anybody else', () => {
  const queue = queueOf('a/1', 'a/1', 'a/2', 'b/1')
  const next = () => queue.take(undefined, ({ person }) => person !== '1')?.item
  assert.deepEqual([next(), next(), queue.size], ['a/2', undefined, 3])
})

test('the newest of the person with most, in the organization with most, is known', () => {
  assert.equal(queueOf().newestOfMost(), undefined)
  const queue = new FairQueue<string>()
  for (const name of ['b/1', 'b/1', 'a/1', 'a/2', 'a/3', 'c/1'])
    queue.add(partyOf(name), `${name} ${queue.size}`)
  assert.deepEqual(queue.newestOfMost(), { party: partyOf('a/3'), item: 'a/3 4' })
  queue.add(partyOf('a/2'), 'newest')
  queue.add(partyOf('a/4'), 'last')
  assert.deepEqual(queue.newestOfMost(), { party: partyOf('a/2'), item: 'newest' })
  assert.equal(queue.size, 8)
})
