import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { edit, idAt, liveAt } from '../../../test/support/edits.ts'
import { file, flattenPages, importWorld, PASSWORD } from '../../../test/support/imports.ts'
import type { Change, TestRepository } from '../../../test/support/repositories.ts'
import { exportRepository } from './export.ts'
import { importRepository } from './import.ts'

const world = await importWorld()
type Space = { id: string }

const SUMMARY = `# Table of contents

* [Welcome](README.md)

## Guides

- [Set up](guides/setup.md)
    - [Details](guides/details.md "More")
    - [Support](https://example.com/support)
- [Other](guides/other.md)

<!-- the last group -->
## Reference

- [API](reference/api.md)
`
const SETUP = '# Set up\r\n\r\nFirst  paragraph.  \r\n\r\n* a\r\n\r\n\r\nSecond paragraph.'

const files = (): Change[] => [
  file('SUMMARY.md', SUMMARY),
  file('README.md', '\ufeff# Welcome\r\n\r\nHello.  \r\n'),
  file('guides/setup.md', SETUP),
  file('guides/details.md', '# Details\n'),
  file('guides/other.md', '# Other\n\n\tcode\n'),
  file('reference/api.md', '# API\n'),
  file('unlisted.md', '# Unlisted\n'),
  file('.gitbook/vars.yaml', 'name: x # said\n'),
  file('tools/run.sh', '#!/bin/sh\n'),
  { path: 'guides/latest', linkTo: 'setup.md' },
]

async function imported(changes: Change[]) {
  const space = await world.createSpace()
  const repository = await world.repository(changes)
  const operation = await world.import(space, repository)
  assert.equal(operation.state, 'success', operation.error)
  return { space, repository }
}

const example = await imported(files())
const exampleTip = await example.repository.tip()
const start = () => world.copyOf(example)

async function pageId(space: Space, path: string): Promise<string> {
  const { pages } = await world.get(`/spaces/${space.id}/content/pages`)
  const found = flattenPages(pages).find(page => page.git?.path === path)
  assert.ok(found, path)
  return found.id
}

const output = async (repository: TestRepository, ...args: string[]) =>
  (await repository.git(args)).toString()
const countCommits = async (repository: TestRepository) =>
  Number(await output(repository, 'rev-list', '--count', 'main'))
const changed = async (repository: TestRepository) =>
  (await output(repository, 'diff', '--name-status', '--no-renames', 'main~1', 'main')).trim().split('\n')
/** The lines that the last commit took away and added in a file. */
const lines = async (repository: TestRepository, path: string) =>
  (await output(repository, 'diff', '-U0', 'main~1', 'main', '--', path))
    .split('\n')
    .filter(line => /^[-+](?![-+]{2} )/.test(line))
const text = (repository: TestRepository, path: string) => output(repository, 'show', `main:${path}`)

async function exported(space: Space, repository: TestRepository, body = {}) {
  const operation = await world.export(space, repository, body)
  assert.equal(operation.state, 'success', operation.error)
  return operation
}

/** The repository takes the next push only once it is released, and those after it at once. */
async function holdPush(repository: TestRepository) {
  // Who reads from a pipe waits until somebody writes to it.
  const hold = '[ -e reached ] || { mkfifo go; : > reached; read released < go; }\n'
  await addHook(repository, 'pre-receive', hold)
  return {
    async reached() {
      while (!existsSync(join(repository.directory, 'reached'))) await sleep(10)
    },
    release: () => writeFile(join(repository.directory, 'go'), '\n'),
  }
}

/** An export whose server dies when it has pushed and written nothing down. */
async function dieAfterPush(space: Space, repository: TestRepository): Promise<void> {
  await addHook(repository, 'post-receive', ': > pushed\n')
  const { services } = world
  let hasDied = false
  const transaction: typeof services.transaction = (run, ...rest) => {
    if (hasDied || !existsSync(join(repository.directory, 'pushed')))
      return services.transaction(run, ...rest)
    hasDied = true
    return Promise.reject(new Error('the server died'))
  }
  const { id, email } = world.people.admin
  const body = {
    url: world.host.urlOf(repository.name),
    commitMessage: 'From Octavo',
    ref: 'refs/heads/main',
  }
  await assert.rejects(
    exportRepository({ ...services, transaction }, space.id, { id, email, name: 'Ada' }, body),
  )
  assert.ok(hasDied)
}

async function addHook({ directory }: TestRepository, name: string, script: string) {
  const hook = join(directory, 'hooks', name)
  await mkdir(join(directory, 'hooks'), { recursive: true })
  await writeFile(hook, `#!/bin/sh\n${script}`)
  await chmod(hook, 0o755)
}

test('exporting unchanged content makes no commit', async () => {
  const { space, repository } = example
  const operation = await exported(space, repository)
  assert.equal(operation.direction, 'export')
  assert.equal(operation.skipped, true)
  assert.equal(await repository.tip(), exampleTip)
})

test('a paragraph that was edited changes its own bytes and nothing else', async () => {
  const { space, repository } = await start()
  await edit(world, liveAt(space.id), {
    operation: 'update_page',
    page: await pageId(space, 'guides/setup.md'),
    document: { markdown: SETUP.replace('Second', 'Last') },
  })
  const operation = await exported(space, repository, { commitMessage: 'Say it better\n\nAnd why.' })
  assert.deepEqual(await changed(repository), ['M\tguides/setup.md'])
  assert.equal(await text(repository, 'guides/setup.md'), SETUP.replace('Second', 'Last'))
  const { email, displayName } = await world.get('/user')
  assert.equal(
    (await output(repository, 'log', '-1', '--format=%an <%ae>%n%B', 'main')).trim(),
    `${displayName} <${email}>\nSay it better\n\nAnd why.`,
  )
  assert.equal(await repository.tip(), operation.commit)
  const content = await world.get(`/spaces/${space.id}/content`)
  assert.equal(content.id, operation.revision)
  assert.deepEqual(
    [content.git.oid, content.git.createdByGitBook, content.git.ref],
    [operation.commit, true, 'refs/heads/main'],
  )
})

test('pages that were inserted, renamed, moved and deleted change their own files and lines, variables that were set too', async () => {
  const { space, repository } = await start()
  const at = liveAt(space.id)
  const setup = await pageId(space, 'guides/setup.md')
  await edit(
    world,
    at,
    {
      operation: 'insert_page',
      title: 'New [one]',
      document: { markdown: '# New [one]\n' },
      into: setup,
      at: 1,
    },
    { operation: 'update_page', page: await pageId(space, 'guides/other.md'), title: 'Something else' },
    { operation: 'update_page', page: await pageId(space, 'guides/details.md'), into: null },
    { operation: 'delete_page', page: await pageId(space, 'reference/api.md') },
    { operation: 'update_variables', variables: { name: 'Octavo' } },
  )
  await exported(space, repository)
  assert.equal(
    await text(repository, 'SUMMARY.md'),
    `# Table of contents

* [Welcome](README.md)

## Guides

- [Set up](guides/setup.md)
    - [New \\[one\\]](guides/setup/new-one.md)
    - [Support](https://example.com/support)
- [Something else](guides/other.md)

<!-- the last group -->
## Reference

---

* [Details](guides/details.md "More")
`,
  )
  assert.deepEqual(await changed(repository), [
    'M\t.gitbook/vars.yaml',
    'M\tSUMMARY.md',
    'M\tguides/other.md',
    'A\tguides/setup/new-one.md',
    'D\treference/api.md',
  ])
  assert.deepEqual(await lines(repository, 'guides/other.md'), ['-# Other', '+# Something else'])
  assert.deepEqual(await lines(repository, '.gitbook/vars.yaml'), ['-name: x # said', '+name: Octavo # said'])
  const before = await world.tree(space)
  assert.equal((await exported(space, repository)).skipped, true)
  assert.equal((await world.import(space, repository, { force: true })).state, 'success')
  assert.deepEqual(await world.tree(space), before)
  assert.equal(await countCommits(repository), 2)
})

test('a remote that has moved is imported first, and the commit has the changes of both sides', async () => {
  const { space, repository } = await start()
  await edit(world, liveAt(space.id), {
    operation: 'update_page',
    page: await pageId(space, 'guides/setup.md'),
    document: { markdown: SETUP.replace('Second', 'Last') },
  })
  await repository.commit({ changes: [file('guides/setup.md', SETUP.replace('First', 'Very first'))] })
  await exported(space, repository)
  const both = SETUP.replace('First', 'Very first').replace('Second', 'Last')
  assert.equal(await text(repository, 'guides/setup.md'), both)
  assert.equal(await countCommits(repository), 3)
  const page = await world.get(`/spaces/${space.id}/content/page/${await pageId(space, 'guides/setup.md')}`)
  assert.equal(page.markdown, both)
})

test('where both changed the same, an export fails and names the page; with force the space wins upon the history', async () => {
  const { space, repository } = await start()
  await edit(world, liveAt(space.id), {
    operation: 'update_page',
    page: await pageId(space, 'guides/setup.md'),
    document: { markdown: SETUP.replace('Second', 'Ours') },
  })
  const theirs = await repository.commit({
    changes: [file('guides/setup.md', SETUP.replace('Second', 'Theirs'))],
  })
  const failed = await world.export(space, repository)
  assert.deepEqual([failed.state, failed.errorCode], ['failure', 'import_conflicts'])
  assert.match(failed.error, /"Set up"/)
  assert.equal(await repository.tip(), theirs)
  await exported(space, repository, { force: true })
  assert.equal(await text(repository, 'guides/setup.md'), SETUP.replace('Second', 'Ours'))
  assert.equal((await output(repository, 'rev-parse', 'main~1')).trim(), theirs)
})

test('an empty repository gets everything, and gives it back', async () => {
  const { space } = await start()
  const empty = await world.repository()
  const operation = await exported(space, empty)
  assert.deepEqual(operation.problems, [])
  assert.equal(await text(empty, 'SUMMARY.md'), SUMMARY)
  assert.equal(await text(empty, 'guides/setup.md'), SETUP)
  const other = await world.createSpace()
  assert.equal((await world.import(other, empty)).state, 'success')
  assert.deepEqual(await world.tree(other), await world.tree(space))
})

test('a space that was written here gets a SUMMARY.md, and a branch that is not there is made', async () => {
  const space = await world.createSpace()
  await edit(
    world,
    liveAt(space.id),
    { operation: 'insert_page', title: 'One', document: { markdown: '# One\n' } },
    { operation: 'insert_page', type: 'group', title: 'More', ref: 'more' },
    { operation: 'insert_page', title: 'Two', document: { markdown: '# Two\n' }, into: 'more' },
  )
  const repository = await world.repository([file('code/main.c', 'int main;\n')])
  const main = await repository.tip()
  await exported(space, repository, { ref: 'refs/heads/docs' })
  assert.equal(
    await output(repository, 'show', 'docs:SUMMARY.md'),
    '# Table of contents\n\n* [One](one.md)\n\n## More\n\n* [Two](more/two.md)\n',
  )
  assert.equal(await output(repository, 'show', 'docs:code/main.c'), 'int main;\n')
  assert.equal(await repository.tip(), main)
})

test('files of the repository that the space knows nothing of are not written over without force', async () => {
  const { space, repository } = await start()
  await edit(world, liveAt(space.id), {
    ...{ operation: 'insert_page', title: 'Unlisted', document: { markdown: '# Unlisted\n\nMine.\n' } },
  })
  const failed = await world.export(space, repository)
  assert.deepEqual([failed.state, failed.errorCode], ['failure', 'export_conflicts'])
  assert.match(failed.error, /unlisted\.md/)
  assert.equal(await repository.tip(), exampleTip)
  await exported(space, repository, { force: true })
  assert.equal(await text(repository, 'unlisted.md'), '# Unlisted\n\nMine.\n')
  assert.deepEqual(await changed(repository), ['M\tSUMMARY.md', 'M\tunlisted.md'])
})

test('a page without text is exported as an empty file, and comes back as the same page', async () => {
  const space = await world.createSpace()
  const repository = await world.repository()
  const at = liveAt(space.id)
  await edit(world, at, { operation: 'insert_page', title: 'One', document: {} })
  const id = await idAt(world, at, 'one')
  await exported(space, repository)
  assert.match(await text(repository, 'SUMMARY.md'), /\[One\]\(one\.md\)/)
  assert.equal(await text(repository, 'one.md'), '')
  const find = async () => (await world.call('GET', `${at.path}/content/page/${id}`)).body
  const page = await find()
  await repository.commit({ changes: [file('SUMMARY.md', '# Contents\n\n* [One](one.md)\n')] })
  await world.import(space, repository)
  assert.deepEqual(await find(), page)
  await repository.commit({ changes: [file('SUMMARY.md', '# Contents\n\n* [Two](one.md)\n')] })
  await world.import(space, repository)
  assert.equal(await idAt(world, at, 'one'), id)
})

test('a file in the way of a folder, a folder in the way of a file, and a link in the way are named', async () => {
  const space = await world.createSpace()
  await edit(
    world,
    liveAt(space.id),
    { operation: 'insert_page', title: 'One', document: {}, ref: 'one' },
    { operation: 'insert_page', title: 'Two', document: { markdown: '# Two\n' }, into: 'one', ref: 'two' },
    { operation: 'insert_page', title: 'Three', document: { markdown: '# Three\n' }, into: 'two' },
  )
  const inTheWay: Readonly<Record<string, Change>> = {
    'refs/heads/file': file('one/two', 'no folder\n'),
    'refs/heads/folder': file('one/two.md/inner.txt', 'a folder\n'),
    'refs/heads/link': { path: 'one', linkTo: 'elsewhere' },
  }
  const repository = await world.repository()
  await repository.commits(Object.entries(inTheWay).map(([ref, change]) => ({ ref, changes: [change] })))
  for (const ref of Object.keys(inTheWay)) {
    const before = await repository.tip(ref)
    const failed = await world.export(space, repository, { ref })
    assert.deepEqual([failed.state, failed.errorCode], ['failure', 'export_conflicts'], ref)
    assert.equal(await repository.tip(ref), before)
  }
})

test('documentation below a directory, with a root of its own, goes back there', async () => {
  const space = await world.createSpace()
  const repository = await world.repository([
    file('README.md', 'The code.\n'),
    file('site/.gitbook.yaml', 'root: ./docs/\n\nstructure:\n  summary: toc.md\n'),
    file('site/docs/toc.md', '* [Home](README.md)\n* [A](a.md)\n'),
    file('site/docs/README.md', '# Home\n'),
    file('site/docs/a.md', '# A\n'),
  ])
  await world.import(space, repository, { repoProjectDirectory: 'site' })
  await edit(
    world,
    liveAt(space.id),
    { operation: 'update_page', page: await pageId(space, 'a.md'), title: 'B' },
    { operation: 'insert_page', title: 'C', document: { markdown: '# C\n' } },
  )
  await exported(space, repository, { repoProjectDirectory: 'site' })
  assert.deepEqual(await changed(repository), [
    'M\tsite/docs/a.md',
    'A\tsite/docs/c.md',
    'M\tsite/docs/toc.md',
  ])
  assert.equal(await text(repository, 'site/docs/toc.md'), '* [Home](README.md)\n* [B](a.md)\n* [C](c.md)\n')
})

test('a commit that the host refuses leaves everything as it was, and says why', async () => {
  const { space, repository } = await start()
  await addHook(repository, 'pre-receive', 'echo "main is protected" >&2\nexit 1\n')
  await edit(world, liveAt(space.id), {
    operation: 'update_page',
    page: await pageId(space, 'guides/details.md'),
    document: { markdown: '# Details\n\nMore.\n' },
  })
  const before = (await world.get(`/spaces/${space.id}/content`)).id
  const failed = await world.export(space, repository)
  assert.deepEqual([failed.state, failed.errorCode], ['failure', 'git_push_refused'])
  assert.match(failed.error, /pre-receive hook declined/)
  assert.equal((await world.get(`/spaces/${space.id}/content`)).id, before)
  const wrong = await world.export(space, repository, {
    url: `http://ada:wrong@127.0.0.1:${world.host.port}/${repository.name}`,
  })
  assert.equal(wrong.errorCode, 'git_unauthorized')
  const rows = await world.services.db.selectFrom('git_operations').selectAll().execute()
  const links = await world.services.db.selectFrom('git_links').selectAll().execute()
  const kept = JSON.stringify([rows, links])
  assert.ok(!kept.includes(PASSWORD) && !kept.includes(encodeURIComponent(PASSWORD)))
})

test('what is asked for is checked, and an old event is skipped', async () => {
  const { space, repository } = await start()
  const url = world.host.urlOf(repository.name)
  const refused = await world.call('POST', `/spaces/${space.id}/git/export`, {
    body: { url, ref: 'refs/tags/v1', commitMessage: 'No' },
  })
  assert.equal(refused.status, 400)
  assert.match(refused.body.error.message, /refs\/heads\/main/)
  const unsaid = await world.call('POST', `/spaces/${space.id}/git/export`, {
    body: { url, ref: 'refs/heads/main' },
  })
  assert.equal(unsaid.status, 400)
  await world.import(space, repository, { force: true, timestamp: '2030-01-02T00:00:00Z' })
  const old = await exported(space, repository, { timestamp: '2030-01-01T00:00:00Z' })
  assert.equal(old.skipped, true)
})

test('a repository that was disconnected is known no longer; content and repository stay', async () => {
  const { space, repository } = await start()
  const path = `/spaces/${space.id}/git/legacy-installation`
  assert.equal((await world.call('DELETE', path)).status, 204)
  assert.equal((await world.call('GET', `/spaces/${space.id}/git/info`)).status, 404)
  assert.equal((await world.call('DELETE', path)).status, 204)
  assert.ok(await pageId(space, 'guides/setup.md'))
  assert.equal((await exported(space, repository)).skipped, true, 'it has what the space has')
})

test('a branch that moves while it is written to is read again', async () => {
  const { space, repository } = await start()
  const side = await repository.commit({
    changes: [file('guides/other.md', '# Other\n\nPushed meanwhile.\n')],
    ...{ ref: 'refs/heads/side', onto: exampleTip },
  })
  const move = `[ -e moved ] || { : > moved; git update-ref refs/heads/main ${side}; }\n`
  await addHook(repository, 'update', move)
  await edit(world, liveAt(space.id), {
    operation: 'update_page',
    page: await pageId(space, 'guides/details.md'),
    document: { markdown: '# Details\n\nMore.\n' },
  })
  await exported(space, repository)
  assert.equal((await output(repository, 'rev-parse', 'main~1')).trim(), side)
  assert.deepEqual(await changed(repository), ['M\tguides/details.md'])
  const other = await world.get(`/spaces/${space.id}/content/page/${await pageId(space, 'guides/other.md')}`)
  assert.equal(other.markdown, '# Other\n\nPushed meanwhile.\n')
})

test('a branch that is not there is made, also where nothing differs', async () => {
  const { space, repository } = await start()
  await exported(space, repository, { ref: 'refs/heads/docs' })
  assert.equal(await repository.tip('refs/heads/docs'), await repository.tip())
})

test('a commit that was pushed and never written down, because the server died, comes in without a difference', async () => {
  const { space, repository } = await start()
  const link = () =>
    world.services.db
      .selectFrom('git_tips')
      .select(['commit_oid', 'revision_id'])
      .where('space_id', '=', space.id)
      .executeTakeFirstOrThrow()
  const before = await link()
  const page = await pageId(space, 'guides/setup.md')
  await edit(
    world,
    liveAt(space.id),
    { operation: 'update_page', page, document: { markdown: SETUP.replace('Second', 'Last') } },
    { operation: 'insert_page', title: 'New', document: { markdown: '# New\n' }, at: 1 },
  )
  await exported(space, repository)
  await world.services.db.updateTable('git_tips').set(before).where('space_id', '=', space.id).execute()
  const tree = await world.tree(space)
  const again = await exported(space, repository)
  assert.deepEqual([again.skipped, again.problems], [true, []])
  assert.equal(await countCommits(repository), 2)
  assert.deepEqual(await world.tree(space), tree)
  assert.equal((await link()).commit_oid, again.commit)
})

test('what was pushed when the server died has its pages as an export leaves them, also those without text', async () => {
  const pages = [
    { operation: 'insert_page', title: 'Empty', document: {} },
    { operation: 'insert_page', title: 'Full', document: { markdown: '# Full\n\nWords.\n' } },
  ] as const
  const written = async (end: (space: Space, repository: TestRepository) => Promise<void>) => {
    const { space, repository } = await start()
    await edit(world, liveAt(space.id), ...pages)
    await end(space, repository)
    const tree = await world.tree(space)
    const found = []
    for (const path of ['empty', 'full']) {
      const { body } = await world.call('GET', `/spaces/${space.id}/content/path/${path}`)
      found.push({ ...body, id: '', updatedAt: '', createdAt: '', urls: '', documentId: '' })
    }
    const again = await exported(space, repository)
    assert.deepEqual([again.skipped, again.problems], [true, []])
    assert.deepEqual(await world.tree(space), tree)
    return found
  }
  const undisturbed = await written(async (space, repository) => void (await exported(space, repository)))
  const ways = [
    (space: Space, repository: TestRepository) => exported(space, repository),
    (space: Space, repository: TestRepository) => world.import(space, repository),
  ]
  for (const goOn of ways)
    assert.deepEqual(
      await written(async (space, repository) => {
        await dieAfterPush(space, repository)
        await goOn(space, repository)
      }),
      undisturbed,
    )
})

test('what another branch has does not come in for a branch that is gone', async () => {
  const space = await world.createSpace()
  const repository = await world.repository([file('README.md', '# Code\n')])
  const ref = 'refs/heads/docs'
  await repository.commit({ changes: [file('README.md', '# Home\n'), file('a.md', '# A\n')], ref })
  assert.equal((await world.import(space, repository, { ref })).state, 'success')
  const tree = await world.tree(space)
  await rm(join(repository.directory, ref))
  const failed = await world.export(space, repository, { ref })
  assert.deepEqual([failed.state, failed.errorCode], ['failure', 'export_conflicts'])
  assert.match(failed.error, /README\.md/)
  assert.deepEqual(await world.tree(space), tree)
  await exported(space, repository, { ref, force: true })
  assert.deepEqual(await world.tree(space), tree)
  assert.equal(await output(repository, 'show', 'docs:README.md'), '# Home\n')
})

test('a page that was deleted here and changed there is named', async () => {
  const { space, repository } = await start()
  await repository.commit({ changes: [file('reference/api.md', '# API\n\nMore.\n')] })
  await edit(world, liveAt(space.id), {
    ...{ operation: 'delete_page', page: await pageId(space, 'reference/api.md') },
  })
  const failed = await world.export(space, repository)
  assert.equal(failed.errorCode, 'import_conflicts')
  assert.match(failed.error, /"API"/)
})

test('a space that is disconnected while an export runs stays disconnected, also where it was the first', async () => {
  for (const isFirst of [false, true]) {
    const { space, repository } = await start()
    const path = `/spaces/${space.id}/git/legacy-installation`
    if (isFirst) await world.call('DELETE', path)
    const page = await pageId(space, 'guides/setup.md')
    const document = { markdown: SETUP.replace('Second', 'Exported') }
    await edit(world, liveAt(space.id), { operation: 'update_page', page, document })
    const held = await holdPush(repository)
    const exporting = exported(space, repository, { force: true })
    await held.reached()
    assert.equal((await world.call('DELETE', path)).status, 204)
    await held.release()
    assert.equal((await exporting).state, 'success')
    assert.equal(await text(repository, 'guides/setup.md'), SETUP.replace('Second', 'Exported'))
    assert.equal((await world.call('GET', `/spaces/${space.id}/git/info`)).status, 404)
  }
})

test('a space that is disconnected while its first import runs is not connected by it', async () => {
  const space = await world.createSpace()
  const repository = await world.repository([...files(), file('.gitbook/assets/a.png', 'a picture')])
  const { blobs } = world.services
  const put: typeof blobs.put = async (content, options) => {
    assert.equal((await world.call('DELETE', `/spaces/${space.id}/git/legacy-installation`)).status, 204)
    return blobs.put(content, options)
  }
  const services = Object.assign(Object.create(world.services), {
    blobs: Object.assign(Object.create(blobs), { put }),
  })
  const from = { spaceId: space.id, url: world.host.urlOf(repository.name), createdBy: null }
  assert.equal((await importRepository(services, from)).isChanged, true)
  assert.equal((await world.call('GET', `/spaces/${space.id}/git/info`)).status, 404)
})

test('what is written while an export is under way stays, and goes out with the next one', async () => {
  const { space, repository } = await start()
  const at = liveAt(space.id)
  const page = await pageId(space, 'guides/setup.md')
  const change = (words: string) => ({
    ...{ operation: 'update_page', page, document: { markdown: SETUP.replace('Second', words) } },
  })
  await edit(world, at, change('Exported'), { operation: 'insert_page', title: 'One', document: {} })
  const held = await holdPush(repository)
  const exporting = exported(space, repository)
  await held.reached()
  const one = flattenPages((await world.get(`/spaces/${space.id}/content/pages`)).pages).at(-1)
  await edit(world, at, change('Later'), {
    ...{ operation: 'update_page', page: one.id, title: 'Two' },
  })
  await held.release()
  await exporting
  assert.equal(await text(repository, 'guides/setup.md'), SETUP.replace('Second', 'Exported'))
  assert.match(await text(repository, 'SUMMARY.md'), /\[One\]\(one\.md\)/)
  const tree = await world.tree(space)
  assert.ok(tree.some(line => line.endsWith('| Two')))
  await exported(space, repository)
  assert.equal(await text(repository, 'guides/setup.md'), SETUP.replace('Second', 'Later'))
  assert.deepEqual(await lines(repository, 'SUMMARY.md'), ['-* [One](one.md)', '+* [Two](one.md)'])
  assert.equal((await exported(space, repository)).skipped, true)
  assert.deepEqual(await world.tree(space), tree)
})

test('exports that are asked for at once, with an import between, leave each the newest, and lose nothing', async () => {
  const { space, repository } = await start()
  const page = await pageId(space, 'guides/details.md')
  const url = world.host.urlOf(repository.name)
  const body = { url, ref: 'refs/heads/main', commitMessage: 'At once' }
  const asked = []
  for (const [at, direction] of ['export', 'export', 'import', 'export', 'export'].entries()) {
    await edit(world, liveAt(space.id), {
      ...{ operation: 'update_page', page, document: { markdown: `# Details\n\n${at}\n` } },
    })
    asked.push(await world.call('POST', `/spaces/${space.id}/git/${direction}`, { body }))
  }
  for (const reply of asked) assert.equal((await world.operation(reply)).state, 'success')
  assert.equal(await text(repository, 'guides/details.md'), '# Details\n\n4\n')
  assert.equal((await exported(space, repository)).skipped, true)
})
