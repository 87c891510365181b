// What must conflict, over the Markdown of the real engine: what two people wrote against each other is never passed over,
// and each of them can be taken to the byte.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { BlockConflict } from '../../src/engines/content/merge-conflicts.ts'
import { mergeDocuments } from '../../src/engines/content/merge-documents.ts'
import type { Versions } from '../../src/engines/content/versions.ts'
import { blocks } from '../../src/engines/markdown/page/page.ts'
import { tried } from '../support/property-runs.ts'

const RUNS = tried(30)
type Side = keyof Versions

function merged(versions: Versions, take?: Side): { text: string; conflicts: BlockConflict[] } {
  const conflicts: BlockConflict[] = []
  const text = mergeDocuments(versions, blocks, conflict => {
    conflicts.push(conflict)
    return take === undefined ? undefined : conflict[take]
  })
  return { text, conflicts }
}

const turned = ({ base, ours, theirs }: Versions): Versions => ({ base, ours: theirs, theirs: ours })

// Words of their own, so that what is alike is so on purpose.
const word = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnop'), minLength: 3, maxLength: 7 })
// One that differs by a letter is the same block, edited, so names are too long to be alike by chance.
const name = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnop'), minLength: 8, maxLength: 12 })
const sentence = fc.array(word, { minLength: 1, maxLength: 9 }).map(words => words.join(' '))
const lines = (begin: (n: number) => string, end = '') =>
  fc
    .array(sentence, { minLength: 1, maxLength: 4 })
    .map(texts => texts.map((text, n) => begin(n) + text + end).join('\n'))

/** One block of every kind that people write; a number and a picture have hardly a word. */
const block = fc.oneof(
  sentence,
  lines(() => ''),
  sentence.map(text => `## ${text}`),
  lines(() => '* '),
  lines(n => `${n + 1}. `),
  lines(() => '- [ ] '),
  lines(() => '> '),
  lines(() => '').map(text => `\`\`\`js\n${text}\n\n${text}\n\`\`\``),
  lines(() => '| ', ' | x |').map(rows => `| a | b |\n| --- | --- |\n${rows}`),
  name.map(picture => `![](img/${picture}.png)`),
  name.map(file => `{% include "../includes/${file}.md" %}`),
  sentence.map(text => `{% hint style="info" %}\n${text}\n{% endhint %}`),
  fc.nat(9999).map(String),
  fc
    .array(fc.constantFrom(...'编辑文档应用节点变量模型知识'), { minLength: 2, maxLength: 12 })
    .map(signs => signs.join('')),
)
const one = block.map(text => [text])
const run = fc.array(block, { minLength: 1, maxLength: 3 })

const page = (...parts: readonly (readonly string[])[]): string => `${parts.flat().join('\n\n')}\n`
const [BEFORE, AFTER] = [
  ['# Alpha and omega', 'Unmoved mover of the first part.'],
  ['## Zeta', 'Quiet last words.'],
]
const around = (blocks: readonly string[]): string => page(BEFORE, blocks, AFTER)

/** How texts are saved: with which line ends, with a mark, with an end of the last line. */
const frame = fc.record({ isCarried: fc.boolean(), isMarked: fc.boolean(), isEnded: fc.boolean() })
type Frame = { isCarried: boolean; isMarked: boolean; isEnded: boolean }
function framed(text: string, { isCarried, isMarked, isEnded }: Frame): string {
  const cut = isEnded ? text : text.slice(0, -1)
  return (isMarked ? '\ufeff' : '') + (isCarried ? cut.replaceAll('\n', '\r\n') : cut)
}

const law = <T>(name: string, arbitrary: fc.Arbitrary<T>, check: (value: T) => void): void => {
  it(name, () => {
    fc.assert(fc.property(arbitrary, check), RUNS)
  })
}

describe('what two people wrote against each other', () => {
  law(
    'conflicts where both replaced one text, and each side can be taken as it is',
    fc
      .tuple(run, run, run)
      .filter(([b, o, t]) => new Set([b, o, t].flat()).size === b.length + o.length + t.length),
    ([b, o, t]) => {
      const versions = { base: around(b), ours: around(o), theirs: around(t) }
      const { conflicts } = merged(versions)
      assert.ok(conflicts.length > 0, JSON.stringify(merged(versions).text))
      assert.ok(conflicts.every(({ ours, theirs }) => ours !== null || theirs !== null))
      for (const side of ['ours', 'theirs', 'base'] as const)
        assert.equal(merged(versions, side).text, versions[side], side)
    },
  )

  law(
    'conflicts where one replaced what the other edited, and neither is reported as empty',
    fc.tuple(fc.array(word, { minLength: 6, maxLength: 12 }), word, run),
    ([words, other, t]) => {
      const base = words.join(' ')
      const ours = [...words.slice(0, -1), `${other}zz`].join(' ')
      fc.pre(!t.some(text => text === base || text === ours))
      const versions = { base: around([base]), ours: around([ours]), theirs: around(t) }
      for (const one of [versions, turned(versions)]) {
        const [conflict, ...more] = merged(one).conflicts
        assert.deepEqual(more, [])
        assert.ok(conflict?.base != null && conflict.ours !== null && conflict.theirs !== null)
        for (const side of ['ours', 'theirs', 'base'] as const)
          assert.equal(merged(one, side).text, one[side])
      }
    },
  )

  law(
    'conflicts where both wrote nearly the same at one place',
    fc.tuple(fc.array(word, { minLength: 4, maxLength: 9 }), fc.nat(1000)),
    ([words, n]) => {
      const text = words.join(' ')
      const versions = {
        base: around([]),
        ours: around([`${text} ${n}`]),
        theirs: around([`${text} ${n + 1}`]),
      }
      const { conflicts } = merged(versions)
      assert.deepEqual(
        conflicts.map(({ base, ours, theirs }) => [base, ours, theirs]),
        [[null, `${text} ${n}`, `${text} ${n + 1}`]],
      )
      for (const side of ['ours', 'theirs', 'base'] as const)
        assert.equal(merged(versions, side).text, versions[side])
    },
  )

  law(
    'conflicts where one wrote into a section that the other deleted',
    fc.tuple(fc.array(sentence, { minLength: 1, maxLength: 4 }), sentence, fc.nat(), fc.boolean()),
    ([section, written, at, isTurned]) => {
      const whole = ['## Section of its own', ...section]
      const place = 1 + (at % whole.length)
      const more = [...whole.slice(0, place), `${written} qq`, ...whole.slice(place)]
      const versions = { base: around(whole), ours: around([]), theirs: around(more) }
      const one = isTurned ? turned(versions) : versions
      assert.equal(merged(one).conflicts.length, 1)
      for (const side of ['ours', 'theirs', 'base'] as const) assert.equal(merged(one, side).text, one[side])
    },
  )

  law(
    'is where one moved it, though the other removed the section from its former place',
    fc.tuple(fc.uniqueArray(sentence, { minLength: 3, maxLength: 6 }), fc.boolean()),
    ([texts, isTurned]) => {
      const [gone = '', ...rest] = texts.map((text, n) => [`## Section number ${n}`, text])
      const versions = {
        base: page(BEFORE, gone as string[], ...rest, AFTER),
        ours: page(BEFORE, ...rest, AFTER),
        theirs: page(BEFORE, ...rest, gone as string[], AFTER),
      }
      const one = isTurned ? turned(versions) : versions
      assert.deepEqual(merged(one), { text: versions.theirs, conflicts: [] })
      assert.deepEqual(merged({ ...one, ours: versions.theirs, theirs: versions.ours }).text, versions.theirs)
    },
  )

  law(
    'stays, both of it and in one order, where it is unlike and at one place',
    fc.tuple(
      fc.array(fc.nat(1e6), { minLength: 3, maxLength: 6 }),
      fc.array(fc.nat(1e6), { minLength: 3, maxLength: 6 }),
    ),
    ([o, t]) => {
      const [ours, theirs] = [o.map(n => `ours${n}`).join(' '), t.map(n => `theirs${n}`).join(' ')]
      const versions = { base: around([]), ours: around([ours]), theirs: around([theirs]) }
      const { text, conflicts } = merged(versions)
      assert.deepEqual(conflicts, [])
      assert.equal(text, around([ours, theirs]))
      assert.equal(merged(turned(versions)).text, text)
    },
  )

  law(
    'is reported alike whichever side is ours, and is no conflict where it was only saved otherwise',
    fc.tuple(run, run, fc.tuple(frame, frame, frame)),
    ([b, o, [first, second, third]]) => {
      const versions = {
        base: framed(around(b), first),
        ours: framed(around(o), second),
        theirs: framed(around(b), third),
      }
      const { text, conflicts } = merged(versions)
      assert.deepEqual(conflicts, [])
      const chosen = Object.fromEntries(
        (Object.keys(first) as (keyof Frame)[]).map(key => [
          key,
          second[key] === first[key] ? third[key] : second[key],
        ]),
      ) as Frame
      assert.equal(text, framed(around(o), chosen))
      assert.equal(merged(turned(versions)).text, text)
    },
  )

  law(
    'is not written twice when a side comes in again upon the old base',
    fc.tuple(fc.array(one, { minLength: 3, maxLength: 5 }), fc.nat(), fc.nat(), one, one),
    ([sections, i, j, o, t]) => {
      // What is there twice may be taken for moved.
      const all = [...sections.flat(), ...o, ...t]
      fc.pre(new Set(all).size === all.length)
      const whole = (parts: readonly (readonly string[])[]): string =>
        page(BEFORE, ...parts.map((part, n) => [`## Part number ${n}`, ...part]), AFTER)
      const write = (at: number, part: string[]): string => whole(sections.with(at % sections.length, part))
      const versions = { base: whole(sections), ours: write(i, o), theirs: write(j, t) }
      const { text, conflicts } = merged(versions)
      fc.pre(conflicts.length === 0)
      for (const side of ['ours', 'theirs'] as const) {
        const again = merged({ base: versions.base, ours: text, theirs: versions[side] })
        assert.deepEqual([again.text, again.conflicts], [text, []])
      }
    },
  )

  law('keeps the laws of a merge for any three documents', fc.tuple(run, run, run), ([b, o, t]) => {
    const versions = { base: page(b), ours: page(o), theirs: page(t) }
    const { base, ours } = versions
    assert.equal(merged({ base, ours, theirs: base }).text, ours)
    assert.equal(merged({ base, ours: base, theirs: ours }).text, ours)
    assert.equal(merged({ base, ours, theirs: ours }).text, ours)
    const [there, back] = [merged(versions), merged(turned(versions))]
    assert.equal(there.conflicts.length, back.conflicts.length)
    if (there.conflicts.length === 0) assert.equal(there.text, back.text)
  })
})
