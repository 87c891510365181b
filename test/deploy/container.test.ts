// The steps of the Dockerfile, as far as they go without a registry of images: its first stage in a folder of its own,
// then the command of the second stage as a user who may write into its data alone, until SIGTERM.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { after, test } from 'node:test'
import dockerignore from '@balena/dockerignore'
import { DockerfileParser, type ImageTemplate, type Instruction } from 'dockerfile-ast'
import { ROOT, start } from '../support/process.ts'

const NOBODY = '65534'
const canBeNobody =
  process.platform === 'linux' && process.getuid?.() === 0
    ? false
    : 'only root on Linux may start a program as another user'

// On a disk: of the packages it takes links where it is the same one.
const folder = mkdtempSync('/var/tmp/octavo-container-')
after(() => rmSync(folder, { recursive: true }))

const ignored = dockerignore.default().add(readFileSync(join(ROOT, '.dockerignore'), 'utf8'))

function copy(step: Instruction, program: string): void {
  const paths = step.getArguments().map(argument => argument.getValue())
  const into = join(program, paths.pop() ?? '')
  for (const path of paths) {
    const isFolder = paths.length === 1 && !path.includes('.')
    cpSync(join(ROOT, path), isFolder ? into : join(into, path.slice(path.lastIndexOf('/') + 1)), {
      recursive: true,
      filter: from => from === join(ROOT, path) || !ignored.ignores(relative(ROOT, from)),
    })
  }
}

/** `npm ci` brings the same from the registry, which this does without: what is installed here, less what it leaves out. */
function install(program: string): void {
  mkdirSync(join(program, 'node_modules'))
  const packages = readdirSync(join(ROOT, 'node_modules')).filter(name => name !== '.cache')
  const linked = packages.map(name => join(ROOT, 'node_modules', name))
  const into = join(program, 'node_modules')
  execFileSync('sh', ['-c', 'cp -al "$@" 2>/dev/null || cp -a "$@"', 'cp', ...linked, into])
  const flags = ['--omit=dev', '--ignore-scripts', '--offline', '--no-audit', '--no-fund']
  execFileSync('npm', ['prune', ...flags], { cwd: program, stdio: 'pipe' })
}

function build(stage: ImageTemplate): string {
  const program = join(folder, 'program')
  mkdirSync(program)
  for (const step of stage.getInstructions()) {
    const command = step.getArgumentsContent() ?? ''
    if (step.getKeyword() === 'COPY') copy(step, program)
    else if (command.startsWith('npm ci --omit=dev --ignore-scripts')) install(program)
    else if (step.getKeyword() === 'RUN') execFileSync('sh', ['-c', command], { cwd: program, stdio: 'pipe' })
  }
  return program
}

/** In the JSON form of a command, after its options. */
const commandOf = (step: Instruction | undefined): string[] =>
  JSON.parse(/\[.*\]$/s.exec(step?.getRawArgumentsContent() ?? '')?.[0] ?? '[]')

test('the steps of the Dockerfile make a program that serves, is healthy, and ends on SIGTERM', {
  skip: canBeNobody,
}, async () => {
  const dockerfile = DockerfileParser.parse(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'))
  const [packages, image] = dockerfile
    .getFROMs()
    .map(from => dockerfile.getContainingImage(from.getRange().start))
  assert.ok(packages != null && image != null)
  const program = build(packages)
  const tmp = join(folder, 'tmp')
  const home = join(folder, 'home')
  for (const own of [tmp, home]) {
    mkdirSync(own)
    chownSync(own, Number(NOBODY), Number(NOBODY))
  }
  chmodSync(folder, 0o755)
  const env = {
    ...Object.fromEntries(
      image.getENVs().flatMap(step => step.getProperties().map(one => [one.getName(), one.getValue()])),
    ),
    HOST: '127.0.0.1',
    PORT: '0',
    OCTAVO_HOME: home,
    TMPDIR: tmp,
    NODE_COMPILE_CACHE: undefined,
  }
  const asNobody = (command: readonly string[], port?: string) =>
    start('setpriv', [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', ...command], {
      cwd: program,
      env: { ...env, ...(port === undefined ? {} : { PORT: port }) },
    })
  const server = asNobody(commandOf(image.getCMDs()[0]))
  const [, port = ''] = await server.says(/Octavo is ready at http:\/\/[\d.]+:(\d+)\n/)
  const health = commandOf(image.getHEALTHCHECKs()[0])
  assert.equal((await asNobody(health, port).ended).code, 0)
  const workspace = await fetch(`http://127.0.0.1:${port}/w`, { redirect: 'manual' })
  assert.notEqual(workspace.status, 503)
  assert.equal((await server.end('SIGTERM')).code, 0)
  assert.equal((await asNobody(health, port).ended).code, 1)
})
