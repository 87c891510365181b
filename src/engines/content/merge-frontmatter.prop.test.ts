import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parse } from 'yaml'
import { tried } from '../../../test/support/property-runs.ts'
import { paragraphsBelowFrontmatter } from './merge.arbitrary.ts'
import type { BlockConflict } from './merge-conflicts.ts'
import { mergeDocuments } from './merge-documents.ts'
import type { Versions } from './versions.ts'

const BODY = '\nRain falls on the quiet town.\n'

/** One key as it is written: comments above it, a quoted or plain name, a value of one line. */
type Written = { readonly name: string; readonly source: string }

const written = (): fc.Arbitrary<Written> =>
  fc
    .record({
      name: fc.constantFrom('title', 'icon', 'hidden', 'layout', 'tags', 'cover'),
      quote: fc.constantFrom('', '"', "'"),
      comment: fc.constantFrom('', '', '# words\n', '# more\n# words\n'),
      blank: fc.constantFrom('', '', '\n'),
      value: fc.constantFrom(
        ' 1',
        ' two',
        ' "t: 3"  # why',
        ' [4, 5]',
        '\n  - 6',
        '\n- 7',
        '\n  a: 8',
        ' |\n  9',
      ),
    })
    .map(({ name, quote, comment, blank, value }) => ({
      name,
      source: `${blank}${comment}${quote}${name}${quote}:${value}\n`,
    }))

const map = (): fc.Arbitrary<readonly Written[]> =>
  fc.uniqueArray(written(), { maxLength: 6, selector: ({ name }) => name })

const textOf = (keys: readonly Written[] | null): string =>
  keys === null ? BODY.trimStart() : `---\n${keys.map(({ source }) => source).join('')}---\n${BODY}`

/** A base, and two sides that set, remove and move keys of it. */
const versions = (): fc.Arbitrary<Versions<readonly Written[] | null>> => {
  const step = fc.record({
    key: written(),
    kind: fc.constantFrom('set', 'set', 'remove', 'move'),
    at: fc.nat(6),
  })
  const steps = fc.array(step, { maxLength: 3 })
  const apply = (keys: readonly Written[], list: readonly { key: Written; kind: string; at: number }[]) => {
    const made = [...keys]
    for (const { key, kind, at } of list) {
      const place = made.findIndex(({ name }) => name === key.name)
      if (kind === 'set' && place !== -1) made[place] = key
      else if (kind === 'set') made.splice(at, 0, key)
      else {
        const [moved] = place === -1 ? [] : made.splice(place, 1)
        if (moved !== undefined && kind === 'move') made.splice(at, 0, moved)
      }
    }
    return made
  }
  const orNone = (keys: readonly Written[]) => (keys.length === 0 ? null : keys)
  return fc
    .tuple(map(), steps, steps)
    .map(([base, a, b]) => ({ base, ours: apply(base, a), theirs: apply(base, b) }))
    .map(({ base, ours, theirs }) => ({ base: orNone(base), ours: orNone(ours), theirs: orNone(theirs) }))
}

function merged({ base, ours, theirs }: Versions, take?: keyof Versions) {
  const conflicts: BlockConflict[] = []
  const text = mergeDocuments({ base, ours, theirs }, paragraphsBelowFrontmatter, conflict => {
    conflicts.push(conflict)
    return take === undefined ? undefined : conflict[take]
  })
  return { text, conflicts }
}

const dataOf = (text: string): Record<string, unknown> =>
  text.startsWith('---\n') ? (parse(text.slice(4, text.lastIndexOf('\n---\n') + 1)) ?? {}) : {}

const dense = (text: string): string => text.replace(/\n+/g, '\n')

const bare = (keys: readonly Written[] | null, name: string): string | undefined =>
  keys?.find(key => key.name === name)?.source.trim()

const law = (
  name: string,
  check: (keys: Versions<readonly Written[] | null>, texts: Versions) => void,
): void => {
  it(name, () => {
    fc.assert(
      fc.property(versions(), keys => {
        check(keys, { base: textOf(keys.base), ours: textOf(keys.ours), theirs: textOf(keys.theirs) })
      }),
      tried(300),
    )
  })
}

describe('the merge of frontmatter', () => {
  law('takes each key from the side that changed it, or reports it', (keys, texts) => {
    const { text, conflicts } = merged(texts)
    const told = new Set(conflicts.map(({ block }) => block))
    const names = new Set(Object.values(keys).flatMap(list => (list ?? []).map(({ name }) => name)))
    for (const name of names) {
      const [b, o, t] = [bare(keys.base, name), bare(keys.ours, name), bare(keys.theirs, name)]
      const isDisputed = o !== b && t !== b && o !== t
      const isTold = told.has(`frontmatter.${name}`)
      // The lines within a key may go together.
      if (isDisputed && !isTold) {
        assert.ok(
          [b, o, t].some(source => source?.includes('\n')),
          name,
        )
        for (const line of [o, t].flatMap(source => source?.split('\n') ?? []))
          assert.ok(b?.split('\n').includes(line) || text.includes(`${line}\n`), line)
        continue
      }
      assert.equal(isTold, isDisputed, name)
      const expected = isDisputed || t === b ? o : t
      if (expected !== undefined) assert.ok(text.includes(`${expected}\n`), `${name}: ${expected}`)
      assert.equal(Object.hasOwn(dataOf(text), name), expected !== undefined, name)
    }
    assert.equal(conflicts.length, told.size)
    assert.ok(text.endsWith(BODY.trimStart()))
  })

  law('says the same whichever side is ours', (_, texts) => {
    const there = merged(texts)
    const back = merged({ ...texts, ours: texts.theirs, theirs: texts.ours })
    assert.deepEqual(
      there.conflicts,
      back.conflicts.map(({ ours, theirs, ...rest }) => ({ ...rest, ours: theirs, theirs: ours })),
    )
    if (there.conflicts.length === 0) assert.equal(there.text, back.text)
  })

  law('changes nothing where a side is merged again', (_, texts) => {
    const { text, conflicts } = merged(texts)
    if (conflicts.length > 0) return
    for (const side of [texts.ours, texts.theirs])
      assert.deepEqual(merged({ base: side, ours: text, theirs: side }), { text, conflicts: [] })
    assert.deepEqual(dataOf(merged({ ...texts, ours: text }).text), dataOf(text))
  })

  for (const take of ['ours', 'theirs'] as const)
    law(`gives every key of ${take} where it is taken and the other changed nothing else`, (keys, texts) => {
      const { text, conflicts } = merged(texts, take)
      for (const { block } of conflicts) {
        const source = bare(keys[take], block.slice('frontmatter.'.length))
        if (source !== undefined) assert.ok(text.includes(`${source}\n`))
      }
      // White space never conflicts.
      if (merged(texts, 'base').text === texts.base) assert.equal(dense(text), dense(texts[take]))
    })
})
