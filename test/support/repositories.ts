// Makes repositories to import from: of a folder, or of files that are only thought of. Everything goes through one
// `git fast-import`, so 100,000 files take a second, and authors and dates are fixed, so ids are the same every time.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { deflateSync } from 'node:zlib'
import { SEARCH_PATH } from '../../src/platform/git/command.ts'
import { launch } from '../../src/platform/git/launcher.ts'

/**
 * One change of a commit. `path` may be bytes, for names that are no text; it is not checked, so it may be anything
 * that `fast-import` takes. A tree with names that it refuses is made by `writeTree`.
 */
export type Change =
  | {
      readonly path: string | Buffer
      readonly content: string | Uint8Array
      readonly mode?: '100644' | '100755'
    }
  | { readonly path: string | Buffer; readonly linkTo: string }
  | { readonly path: string | Buffer; readonly submodule: string }
  | { readonly path: string | Buffer; readonly removed: true }
  | { readonly path: string | Buffer; readonly renamedTo: string | Buffer }

export type NewCommit = {
  readonly changes: Iterable<Change>
  readonly message?: string
  /** Default `refs/heads/main`. */
  readonly ref?: string
  /** Its first parent; default the tip of its branch, if that is there. */
  readonly onto?: string
  /** Its other parents. */
  readonly merged?: readonly string[]
  /** Seconds since 1970 of author and committer; default a fixed instant plus one a commit. */
  readonly seconds?: number
}

const AUTHOR = 'Ada Writer <ada@example.com>'
const FIRST_SECONDS = 1_700_000_000
/** What git needs to run the same for everyone. */
const ENV = {
  PATH: process.env.PATH ?? SEARCH_PATH,
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  LC_ALL: 'C',
}

export interface TestRepository {
  readonly directory: string
  /** The name to serve it by: the last part of `directory`. */
  readonly name: string
  /** Adds a commit on top of its branch and answers its id. */
  commit(commit: NewCommit): Promise<string>
  /** Adds many, one after the other. */
  commits(commits: readonly NewCommit[]): Promise<string[]>
  /** The commit of a branch, by its full name; default main. */
  tip(ref?: string): Promise<string>
  setTip(ref: string, oid: string): Promise<void>
  /** Another that has the same, beside it. */
  copy(name: string): Promise<TestRepository>
  /** Runs git in it, for what nothing here makes; answers its standard output. */
  git(args: readonly string[], input?: string | Uint8Array): Promise<Buffer>
}

const CONFIG = [
  ...['[core]', 'repositoryformatversion = 0', 'filemode = true', 'bare = true', 'fsync = none'],
  // Nothing here lives for so long that it has to be tidied.
  ...['[gc]', 'auto = 0', '[maintenance]', 'auto = false'],
  // Otherwise another process makes a file of each object.
  ...['[fastimport]', 'unpackLimit = 1', ''],
].join('\n')

/**
 * An empty bare repository `<root>/<name>`. Its few files are written here, and refs are read from theirs, since to
 * start git costs much more in a process as large as a test's.
 */
export async function createRepository(root: string, name = 'docs.git'): Promise<TestRepository> {
  const directory = join(root, name)
  await Promise.all(
    ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags'].map(folder =>
      mkdir(join(directory, folder), { recursive: true }),
    ),
  )
  await writeFile(join(directory, 'config'), CONFIG)
  await writeFile(join(directory, 'HEAD'), 'ref: refs/heads/main\n')
  return repositoryAt(root, name, 0)
}

function repositoryAt(root: string, name: string, before: number): TestRepository {
  const directory = join(root, name)
  let count = before
  const commits: TestRepository['commits'] = async added => {
    const numbered = added.map(({ message, seconds, ...commit }) => {
      const defaults = { message: `Commit ${count + 1}`, seconds: FIRST_SECONDS + count }
      count += 1
      return { ...commit, message: message ?? defaults.message, seconds: seconds ?? defaults.seconds }
    })
    const refs = new Set(numbered.map(({ ref = MAIN }) => ref))
    const tips = new Map<string, string>()
    for (const ref of refs)
      await readRef(directory, ref).then(
        oid => tips.set(ref, oid),
        () => {},
      )
    const args = ['fast-import', '--quiet', '--force']
    const output = await gitIn(directory, args, commitStream(numbered, tips))
    return output.toString().trim().split('\n')
  }
  return {
    directory,
    name,
    commits,
    commit: async commit => (await commits([commit]))[0]!,
    tip: (ref = MAIN) => readRef(directory, ref),
    async setTip(ref, oid) {
      await mkdir(dirname(join(directory, ref)), { recursive: true })
      await writeFile(join(directory, ref), `${oid}\n`)
    },
    git: (args, input = '') => gitIn(directory, args, [input]),
    async copy(other) {
      await cp(directory, join(root, other), { recursive: true })
      return repositoryAt(root, other, count)
    },
  }
}

const MAIN = 'refs/heads/main'

/** Runs git in a bare repository; answers its standard output. */
export const gitIn = (
  directory: string,
  args: readonly string[],
  input: Iterable<string | Uint8Array> = [],
): Promise<Buffer> => run(['--git-dir', directory, ...args], input)

// No ref is ever packed here.
const readRef = async (directory: string, ref: string): Promise<string> =>
  (await readFile(join(directory, ref), 'utf8')).trim()

/** The files of a folder as changes, links included; `without` are names left out at every level. */
export function* changesOfFolder(folder: string, without: readonly string[] = []): Generator<Change> {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true })
  for (const entry of entries) {
    if (!entry.isFile() || without.includes(entry.name)) continue
    const path = join(entry.parentPath, entry.name)
    yield { path: path.slice(folder.length).replace(/^\/+/, ''), content: readFileSync(path) }
  }
}

type NumberedCommit = NewCommit & Required<Pick<NewCommit, 'message' | 'seconds'>>

/** What `fast-import` reads; it answers the id of each commit. `tips`: of the branches that are there. */
function* commitStream(
  commits: readonly NumberedCommit[],
  tips: Map<string, string>,
): Generator<string | Uint8Array> {
  for (const [at, { changes, message, seconds, ref = MAIN, onto, merged = [] }] of commits.entries()) {
    const mark = `:${at + 1}`
    const parent = onto ?? tips.get(ref)
    tips.set(ref, mark)
    yield `commit ${ref}\nmark ${mark}\n`
    yield `author ${AUTHOR} ${seconds} +0000\ncommitter ${AUTHOR} ${seconds} +0000\n`
    yield `data ${Buffer.byteLength(message)}\n${message}\n`
    if (parent !== undefined) yield `from ${parent}\n`
    for (const other of merged) yield `merge ${other}\n`
    yield* changeStream(changes)
    yield `get-mark ${mark}\n`
  }
}

function* changeStream(changes: Iterable<Change>): Generator<string | Uint8Array> {
  for (const change of changes) {
    const path = quotePath(change.path)
    if ('removed' in change) yield `D ${path}\n`
    else if ('renamedTo' in change) yield `R ${path} ${quotePath(change.renamedTo)}\n`
    else if ('submodule' in change) yield `M 160000 ${change.submodule} ${path}\n`
    else {
      const content = Buffer.from('linkTo' in change ? change.linkTo : change.content)
      const mode = 'linkTo' in change ? '120000' : (change.mode ?? '100644')
      yield `M ${mode} inline ${path}\ndata ${content.length}\n`
      yield content
      yield '\n'
    }
  }
}

// fast-import reads a quoted path like a C string, so any byte can be written.
const quotePath = (path: string | Buffer): string =>
  `"${[...Buffer.from(path)]
    .map(byte =>
      byte < 32 || byte > 126 || byte === 34 || byte === 92
        ? `\\${byte.toString(8).padStart(3, '0')}`
        : String.fromCharCode(byte),
    )
    .join('')}"`

export type CraftedEntry = {
  readonly mode: string
  readonly name: string | Buffer
  /** A blob, tree or commit id. */
  readonly oid: string
}

/** Writes a tree object by hand, with names that no porcelain would allow (`..`, `.git`, a slash); answers its id. */
export function writeTree(repository: TestRepository, entries: readonly CraftedEntry[]): Promise<string> {
  const body = entries.flatMap(({ mode, name, oid }) => [
    Buffer.from(`${mode} `),
    Buffer.from(name),
    Buffer.from([0]),
    Buffer.from(oid, 'hex'),
  ])
  return writeObject(repository, 'tree', Buffer.concat(body))
}

/** Writes a file's content; answers its id. */
export const writeBlob = (repository: TestRepository, content: string): Promise<string> =>
  writeObject(repository, 'blob', Buffer.from(content))

/** A commit of a tree that `writeTree` made, as the branch main. */
export async function commitTree(repository: TestRepository, tree: string): Promise<string> {
  const text = `tree ${tree}\nauthor ${AUTHOR} ${FIRST_SECONDS} +0000\ncommitter ${AUTHOR} ${FIRST_SECONDS} +0000\n\nCrafted\n`
  const oid = await writeObject(repository, 'commit', Buffer.from(text))
  await writeFile(join(repository.directory, 'refs/heads/main'), `${oid}\n`)
  return oid
}

async function writeObject(
  { directory }: TestRepository,
  type: 'blob' | 'tree' | 'commit',
  body: Buffer,
): Promise<string> {
  const object = Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body])
  const oid = createHash('sha1').update(object).digest('hex')
  const file = join(directory, 'objects', oid.slice(0, 2), oid.slice(2))
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, deflateSync(object))
  return oid
}

async function run(args: readonly string[], input: Iterable<string | Uint8Array>): Promise<Buffer> {
  const { code, output, errors } = await runGit(args, input)
  if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${code}: ${errors}`)
  return output
}

/** Runs git anywhere, also where it fails. */
export async function runGit(
  args: readonly string[],
  input: Iterable<string | Uint8Array> = [],
): Promise<{ readonly code: number | null; readonly output: Buffer; readonly errors: string }> {
  // A process as large as a test's takes long to fork, and longer to get back what it shares with its child: both
  // together up to three seconds of a processor. So git is started by a small one.
  const { stdin, stdout, stderr, exited } = launch({ args, env: ENV })
  // That one keeps no program alive, and a benchmark has nothing else to wait for.
  const waits = setInterval(() => {}, 60_000)
  const written = pipeline(gather(input), stdin).catch(() => {})
  const [code, output, errors] = await Promise.all([exited, buffer(stdout), text(stderr), written]).finally(
    () => clearInterval(waits),
  )
  return { code, output, errors }
}

// Many small pieces are written as few large ones.
function* gather(pieces: Iterable<string | Uint8Array>): Generator<Buffer> {
  let waiting: Buffer[] = []
  let size = 0
  for (const piece of pieces) {
    const bytes = Buffer.from(piece)
    waiting.push(bytes)
    size += bytes.length
    if (size < 256 * 1024) continue
    yield Buffer.concat(waiting)
    waiting = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(waiting)
}
