// What an operation says of itself for a person: who began it, and problems with their values and pages.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { edit, liveAt } from '../../../test/support/edits.ts'
import { file, flattenPages, importWorld } from '../../../test/support/imports.ts'

const w = await importWorld()

type Problem = { code: string; page?: string; file?: string; values?: object }

const pageAt = async (space: { id: string }, path: string): Promise<string | undefined> => {
  const { pages } = await w.get(`/spaces/${space.id}/content/pages`)
  return flattenPages(pages).find(page => page.git?.path === path)?.id
}

test('a problem has the values of its message and the page that it is about, also after its file is renamed', async () => {
  const space = await w.createSpace()
  const odd = '---\ndescription: [\n---\n\n# Set up\n'
  const repository = await w.repository([file('README.md', '# Home\n'), file('setup.md', odd)])
  const operation = await w.import(space, repository)
  const page = await pageAt(space, 'setup.md')
  const [{ message, ...problem }, ...others] = operation.problems
  assert.ok(page)
  assert.match(message, /^Line 3: /)
  assert.deepEqual(others, [])
  assert.deepEqual(problem, {
    code: 'frontmatter_invalid',
    values: { line: 3, detail: message.slice('Line 3: '.length) },
    file: 'setup.md',
    page,
  })
  await repository.commit({ changes: [{ path: 'setup.md', removed: true }, file('begin.md', odd)] })
  await w.import(space, repository)
  assert.equal(await pageAt(space, 'begin.md'), page)
})

test('a problem of a page that was converted names that page, by the file that it was', async () => {
  const space = await w.createSpace()
  const repository = await w.repository([
    file('docusaurus.config.js', ''),
    file('docs/intro.mdx', '# Intro\n\n<Tweet id="1" />\n'),
  ])
  const operation = await w.import(space, repository, { from: 'docusaurus' })
  const found = operation.problems.find((one: Problem) => one.code === 'not_converted')
  assert.deepEqual(
    [found.values, found.file, found.page],
    [{ reason: 'component', name: 'Tweet' }, 'docs/intro.mdx', await pageAt(space, 'intro.md')],
  )
})

test('an operation that failed on what both sides changed names each page', async () => {
  const space = await w.createSpace()
  const repository = await w.repository([
    file('README.md', '# Home\n'),
    file('setup.md', '# Set up\n\nOld.\n'),
  ])
  await w.import(space, repository)
  const page = await pageAt(space, 'setup.md')
  const document = { markdown: '# Set up\n\nOurs.\n' }
  await edit(w, liveAt(space.id), { operation: 'update_page', page, document })
  await repository.commit({ changes: [file('setup.md', '# Set up\n\nTheirs.\n')] })
  const operation = await w.import(space, repository)
  assert.equal(operation.errorCode, 'import_conflicts')
  assert.deepEqual(
    operation.problems.map(({ message: _, ...problem }: Problem & { message: string }) => problem),
    [{ code: 'changed_on_both', values: { name: 'Set up' }, page, file: 'setup.md' }],
  )
})

test('an operation says who began it, and of which repository, without user and password', async () => {
  const space = await w.createSpace()
  const repository = await w.repository([file('README.md', '# Home\n')])
  const operation = await w.import(space, repository, {}, { as: 'create' })
  assert.equal(operation.createdBy.id, w.people.create.id)
  assert.equal(operation.url, `${w.host.url}/${repository.name}`)
  const { body } = await w.call('GET', `/spaces/${space.id}/git/operations`)
  assert.deepEqual(body.items[0].createdBy, operation.createdBy)
})

test('every problem and failure that the guide lists has a sentence in the workspace', () => {
  const guide = readFileSync(new URL('../../../docs/import.md', import.meta.url), 'utf8')
  const listed = (title: string): string[] => {
    const [, table = ''] = guide.split(`<summary>${title}</summary>`)
    const rows = (table.split('</details>')[0] ?? '').split('\n').filter(line => line.startsWith('| `'))
    return rows.flatMap(row =>
      [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, code = '']) => code),
    )
  }
  const texts = JSON.parse(readFileSync(new URL('../../web/messages/new.en.json', import.meta.url), 'utf8'))
  const said = (group: string) =>
    Object.keys(texts[group]).map(key => key.replace(/(?:-.*|_(?:one|other))$/, ''))
  const problems = listed('Codes of problems').filter(code => code !== 'yaml_')
  const failures = listed('Codes of failures')
  assert.ok(problems.length > 20 && failures.length > 20)
  assert.deepEqual(
    problems.filter(code => !said('problem').includes(code)),
    [],
  )
  assert.deepEqual(
    failures.filter(code => !said('git').includes(code)),
    [],
  )
})
