// What `octavo` prints for `--help`, mistakes, and unusable input.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { NODE_MAJOR_MIN, refusalOfNode } from '../../src/cli/node-version.js'
import { type Ended, type Environment, REAL, ROOT, run, start, temporaryFolder } from '../support/process.ts'

/** One line for people, and nothing of the program's insides. */
function assertRefused({ code, stdout, stderr }: Ended, message: RegExp): void {
  assert.match(stderr, message)
  assert.doesNotMatch(stderr, /\n {4}at |node:internal/, 'no stack trace')
  assert.equal(stdout, '')
  assert.equal(code, 1)
}

test('--help of every command says what it does and shows how', async () => {
  const commands = [
    'serve',
    'migrate',
    'token',
    'import',
    'mcp',
    'backup',
    'restore',
    'doctor',
    'export',
    'export-organization',
    'completion',
  ]
  const [all, ...each] = await Promise.all([
    run(['--help'], { program: REAL }),
    ...commands.map(command => run([command, '--help'], { program: REAL })),
  ])
  for (const { code, stderr } of [all, ...each]) assert.deepEqual([code, stderr], [0, ''])
  for (const name of commands) assert.match(all.stdout, new RegExp(`^  ${name} `, 'm'))
  for (const name of ['OCTAVO_HOME', 'DATABASE_URL', 'OCTAVO_ADMIN_TOKEN', 'PORT'])
    assert.match(all.stdout, new RegExp(`^  ${name} +\\S`, 'm'))
  const [serveHelp, migrateHelp, tokenHelp, importHelp, mcpHelp, backupHelp, restoreHelp] = each.map(
    ({ stdout }) => stdout,
  )
  assert.match(serveHelp ?? '', /first start/)
  assert.match(migrateHelp ?? '', /database/)
  assert.match(tokenHelp ?? '', /octavo token .*--may read --expires 90d/)
  assert.match(importHelp ?? '', /octavo import \.\//)
  assert.match(mcpHelp ?? '', /comes from OCTAVO_TOKEN/)
  assert.match(backupHelp ?? '', /octavo backup octavo-/)
  assert.match(restoreHelp ?? '', /octavo restore octavo-/)
})

test('./octavo is the command line, from any folder and through a link', async () => {
  const folder = temporaryFolder()
  const link = join(folder, 'link')
  symlinkSync(join(ROOT, 'octavo'), link)
  const help = (await run(['token', '--help'], { program: REAL })).stdout
  for (const command of [join(ROOT, 'octavo'), link]) {
    const { code, stdout, stderr } = await start('sh', ['-c', `cd / && "$0" token --help`, command]).ended
    assert.deepEqual([code, stdout, stderr], [0, help, ''])
  }
})

const NODE_REFUSED =
  /^octavo: Node\.js 24 or newer is needed, and this is v\d+\.[\d.]+\. Start it with \.\/octavo or npm start, [^\n]*\.\n$/
const NPM_FIRST = /^octavo: Node\.js 24 or newer is needed, [^\n]* Run npm ci [^\n]*\.\n$/

test('a Node.js that is too old is named in one line', async () => {
  for (const command of ['serve', 'token', '--help'])
    assertRefused(await start(process.execPath, ['--import', AS_OLD, REAL, command]).ended, NODE_REFUSED)
  for (const version of ['v24.0.0', 'v26.1.0', 'v100.0.0'])
    assert.equal(refusalOfNode(version, true), undefined)
  for (const version of ['v23.11.1', 'v20.19.1', 'v8.0.0'])
    assert.match(refusalOfNode(version, true) ?? '', NODE_REFUSED)
})

const AS_OLD = 'data:text/javascript,Object.defineProperty(process,"version",{value:"v22.20.0"})'

test('who forgets npm ci is told to run it, whatever their Node.js', async () => {
  const program = join(copyOfSources(), 'src/cli/main.js')
  assertRefused(
    await run(['serve'], { program }),
    /^octavo: the package [\w@/-]+ is not installed\. Run npm ci [^\n]*\.\n$/,
  )
  assertRefused(await start(process.execPath, ['--import', AS_OLD, program, 'serve']).ended, NPM_FIRST)
})

/** Without packages and without a lock file. */
function copyOfSources(): string {
  const folder = temporaryFolder()
  const isTest = (path: string) => /\.test\.ts$/.test(path)
  for (const part of ['src', 'docs', 'tools/program.ts', 'package.json'])
    cpSync(join(ROOT, part), join(folder, part), { recursive: true, filter: path => !isTest(path) })
  return folder
}

/** An old Node.js of this machine. */
function findOldNode(): string | undefined {
  const folders = ['/usr/local/bin', '/usr/bin', ...(process.env.PATH ?? '').split(delimiter)]
  return folders
    .map(folder => join(folder, 'node'))
    .find(node => {
      if (!existsSync(node)) return false
      const major = Number.parseInt(execFileSync(node, ['--version'], { encoding: 'utf8' }).slice(1), 10)
      return major >= 20 && major < NODE_MAJOR_MIN
    })
}

const oldNode = findOldNode()

test('and it loads what is needed to say so', {
  skip: oldNode === undefined && 'there is no older Node.js on this machine',
}, async () => {
  assertRefused(await start(oldNode as string, [REAL, 'serve']).ended, NODE_REFUSED)
})

test('without a lock file, the program starts from its sources', async () => {
  const folder = copyOfSources()
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const { code, stdout, stderr } = await run(['--help'], { program: join(folder, 'src/cli/main.js') })
  assert.deepEqual([code, stderr], [0, ''])
  assert.match(stdout, /^ {2}serve /m)
})

test('an unknown command, an unknown option and a missing argument are refused by name', async () => {
  const [command, option, argument] = await Promise.all([
    run(['sreve']),
    run(['serve', '--prot=80']),
    run(['token']),
  ])
  assertRefused(command, /unknown command 'sreve'/)
  assertRefused(option, /unknown option '--prot=80'/)
  assertRefused(argument, /missing required argument 'email'/)
})

test('a closed pipe is not an error', async () => {
  const { code, stderr } = await run(['--help'], { deaf: true })
  assert.deepEqual([code, stderr], [0, ''])
})

test('a variable that is wrong is named with what it may be, before anything is made', async () => {
  const folder = temporaryFolder()
  const wrong: [Environment, RegExp][] = [
    [{ PORT: 'eighty' }, /^octavo: PORT has to be a number from 0 to 65535; it is "eighty"\.$/m],
    [{ DATABASE_URL: 'mysql://secret@host/db' }, /DATABASE_URL has to be a postgres:\/\//],
    [{ OCTAVO_ADMIN_TOKEN: 'short-secret' }, /OCTAVO_ADMIN_TOKEN has to be at least 16 characters/],
    [{ OCTAVO_S3_ENDPOINT: 'https://s3.example.com' }, /OCTAVO_S3_BUCKET is needed/],
  ]
  for (const [env, message] of wrong) {
    const home = join(folder, 'home')
    const ended = await run(['serve'], { env: { PORT: '0', OCTAVO_HOME: home, ...env } })
    assertRefused(ended, message)
    assert.doesNotMatch(ended.stderr, /secret/, 'secrets are not repeated')
    assert.equal((await start('ls', [folder]).ended).stdout, '')
  }
})

test('a database and a folder that cannot be used are named', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const [database, home] = await Promise.all([
    run(['migrate'], {
      env: { OCTAVO_HOME: join(folder, 'home'), DATABASE_URL: 'postgres://ada:secret@127.0.0.1:1/docs' },
    }),
    run(['migrate'], { env: { OCTAVO_HOME: file } }),
  ])
  assertRefused(database, /127\.0\.0\.1:1\/docs.*ECONNREFUSED/)
  assert.doesNotMatch(database.stderr, /secret/)
  assertRefused(home, /OCTAVO_HOME: the folder .*file cannot be used/)
})
