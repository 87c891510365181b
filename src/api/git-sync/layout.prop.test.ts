import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/support/characters.ts'
import { type Files, MemorySpace } from '../../../test/support/memory-source.ts'
import { tried } from '../../../test/support/property-runs.ts'

const NAMES = ['a', 'b', 'c', 'README', 'index', 'Setup', 'x y', 'é']
const WORDS = [
  '# Title',
  '',
  'some words',
  '---',
  'title: T',
  '* item',
  '```',
  '\r',
  '\ufeff',
  '<a id="x"></a>',
]

const path = fc
  .array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 })
  .map(parts => `${parts.join('/')}.md`)
const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 6 }).map(lines => lines.join('\n'))
const target = fc.oneof(
  { weight: 5, arbitrary: path },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'https://example.com',
      'gone.md',
      '../up.md',
      'a.md#part',
      'p.png',
      'a/',
      '',
      '%zz',
    ),
  },
)
const line = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.nat(4), fc.constantFrom('T', 'U', '**b**', ''), target)
      .map(([depth, title, to]) => `${'  '.repeat(depth)}* [${title}](<${to}>)`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '## Group',
      '## Other <a href="#g" id="g"></a>',
      '* words only',
      'text',
      '---',
    ),
  },
)
const summary = fc.option(
  fc.array(line, { minLength: 1, maxLength: 15 }).map(lines => lines.join('\n')),
  { nil: undefined },
)

const repository = fc
  .record({ pages: fc.dictionary(path, text, { minKeys: 1, maxKeys: 12 }), summary, picture: fc.boolean() })
  .map(
    ({ pages, summary, picture }): Files => ({
      ...pages,
      'first.md': '# First',
      ...(summary === undefined ? {} : { 'SUMMARY.md': `* [First](first.md)\n${summary}` }),
      ...(picture
        ? { 'p.png': 'pixels', '.gitbook/includes/a.md': 'included', '.gitbook/vars.yaml': 'v: 1' }
        : {}),
    }),
  )

/** A space without ids, times, and slugs, which last once given. */
function shape(space: MemorySpace): unknown {
  const { pages, files, tree, reusables, variables, summary } = space.content
  const names = new Map<string, string>(
    [...pages].map(([id, page]) => [id, `${page.file ?? ''}|${page.title}`]),
  )
  const describe = (ids: readonly string[]): unknown[] =>
    ids.map(id => {
      const { slug: _s, parent: _p, createdAt: _c, updatedAt: _u, children, target, ...page } = pages.get(id)!
      const to =
        target?.kind === 'page' || target?.kind === 'anchor' ? names.get(target.page ?? '') : target?.kind
      return { ...page, to, children: describe(children) }
    })
  return {
    tree: describe(tree.children),
    files: [...files.values()].map(({ file, blob }) => [file, blob]).sort(),
    reusables: [...reusables.values()].map(({ file, document }) => [file, document]).sort(),
    variables: [...variables],
    summary,
  }
}

test('importing over anything gives what a first import gives, and importing twice changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(repository, { minLength: 1, maxLength: 4 }), async repositories => {
      const space = new MemorySpace()
      for (const files of repositories) {
        const before = new Map(
          [...space.content.pages].flatMap(([id, page]) =>
            page.file === undefined ? [] : [[page.file, id] as const],
          ),
        )
        await space.import(files)
        const fresh = new MemorySpace()
        await fresh.import(files)
        assert.deepEqual(shape(space), shape(fresh))
        for (const [id, { file, type }] of space.content.pages)
          if (file !== undefined && type === 'document' && before.has(file))
            assert.equal(id, before.get(file), file)
        const again = await space.import(files)
        assert.deepEqual([...again.edits.keys()], [])
      }
    }),
    tried(25),
  )
})

test('no SUMMARY.md and no frontmatter, of any characters, breaks an import', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: anyCharacter, maxLength: 300 }),
      fc.string({ unit: anyCharacter, maxLength: 200 }),
      async (summary, matter) => {
        const files = { 'a.md': `---\n${matter}\n---\n# A`, 'SUMMARY.md': `* [A](a.md)\n${summary}` }
        const space = new MemorySpace()
        await space.import(files).catch(error => {
          assert.ok(['summary_empty', 'summary_not_text'].includes(error.code), error)
        })
      },
    ),
    tried(100),
  )
})
