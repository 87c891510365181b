import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ancestors, mergeBase, type ParentsOf } from './history.ts'

type History = { readonly [id: string]: readonly string[] }

function asked(history: History, answerAll = false) {
  const questions: (readonly string[])[] = []
  const parentsOf: ParentsOf = async ids => {
    questions.push(ids)
    const told = answerAll ? Object.keys(history) : ids.filter(id => id in history)
    return new Map(told.map(id => [id, history[id] as readonly string[]]))
  }
  return { parentsOf, questions }
}

const list = async (history: History, start: string, max?: number): Promise<string[]> => {
  const found: string[] = []
  for await (const id of ancestors(asked(history).parentsOf, start, max)) found.push(id)
  return found
}
const base = (history: History, ours: string, theirs: string, max?: number) =>
  mergeBase(asked(history).parentsOf, ours, theirs, max)

// m1 ← m2 ← m3 ← m4, with a branch c1 ← c2 from m1 that took in m3 as u and went on to c3.
const HISTORY: History = {
  m1: [],
  m2: ['m1'],
  m3: ['m2'],
  m4: ['m3'],
  c1: ['m1'],
  c2: ['c1'],
  u: ['c2', 'm3'],
  c3: ['u'],
}
const chain = (name: string, length: number, from: string): History =>
  Object.fromEntries(Array.from({ length }, (_, i) => [`${name}${i}`, [i === 0 ? from : `${name}${i - 1}`]]))

describe('ancestors', () => {
  it('are told by generation, each once, the revision itself first', async () => {
    assert.deepEqual(await list(HISTORY, 'c3'), ['c3', 'u', 'c2', 'm3', 'c1', 'm2', 'm1'])
    assert.deepEqual(await list(HISTORY, 'm1'), ['m1'])
  })

  it('are bounded', async () => {
    assert.deepEqual(await list(HISTORY, 'c3', 3), ['c3', 'u', 'c2'])
  })
})

describe('the merge base', () => {
  it('is where a branch began, or what it last took in', async () => {
    assert.deepEqual(await base(HISTORY, 'm4', 'c2'), { kind: 'found', base: 'm1' })
    assert.deepEqual(await base(HISTORY, 'm4', 'c3'), { kind: 'found', base: 'm3' })
  })

  it('is the older of two revisions in one line, and either of two that are the same', async () => {
    assert.deepEqual(await base(HISTORY, 'm2', 'm4'), { kind: 'found', base: 'm2' })
    assert.deepEqual(await base(HISTORY, 'c3', 'm2'), { kind: 'found', base: 'm2' })
    assert.deepEqual(await base(HISTORY, 'm4', 'm4'), { kind: 'found', base: 'm4' })
  })

  it('is none for histories that never meet', async () => {
    assert.deepEqual(await base({ a: [], b: [] }, 'a', 'b'), { kind: 'none' })
  })

  it('is never an ancestor of another common ancestor, by however short a way it was met', async () => {
    // `old` is one step from either side, yet `new` is its descendant and common too.
    const shortcut: History = {
      old: [],
      ...chain('x', 20, 'old'),
      new: ['x19'],
      ours: ['old', 'o'],
      o: ['new'],
      theirs: ['old', 't'],
      t: ['new'],
    }
    assert.deepEqual(await base(shortcut, 'ours', 'theirs'), { kind: 'found', base: 'new' })
  })

  it('is too far when the walk is longer than it may be', async () => {
    const far: History = { root: [], ...chain('a', 50, 'root'), ...chain('b', 50, 'root') }
    assert.deepEqual(await base(far, 'a49', 'b49', 60), { kind: 'too_far' })
    assert.deepEqual(await base(far, 'a49', 'b49', 200), { kind: 'found', base: 'root' })
  })

  it('asks once a generation, and not for what it was told already', async () => {
    const long: History = { root: [], ...chain('a', 50, 'root'), ...chain('b', 10, 'root') }
    const stepwise = asked(long)
    await mergeBase(stepwise.parentsOf, 'a49', 'b9')
    assert.ok(stepwise.questions.length <= 52, `${stepwise.questions.length} questions`)
    const generous = asked(long, true)
    await mergeBase(generous.parentsOf, 'a49', 'b9')
    assert.equal(generous.questions.length, 1)
  })

  it('stops where the histories meet, however long they are below', async () => {
    const long: History = { root: [], ...chain('m', 5000, 'root'), ...chain('c', 3, 'm4990') }
    const { parentsOf, questions } = asked(long)
    assert.deepEqual(await mergeBase(parentsOf, 'm4999', 'c2'), { kind: 'found', base: 'm4990' })
    assert.ok(questions.length < 20)
  })

  it('is a best one in any history', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.nat(100), { maxLength: 2 }), { minLength: 2, maxLength: 25, size: 'max' }),
        fc.nat(100),
        fc.nat(100),
        async (seeds, a, b) => {
          const history: History = Object.fromEntries(
            seeds.map((parents, i) => [
              String(i),
              i === 0 ? [] : [...new Set(parents.map(p => String(p % i)))],
            ]),
          )
          const ours = String(a % seeds.length)
          const theirs = String(b % seeds.length)
          const above = async (id: string) => new Set(await list(history, id))
          const [ofOurs, ofTheirs] = [await above(ours), await above(theirs)]
          const common = [...ofOurs].filter(id => ofTheirs.has(id))
          const found = await base(history, ours, theirs)
          if (common.length === 0) {
            assert.deepEqual(found, { kind: 'none' })
            return
          }
          assert.equal(found.kind, 'found')
          if (found.kind !== 'found') return
          assert.ok(common.includes(found.base))
          for (const other of common) {
            assert.ok(other === found.base || !(await above(other)).has(found.base), `${other} is better`)
          }
        },
      ),
    ))
})
