// `octavo import`: a folder or a repository becomes a space that can be read, or nothing is left of it.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type GitServer, startGitServer } from '../support/git-server.ts'
import { startedHome } from '../support/home.ts'
import type { Ended, Server } from '../support/process.ts'
import { commandOf, octavo, run, serve, start, temporaryFolder } from '../support/process.ts'
import { changesOfFolder, createRepository } from '../support/repositories.ts'
import { zipOf } from '../support/zip.ts'

const PASSWORD = 'p@ss/word 100%'
const SCRIPT = '/usr/bin/script'

let host: GitServer
let folder = ''

before(async () => {
  folder = join(temporaryFolder(), 'A guide')
  mkdirSync(join(folder, 'how'), { recursive: true })
  writeFileSync(join(folder, 'README.md'), '---\ndescription: The first page\n---\n\n# Welcome\n\nRead on.\n')
  writeFileSync(join(folder, 'how', 'it-works.md'), '# How it works\n\nIt [begins](../README.md).\n')
  writeFileSync(
    join(folder, 'SUMMARY.md'),
    '# Contents\n\n* [Welcome](README.md)\n* [How](how/it-works.md)\n',
  )
  const root = temporaryFolder()
  await (await createRepository(root, 'guide.git')).commit({ changes: changesOfFolder(folder) })
  host = await startGitServer({ root, user: 'ada', password: PASSWORD })
})
after(() => host?.close())

const listSpaces = async (server: Server): Promise<{ id: string; title: string; visibility: string }[]> => {
  const { body: organizations } = await server.call('GET', '/orgs')
  return (await server.call('GET', `/orgs/${organizations.items[0].id}/spaces`)).body.items
}

const titlesOf = async (server: Server) => (await listSpaces(server)).map(({ title }) => title).sort()

/** The space of the address that the command printed. */
async function readImported(server: Server, { code, stdout, stderr }: Ended) {
  assert.equal(code, 0, stderr)
  const [, id] = /^http:\/\/127\.0\.0\.1:\d+\/s\/(\w+)\n$/.exec(stdout) ?? assert.fail(stdout)
  assert.match(stderr, new RegExp(`^space ${id} has 2 pages$`, 'm'))
  const { body } = await server.call('GET', `/spaces/${id}/content/pages`)
  assert.deepEqual(
    body.pages.map((page: { title: string; description?: string }) => [page.title, page.description]),
    [
      ['Welcome', 'The first page'],
      ['How', undefined],
    ],
  )
  return (await listSpaces(server)).find(space => space.id === id)
}

function assertPlain(stderr: string): void {
  assert.match(stderr, /^fetching$/m)
  assert.match(stderr, /^publishing( \d+\/\d+)?$/m)
  assert.doesNotMatch(stderr, /[\r\u001b]/, 'no cursor moves in a pipe')
}

let server: Server
let env: { OCTAVO_HOME: string; OCTAVO_ALLOW_PRIVATE_HOSTS: string }

before(async () => {
  env = { OCTAVO_HOME: await startedHome(), OCTAVO_ALLOW_PRIVATE_HOSTS: '127.0.0.1' }
})

test('without a server: a repository, and nothing of what is interrupted', async () => {
  const imported = await run(['import', host.urlOf('guide.git')], { env })
  assertPlain(imported.stderr)
  await assertInterrupted()
  server = await serve(env.OCTAVO_HOME)
  const space = await readImported(server, imported)
  assert.deepEqual([space?.title, space?.visibility], ['guide', 'private'])
  assert.deepEqual(await titlesOf(server), ['Octavo', 'guide'])
})

describe('with a server', () => {
  test('a folder, relative to the working directory of the operator', async () => {
    const imported = await run(['import', '.', '--public'], { env, cwd: folder })
    assertPlain(imported.stderr)
    const space = await readImported(server, imported)
    assert.deepEqual([space?.title, space?.visibility], ['A guide', 'public'])
    const page = await server.get(new URL(imported.stdout.trim()).pathname)
    assert.equal(page.status, 200)
    assert.match(page.text, /<h1[^>]*>.*Welcome/)
  })

  test('a repository with a password, which is never printed, into an existing space: it keeps its title and ids', async () => {
    const before = (await listSpaces(server)).find(({ title }) => title === 'guide') ?? assert.fail('guide')
    const read = async () => (await server.call('GET', `/spaces/${before.id}/content/pages`)).text
    const pages = await read()
    const imported = await run(['import', host.urlOf('guide.git'), '--space', before.id], { env })
    assert.deepEqual(await readImported(server, imported), before)
    assert.equal(await read(), pages)
    const [operation] = (await server.call('GET', `/spaces/${before.id}/git/operations`)).body.items
    const told = imported.stdout + imported.stderr + server.stdout + server.stderr + JSON.stringify(operation)
    assert.ok(!told.includes('p@ss') && !told.includes(encodeURIComponent(PASSWORD)))
  })

  test('a check of a repository, a folder and an archive is an answer and a status, and imports nothing', async () => {
    const spaces = await titlesOf(server)
    const noticed = temporaryFolder()
    writeFileSync(join(noticed, 'mkdocs.yml'), 'nav:\n  - Home: index.md\n  - gone.md\n')
    mkdirSync(join(noticed, 'docs'))
    writeFileSync(join(noticed, 'docs', 'index.md'), '# Home\n')
    const archive = join(temporaryFolder(), 'guide.zip')
    writeFileSync(archive, zipOf([{ path: 'README.md', text: '# Guide\n' }]))
    const well = { layout: 'gitbook', pages: 2, files: 0, problems: [] }
    for (const [source, report] of [
      [host.urlOf('guide.git'), well],
      [folder, well],
      [archive, { ...well, pages: 1 }],
    ] as const) {
      const { code, stdout } = await run(['import', source, '--check', '--json'], { env })
      assert.deepEqual([code, JSON.parse(stdout)], [0, report], source)
    }
    const inWords = await run(['import', noticed, '--check'], { env })
    assert.deepEqual([inWords.code, inWords.stdout], [1, '1 page, 0 files, layout mkdocs\n'])
    assert.match(inWords.stderr, /^noticed: mkdocs\.yml: “gone\.md” is in “nav” but is not a page\.$/m)
    const asJson = await run(['import', noticed, '--check', '--json'], { env })
    assert.equal(asJson.code, 1)
    const [{ code: problem, file }] = JSON.parse(asJson.stdout).problems
    assert.deepEqual([problem, file], ['not_converted', 'mkdocs.yml'])
    const gone = await run(['import', '/nowhere/at/all', '--check', '--json'], { env })
    assert.deepEqual([gone.code, gone.stdout], [1, ''])
    assert.match(gone.stderr, /There is no folder/)
    const without = await run(['import', folder, '--json'], { env })
    assert.deepEqual([without.code, without.stderr], [1, 'octavo: --json goes with --check.\n'])
    assert.deepEqual(await titlesOf(server), spaces)
  })

  test('one page is counted in the singular', async () => {
    const single = join(temporaryFolder(), 'Single')
    mkdirSync(single)
    writeFileSync(join(single, 'README.md'), '# Welcome\n')
    const { code, stderr } = await run(['import', single], { env })
    assert.equal(code, 0, stderr)
    assert.match(stderr, /^space \w+ has 1 page$/m)
  })

  // What else is refused, and in which words: src/cli/import.test.ts.
  test('a failed import prints one line and leaves no space', async () => {
    const before = await titlesOf(server)
    const wrong = host.urlOf('guide.git').replace('ada', 'eve')
    const { code, stdout, stderr } = await run(['import', wrong], { env })
    assert.match(stderr, /(^|\n)octavo: [^\n]*refused the user and password[^\n]*\n$/)
    assert.doesNotMatch(stderr, /\n {4}at |p@ss|p%40ss/)
    assert.deepEqual([code, stdout], [1, ''])
    assert.deepEqual(await titlesOf(server), before)
  })

  test('Ctrl-C ends it, in the server too, and leaves no space', async () => {
    const before = await titlesOf(server)
    await assertInterrupted()
    // The server notices when the connection of the command closes.
    while (JSON.stringify(await titlesOf(server)) !== JSON.stringify(before)) await sleep(20)
  })

  test('on a terminal it is a bar that moves, with the answer below it', {
    skip: existsSync(SCRIPT) ? false : `there is no ${SCRIPT} to make a terminal with`,
  }, async () => {
    const { command, args } = commandOf(['import', folder], {})
    const line = [command, ...args].map(word => `'${word}'`).join(' ')
    const { code, stdout } = await start(SCRIPT, ['-qec', line, '/dev/null'], { env }).ended
    assert.equal(code, 0, stdout)
    assert.match(stdout, /\r\u001b\[2K\[[█░]{24}\]/)
    assert.match(stdout, /\[█{24}\] 1\/1 publishing\r\nspace \w+ has 2 pages\r\nhttp:\S+\r\n$/)
  })
})

async function assertInterrupted(): Promise<void> {
  host.misbehave({ kind: 'hang', onlyPacks: true })
  const command = octavo(['import', host.urlOf('guide.git'), '--title', 'Interrupted'], { env })
  await command.says(/^fetching$/m, 'stderr')
  const { code, stdout, stderr } = await command.end('SIGINT')
  host.misbehave(undefined)
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(stderr, /^octavo: Interrupted/m)
}
