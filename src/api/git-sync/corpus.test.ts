// Real documentation, whole: each page of two repositories comes back as the bytes of its file, in the order that
// SUMMARY.md states. SUMMARY.md is read here line by line, not by the parser that the import uses.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { testEngine } from '../../../test/support/database.ts'
import { file, flattenPages, importWorld, type Json } from '../../../test/support/imports.ts'
import { changesOfFolder } from '../../../test/support/repositories.ts'

const CORPUS = join(import.meta.dirname, '../../../../shared/corpus')
const isThere = existsSync(CORPUS)
const world = await importWorld()

type Line = { depth: number; title: string; target: string }

/** The entries of a SUMMARY.md as it is written by its tools: one a line, two spaces a level, groups as headings. */
function readLines(summary: string): Line[] {
  let below = 0
  return summary.split(/\r?\n/).flatMap(line => {
    const [, group] = /^## (.*?)(?: <a .*)?$/.exec(line) ?? []
    if (group !== undefined) {
      below = 1
      return [{ depth: 0, title: group, target: '' }]
    }
    const [, indent = '', title, target] = /^( *)\* \[(.*)\]\(([^)]*)\)$/.exec(line) ?? []
    return title === undefined || target === undefined
      ? []
      : [{ depth: below + indent.length / 2, title, target }]
  })
}

const linesOf = (pages: readonly Json[], depth = 0): Line[] =>
  pages.flatMap(page => [
    { depth, title: page.title, target: page.git?.path ?? page.href ?? '' },
    ...linesOf(page.pages ?? [], depth + 1),
  ])

const withoutEscapes = (title: string) =>
  title
    .replace(/\\([^\w\s])/g, '$1')
    .replaceAll('&#x20;', ' ')
    .trim()

for (const [name, engine] of [
  ['beefree-sdk-docs', 'embedded'],
  ['dify-docs-zh', 'postgres'],
] as const) {
  const folder = join(CORPUS, name)
  const options = isThere
    ? {
        skip:
          testEngine !== engine && 'what is kept of a repository is asked for the same way on every engine',
      }
    : { skip: 'the corpus is not on this machine' }

  test(
    `${name}: tree, bytes and files come back as they are, go out as no commit, and one more commit touches one page`,
    options,
    async () => {
      const repository = await world.repository(changesOfFolder(folder))
      const space = await world.createSpace()
      const operation = await world.import(space, repository)
      assert.equal(operation.state, 'success', operation.error)
      assert.deepEqual(
        operation.problems.map(({ code }: Json) => code),
        ['pages_unlisted'],
      )
      const content = await world.get(`/spaces/${space.id}/content`)
      const expected = readLines(readFileSync(join(folder, 'SUMMARY.md'), 'utf8'))
      assert.ok(expected.length > 150)
      assert.deepEqual(
        linesOf(content.pages),
        expected.map(line => ({ ...line, title: withoutEscapes(line.title) })),
      )

      const pages = flattenPages(content.pages).filter(({ type }) => type === 'document')
      for (const { id, git } of pages) {
        const page = await world.get(`/spaces/${space.id}/content/page/${id}?format=markdown`)
        assert.ok(Buffer.from(page.markdown).equals(readFileSync(join(folder, git.path))), git.path)
      }
      const assets = [...changesOfFolder(folder)].filter(({ path }) =>
        /\.(?:png|jpe?g|gif|yaml)$/.test(String(path)),
      )
      assert.equal(content.files.length, assets.filter(({ path }) => path !== '.gitbook.yaml').length)
      for (const { contentType, size, dimensions, git } of content.files) {
        assert.equal(size, readFileSync(join(folder, git.path)).length, git.path)
        if (git.path.endsWith('.yaml')) continue
        assert.match(contentType, /^image\/(?:png|jpeg|gif)$/, git.path)
        assert.ok(dimensions.width > 0 && dimensions.height > 0, git.path)
      }

      const out = await world.export(space, repository)
      assert.deepEqual([out.state, out.skipped, out.commit], ['success', true, operation.commit], out.error)

      const [, , edited] = pages
      await repository.commit({ changes: [file(edited.git.path, '# Other words\n')] })
      await world.import(space, repository)
      const after = await world.get(`/spaces/${space.id}/content`)
      const changed = flattenPages(after.pages).filter(
        (page, at) =>
          JSON.stringify({ ...page, pages: 0 }) !==
          JSON.stringify({ ...flattenPages(content.pages)[at], pages: 0 }),
      )
      assert.deepEqual(
        changed.map(page => [page.id, page.title]),
        [[edited.id, edited.title]],
      )
      assert.deepEqual(after.files, content.files)
    },
  )
}
