// The script that takes the system's Node where the one of npm cannot run: with stand-ins for both.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const SCRIPT = fileURLToPath(new URL('own-node.sh', import.meta.url))
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'octavo-node-')))
after(() => rmSync(folder, { recursive: true, force: true }))

// As a binary of glibc on musl: the kernel does not find what shall load it.
const UNLOADABLE = '#!/nowhere/ld-linux.so.2\n'
const nodeOf = (version: string) => `#!/bin/sh\necho ${version}\n`

function write(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  chmodSync(path, 0o755)
  return path
}

let projects = 0
function run(own: string | undefined, system: readonly string[]) {
  projects += 1
  const project = join(folder, `project-${projects}`)
  mkdirSync(project)
  const binary = join(project, 'node_modules/node/bin/node')
  if (own !== undefined) {
    write(binary, own)
    write(join(project, 'node_modules/.bin/node'), own)
  }
  const folders = system.map((version, at) => {
    const path = join(folder, `system-${projects}-${at}`)
    write(join(path, 'node'), nodeOf(version))
    return path
  })
  const path = [join(project, 'node_modules/.bin'), ...folders, '/usr/bin', '/bin'].join(':')
  const { status, stderr } = spawnSync('/bin/sh', [SCRIPT], {
    cwd: project,
    env: { PATH: path },
    encoding: 'utf8',
  })
  const answers = () => execFileSync(binary, ['--version'], { encoding: 'utf8' }).trim()
  return { status, stderr, answers, isThere: existsSync(binary) }
}

test('a binary that runs is left as it is', () => {
  const { status, answers } = run(nodeOf('v24.1.0'), ['v25.0.0'])
  assert.deepEqual([status, answers()], [0, 'v24.1.0'])
})

test('one that cannot run gives way to the first Node of the system that is new enough', () => {
  const { status, answers } = run(UNLOADABLE, ['v22.9.0', 'v24.3.0', 'v26.0.0'])
  assert.deepEqual([status, answers()], [0, 'v24.3.0'])
})

test('without the package there is nothing to do', () => {
  const { status, isThere } = run(undefined, [])
  assert.deepEqual([status, isThere], [0, false])
})
