import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertLinear } from '../../../test/support/growth.ts'
import { paragraphsBelowFrontmatter } from './merge.arbitrary.ts'
import type { BlockConflict } from './merge-conflicts.ts'
import { mergeDocuments } from './merge-documents.ts'
import type { Versions } from './versions.ts'

const head = (yaml: string): string => `---\n${yaml}---\n\n`
const TEXT = 'Rain falls on the quiet town.\n'

function merged(base: string, ours: string, theirs: string, take?: keyof Versions) {
  const conflicts: BlockConflict[] = []
  const text = mergeDocuments({ base, ours, theirs }, paragraphsBelowFrontmatter, conflict => {
    conflicts.push(conflict)
    return take === undefined ? undefined : conflict[take]
  })
  return { text, conflicts }
}

/** Merges the frontmatter of one page without conflict, and the same whichever side is ours. */
function mergesTo(base: string, ours: string, theirs: string, result: string): void {
  const [b, o, t] = [base, ours, theirs].map(yaml => head(yaml) + TEXT) as [string, string, string]
  assert.deepEqual(merged(b, o, t), { text: head(result) + TEXT, conflicts: [] })
  assert.deepEqual(merged(b, t, o), { text: head(result) + TEXT, conflicts: [] })
}

function conflictOf(base: string, ours: string, theirs: string): BlockConflict {
  const { conflicts } = merged(head(base) + TEXT, head(ours) + TEXT, head(theirs) + TEXT)
  assert.equal(conflicts.length, 1, JSON.stringify(conflicts))
  return conflicts[0] as BlockConflict
}

describe('the merge of frontmatter', () => {
  it('takes changes of neighbouring keys', () => {
    mergesTo(
      'title: One\nicon: sun\ntags: [a]\n',
      'title: Two\nicon: sun\ntags: [a]\n',
      'title: One\nicon: moon\ntags: [b]\n',
      'title: Two\nicon: moon\ntags: [b]\n',
    )
  })

  it('keeps all of two keys that were added, and one that both added', () => {
    mergesTo(
      'title: One\n',
      'title: One\nicon: sun\n',
      'title: One\nhidden: true\n',
      'title: One\nhidden: true\nicon: sun\n',
    )
    mergesTo('title: One\n', 'icon: sun\ntitle: One\n', 'title: One\nicon: sun\n', 'icon: sun\ntitle: One\n')
  })

  it('removes a key beside one that the other side changed', () => {
    mergesTo('title: One\nicon: sun\n', 'icon: sun\n', 'title: One\nicon: moon\n', 'icon: moon\n')
  })

  it('takes along the comments above a key, and keeps quotes, order and blank lines', () => {
    mergesTo(
      '# Generated\n\n"title": \'One\'   # shown\n\n# Drawn by us\nicon: sun\nhidden: false\n',
      '# Generated\n\n"title": \'One\'   # shown\n\nhidden: false\n',
      '# Generated\n\n"title": "Two"\n\n# Drawn by us\nicon: sun\nhidden: true\n',
      '# Generated\n\n"title": "Two"\n\nhidden: true\n',
    )
  })

  it('merges the lines within one key, and takes the whole value where they meet', () => {
    const layout = (width: string, title: boolean, toc: boolean): string =>
      `layout:\n  width: ${width}\n  title:\n    visible: ${title}\n  outline:\n    visible: ${toc}\nicon: sun\n`
    mergesTo(
      layout('default', true, true),
      layout('wide', true, true),
      layout('default', true, false),
      layout('wide', true, false),
    )
    const { ours, theirs } = conflictOf(
      layout('default', true, true),
      layout('wide', true, true),
      layout('full', true, false),
    )
    assert.match(String(ours), /^layout:\n {2}width: wide\n[\s\S]*visible: true$/)
    assert.match(String(theirs), /^layout:\n {2}width: full\n[\s\S]*visible: false$/)
  })

  it('reports a key that both gave another value, and keeps the other changes', () => {
    const { text, conflicts } = merged(
      head('title: One\nicon: sun\n') + TEXT,
      head('title: Two\nicon: sun\n') + TEXT,
      head('title: Three\nicon: moon\n') + TEXT,
    )
    assert.equal(text, head('title: Two\nicon: moon\n') + TEXT)
    assert.deepEqual(conflicts, [
      { block: 'frontmatter.title', base: 'title: One', ours: 'title: Two', theirs: 'title: Three' },
    ])
  })

  it('reports a key that one removed and the other changed, and one that both added with another value', () => {
    assert.deepEqual(conflictOf('title: One\nicon: sun\n', 'icon: sun\n', 'title: Two\nicon: sun\n'), {
      ...{ block: 'frontmatter.title', base: 'title: One', ours: null, theirs: 'title: Two' },
    })
    assert.deepEqual(conflictOf('title: One\n', 'icon: sun\ntitle: One\n', 'title: One\nicon: moon\n'), {
      ...{ block: 'frontmatter.icon', base: null, ours: 'icon: sun', theirs: 'icon: moon' },
    })
  })

  it('gives a side its key to the byte where that side is taken', () => {
    const base = head('title: One\nicon: sun\n') + TEXT
    const sides = [
      [head('icon: sun\n') + TEXT, head('title: "Two"  # new\nicon: sun\n') + TEXT],
      [head('size: 1\ntitle: One\nicon: sun\n') + TEXT, head('title: One\nicon: sun\nsize: 2\n') + TEXT],
      [TEXT, head('title: Two\nicon: moon\n') + TEXT],
    ] as const
    for (const [ours, theirs] of sides) {
      assert.equal(merged(base, ours, theirs, 'ours').text, ours)
      assert.equal(merged(base, ours, theirs, 'theirs').text, theirs)
      assert.equal(merged(base, ours, theirs, 'base').text, base)
    }
  })

  it('takes no frontmatter for an empty one', () => {
    const [sun, hidden] = [head('icon: sun\n') + TEXT, head('hidden: true\n') + TEXT]
    assert.deepEqual(merged(TEXT, sun, hidden), {
      text: head('hidden: true\nicon: sun\n') + TEXT,
      conflicts: [],
    })
    const both = head('title: One\nicon: sun\n') + TEXT
    assert.deepEqual(merged(both, TEXT, sun), { text: TEXT, conflicts: [] })
    assert.deepEqual(merged(both, TEXT, head('title: One\nicon: sun\nhidden: true\n') + TEXT), {
      text: hidden,
      conflicts: [],
    })
  })

  it('merges the text below at the same time', () => {
    const { text, conflicts } = merged(
      `${head('title: One\nicon: sun\n')}${TEXT}\nSnow covers mountains.\n`,
      `${head('title: Two\nicon: sun\n')}${TEXT}\nSnow covers mountains. Ours.\n`,
      `${head('title: One\nicon: moon\n')}Theirs. ${TEXT}\nSnow covers mountains.\n`,
    )
    assert.equal(text, `${head('title: Two\nicon: moon\n')}Theirs. ${TEXT}\nSnow covers mountains. Ours.\n`)
    assert.deepEqual(conflicts, [])
  })

  it('merges by lines what is no plain map of unique keys', () => {
    for (const line of [
      'title: One', // twice
      '- item',
      '{ a: 1 }',
      '? long',
      'anchor: &name 1',
      'alias: *name',
      'open: "text',
      '"escaped\\n": 1',
      'words',
      'flow: [1,',
    ]) {
      const yaml = (title: string, icon: string): string =>
        line === '- item'
          ? `${line}\ntitle: ${title}\nicon: ${icon}\n`
          : `title: ${title}\nicon: ${icon}\n${line}\n`
      const [b, o, t] = [yaml('One', 'sun'), yaml('Two', 'sun'), yaml('One', 'moon')]
      const { conflicts } = merged(head(b) + TEXT, head(o) + TEXT, head(t) + TEXT)
      assert.deepEqual(
        conflicts.map(({ block }) => block),
        ['yaml'],
        line,
      )
    }
  })

  it('loses no blank lines at the end of a value that keeps them', () => {
    for (const value of [
      '|+\n  Two',
      '>+\n  Two',
      '|2+\n  Two',
      '>+2 # shown\n  Two',
      '!!str |+\n  Two',
      '\n  - |+\n    Two',
    ]) {
      const ours = `title: ${value}\n\n\nicon: sun\n`
      const conflict = conflictOf('title: One\nicon: sun\n', ours, 'icon: sun\ntitle: One\n')
      assert.equal(conflict.block, 'yaml', value)
      assert.match(String(conflict.ours), /Two\n\n/, value)
    }
  })

  it('takes changes of a key beside a block of text that ends in one line break', () => {
    for (const header of ['|', '>-', '|2'])
      mergesTo(
        `title: ${header}\n  One\nicon: sun\n`,
        `title: ${header}\n  Two\nicon: sun\n`,
        `title: ${header}\n  One\nicon: moon\n`,
        `title: ${header}\n  Two\nicon: moon\n`,
      )
  })

  it('merges comments that both changed by lines', () => {
    const yaml = (comment: string, icon: string): string => `# ${comment}\n\ntitle: One\nicon: ${icon}\n`
    const { conflicts } = merged(
      head(yaml('A', 'sun')) + TEXT,
      head(yaml('B', 'moon')) + TEXT,
      head(yaml('C', 'sun')) + TEXT,
    )
    assert.deepEqual(
      conflicts.map(({ block }) => block),
      ['yaml'],
    )
  })

  it('is linear in the keys, the comments and the lines of a value', async () => {
    const shapes: Record<string, (n: number) => [string, string, string]> = {
      keys: n => {
        const yaml = (word: string, m: number): string =>
          Array.from({ length: n / 10 }, (_, i) => `key${i}: ${i % 3 === m ? word : 'a'}\n`).join('')
        return [yaml('a', 0), yaml('b', 1), yaml('c', 2)]
      },
      comments: n => {
        const yaml = (word: string): string => `${'# same\n\n'.repeat(n / 8)}title: ${word}\n`
        return [yaml('a'), yaml('b'), yaml('c')]
      },
      lines: n => {
        const yaml = (word: string): string => `list:\n${'# a\n  - b\n'.repeat(n / 10)}title: ${word}\n`
        return [yaml('a'), yaml('b'), yaml('c')]
      },
      punctuation: n => {
        const yaml = (word: string): string => `title: ${word}${', : - '.repeat(n / 6)}\n`
        return [yaml('a'), yaml('b'), yaml('c')]
      },
    }
    for (const [name, shape] of Object.entries(shapes))
      await assertLinear(
        name,
        ([b, o, t]) => {
          merged(head(b) + TEXT, head(o) + TEXT, head(t) + TEXT)
        },
        shape,
        100_000,
      )
  })
})
