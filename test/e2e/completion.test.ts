// `octavo completion`: what real shells make of what it prints.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { run, start, temporaryFolder } from '../support/process.ts'

const isThere = (shell: string) => spawnSync(shell, ['--version']).error === undefined
const scriptOf = async (shell: string) => {
  const { code, stdout, stderr } = await run(['completion', shell])
  assert.deepEqual([code, stderr], [0, ''])
  return stdout
}

/** What bash offers for the last of these words. `=` breaks a word, as readline breaks it. */
async function offered(script: string, words: readonly string[], cwd: string): Promise<string[]> {
  const body = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _octavo
    if [ \${#COMPREPLY[@]} -gt 0 ]; then printf '%s\\n' "\${COMPREPLY[@]}"; fi`
  const { code, stdout, stderr } = await start('bash', ['-uc', body, 'bash', script, ...words], { cwd }).ended
  assert.deepEqual([code, stderr], [0, ''], words.join(' '))
  return stdout.split('\n').filter(word => word !== '')
}

test('bash completes commands, options and their values as they are defined', async t => {
  if (!isThere('bash')) return t.skip('bash is not installed')
  const cwd = temporaryFolder()
  const script = join(cwd, 'octavo.bash')
  writeFileSync(script, await scriptOf('bash'))
  const all = await offered(script, ['octavo', ''], cwd)
  const { stdout: help } = await run(['--help'])
  const commands = [...help.matchAll(/^ {2}([a-z-]+) (?:\[options\]|<| {2})/gm)].map(([, name]) => name)
  assert.ok(commands.length > 10, help)
  for (const name of commands) assert.ok(all.includes(String(name)), `${name} in ${all}`)
  for (const name of commands.filter(one => one !== 'help')) {
    const { stdout } = await run([String(name), '--help'])
    const options = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, option]) => option)
    assert.deepEqual((await offered(script, ['octavo', String(name), '-'], cwd)).sort(), options.sort(), name)
  }
  const formats = ['confluence', 'docusaurus', 'mdbook', 'mkdocs', 'notion']
  for (const [words, expected] of [
    [
      ['octavo', 'exp'],
      ['export', 'export-organization'],
    ],
    [['./octavo', 'help', 'back'], ['backup']],
    [['octavo', 'import', './folder', '--from', ''], formats],
    [
      ['octavo', 'import', '--from', '=', 'm'],
      ['mdbook', 'mkdocs'],
    ],
    [['octavo', 'import', '--from', '='], formats],
    [['octavo', 'import', '--space', ''], []],
    [['octavo', 'token', 'ada@example.com', '--may', 'p'], ['propose']],
    [
      ['octavo', 'completion', ''],
      ['bash', 'fish', 'zsh'],
    ],
    [['octavo', 'nothing', '-'], []],
  ] as const)
    assert.deepEqual((await offered(script, words, cwd)).sort(), expected, words.join(' '))
})

// Types at a terminal: python is on every machine that has bash-completion, and has pseudo-terminals.
const SETUP = `PS1='ready> '
octavo() { printf 'ran<%s>\\n' "$@"; echo done; }
source ./octavo.bash
`
const TYPED = `
import os, pty, select, sys, time
pid, terminal = pty.fork()
if pid == 0:
    os.execvp('bash', ['bash', '--noprofile', '--rcfile', './rc', '-i'])
def send(text): os.write(terminal, text.encode())
seen = b''
def read_until(mark):
    global seen
    end = time.time() + 60
    while mark not in seen and time.time() < end:
        if select.select([terminal], [], [], 1)[0]: seen += os.read(terminal, 65536)
read_until(b'ready> ')
for line in sys.argv[1:]:
    seen = b''
    send(line + '\\t\\n')
    read_until(b'done\\r\\n')
    print(seen.decode(errors='replace').split('ran', 1)[-1].replace('\\r', '').split('done')[0].strip().replace('\\nran', ' '))
send('exit\\n')
`

test('a tab at a terminal completes a command, a value and a file with a space in its name', async t => {
  if (!isThere('bash') || !isThere('python3')) return t.skip('bash or python3 is not installed')
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'octavo.bash'), await scriptOf('bash'))
  writeFileSync(join(cwd, 'rc'), SETUP)
  mkdirSync(join(cwd, 'My guide'))
  const lines = ['octavo import --from docu', 'octavo import My', 'octavo doc', 'octavo token My']
  const { stdout, stderr } = await start('python3', ['-c', TYPED, ...lines], { cwd }).ended
  assert.deepEqual(
    stdout.trim().split('\n'),
    ['<import> <--from> <docusaurus>', '<import> <My guide/>', '<doctor>', '<token> <My>'],
    stderr,
  )
})

for (const shell of ['zsh', 'fish'])
  test(`${shell} reads its completion`, async t => {
    if (!isThere(shell)) return t.skip(`${shell} is not installed`)
    const file = join(temporaryFolder(), `octavo.${shell}`)
    writeFileSync(file, await scriptOf(shell))
    const { code, stdout, stderr } = await start(shell, ['-n', file]).ended
    assert.deepEqual([code, stdout, stderr], [0, '', ''])
  })

test('fish completes values and commands', async t => {
  if (!isThere('fish')) return t.skip('fish is not installed')
  const file = join(temporaryFolder(), 'octavo.fish')
  writeFileSync(file, await scriptOf('fish'))
  const ask = async (line: string) => {
    const body = `source ${file}; complete -C ${JSON.stringify(line)}`
    return (await start('fish', ['--no-config', '-c', body]).ended).stdout
      .split('\n')
      .map(one => one.split('\t')[0])
      .filter(one => one !== '')
  }
  assert.deepEqual(await ask('octavo import --from m'), ['mdbook', 'mkdocs'])
  assert.deepEqual(await ask('octavo exp'), ['export', 'export-organization'])
  assert.deepEqual(await ask('octavo doctor --d'), ['--dry-run'])
})

test('zsh completes commands and values once it is loaded', async t => {
  if (!isThere('zsh')) return t.skip('zsh is not installed')
  const folder = temporaryFolder()
  writeFileSync(join(folder, '_octavo'), await scriptOf('zsh'))
  const body = `fpath=(${folder} $fpath); autoload -Uz compinit; compinit -u -d ${folder}/dump; print $_comps[octavo]`
  assert.equal((await start('zsh', ['-fc', body]).ended).stdout, '_octavo\n')
})

test('a shell that is not there is named with those that are', async () => {
  const { code, stdout, stderr } = await run(['completion', 'csh'])
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(stderr, /bash, zsh, fish/)
})
