import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { createServer as createWebServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { failureOf } from '../../../test/support/failures.ts'
import { type GitServer, startGitServer } from '../../../test/support/git-server.ts'
import {
  type Change,
  commitTree,
  createRepository,
  type TestRepository,
  writeBlob,
  writeTree,
} from '../../../test/support/repositories.ts'
import { addressGuard } from '../addresses.ts'
import type { TreeEntry } from '../tree-source.ts'
import { SEARCH_PATH } from './command.ts'
import type { FetchRequest } from './fetch-commit.ts'
import { createGit } from './git.ts'
import type { Commit } from './objects.ts'
import { parseRemote } from './remote.ts'

const SECRET = 'p@ss:w/rd%'
const BYTES_MAX = 100 * 1024 * 1024

let root: string
let server: GitServer
let locked: GitServer
let repository: TestRepository
/** Too large for some bounds. */
let large: TestRepository
/** What the first fetch of the repository brought, for tests that only read; `copied` is for those that do not. */
let fetched: {
  readonly directory: string
  readonly commit: Commit
  readonly entries: readonly TreeEntry[]
  readonly stages: ReadonlySet<string>
}
let count = 0

const git = createGit()
const guard = addressGuard(['127.0.0.1'])

const text = (path: string, content: string): Change => ({ path, content })

/** A folder for a cache that no other test has. */
const newDirectory = (): string => join(root, 'caches', `${++count}`)

const requestOf = (url: string, change: Partial<FetchRequest> = {}): FetchRequest => ({
  directory: newDirectory(),
  remote: parseRemote(url),
  ref: 'refs/heads/main',
  guard,
  deadlineMs: 20_000,
  bytesMax: BYTES_MAX,
  ...change,
})

/** A request that has the first fetch in its cache. */
async function copied(change: Partial<FetchRequest> = {}): Promise<FetchRequest> {
  const request = requestOf(server.urlOf('docs.git'), change)
  await cp(fetched.directory, request.directory, { recursive: true })
  return request
}

async function readAll(
  directory: string,
  entries: readonly TreeEntry[],
  oid: string,
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for await (const { entry, bytes } of git.tree(directory, oid).read(entries, { bytesMax: BYTES_MAX })) {
    found.set(entry.path, bytes.toString('latin1'))
  }
  return found
}

before(async () => {
  root = await mkdtemp(join(tmpdir(), 'octavo-git-'))
  repository = await createRepository(root)
  await repository.commit({
    message: 'Begin\n\nWith a body.',
    changes: [
      text('README.md', '# Docs\r\n'),
      text('guides/setup.md', 'Setup\n'),
      text('guides/ünïcode 漢字.md', 'names\n'),
      { path: 'run.sh', content: '#!/bin/sh\n', mode: '100755' },
    ],
  })
  server = await startGitServer({ root })
  locked = await startGitServer({ root, user: 'ada', password: SECRET })
  large = await createRepository(root, 'large.git')
  await large.commit({ changes: [{ path: 'noise.bin', content: noise(1, 500_000) }] })
  fetched = await fetchDocs()
})

async function fetchDocs(): Promise<typeof fetched> {
  const stages = new Set<string>()
  const onProgress: FetchRequest['onProgress'] = ({ stage, done, total }) => {
    assert.ok(done <= total)
    stages.add(stage)
  }
  const { directory, ...request } = requestOf(server.urlOf('docs.git'), { onProgress })
  const commit = await git.fetchCommit({ ...request, directory })
  const entries = await git.listTree(directory, commit.oid, { entriesMax: 10 })
  return { directory, commit, entries, stages }
}

after(async () => {
  await Promise.all([server.close(), locked.close()])
  await rm(root, { recursive: true, force: true })
})

beforeEach(() => {
  server.misbehave(undefined)
  locked.misbehave(undefined)
})

describe('fetching a commit', () => {
  it('has its id, message and author date, and its files byte for byte', async () => {
    const { directory, commit, entries } = fetched
    assert.deepEqual(commit, {
      oid: (await repository.git(['rev-parse', 'main'])).toString().trim(),
      message: 'Begin\n\nWith a body.',
      author: 'Ada Writer',
      authoredAt: '2023-11-14T22:13:20.000Z',
    })
    assert.deepEqual(
      entries.map(({ path, kind, size }) => [path, kind, size]),
      [
        ['README.md', 'file', 8],
        ['guides/setup.md', 'file', 6],
        ['guides/ünïcode 漢字.md', 'file', 6],
        ['run.sh', 'executable', 10],
      ],
    )
    const files = await readAll(directory, entries, commit.oid)
    assert.equal(files.get('README.md'), '# Docs\r\n')
    assert.equal(files.get('run.sh'), '#!/bin/sh\n')
  })

  it('finds a branch by its short name, a tag with an object of its own, HEAD, and a commit by its id', async () => {
    await repository.git(['-c', 'user.name=a', '-c', 'user.email=b', 'tag', '-a', '-m', 'x', 'v1', 'main'])
    const { oid } = fetched.commit
    for (const ref of ['main', 'refs/tags/v1', 'HEAD', oid]) {
      assert.equal((await git.fetchCommit(requestOf(server.urlOf('docs.git'), { ref }))).oid, oid, ref)
    }
  })

  it('into a cache that has the last commit asks only for what is new', async () => {
    const big = await createRepository(root, 'growing.git')
    await big.commit({ changes: [{ path: 'noise.bin', content: noise(1, 300_000) }, text('a.md', 'a\n')] })
    const request = requestOf(server.urlOf('growing.git'))
    const first = await git.fetchCommit(request)
    const second = await big.commit({ changes: [text('a.md', 'b\n')] })
    const packs = join(request.directory, 'objects', 'pack')
    const before = new Set(await readdir(packs))
    assert.equal((await git.fetchCommit(request)).oid, second)
    const news = (await readdir(packs)).filter(name => name.endsWith('.pack') && !before.has(name))
    assert.equal(news.length, 1)
    assert.ok((await readFile(join(packs, news[0] ?? ''))).length < 1000)
    const entries = await git.listTree(request.directory, first.oid, { entriesMax: 10 })
    assert.equal((await readAll(request.directory, entries, first.oid)).get('a.md'), 'a\n')
  })

  it('that is there already is no new pack', async () => {
    const request = await copied()
    const before = await readdir(join(request.directory, 'objects', 'pack'))
    assert.deepEqual(await git.fetchCommit(request), fetched.commit)
    assert.deepEqual(await readdir(join(request.directory, 'objects', 'pack')), before)
  })

  it('follows a branch that was rewritten', async () => {
    const other = await createRepository(root, 'rewritten.git')
    await other.commit({ changes: [text('a.md', '1')] })
    const request = requestOf(server.urlOf('rewritten.git'))
    await git.fetchCommit(request)
    await rm(join(other.directory, 'refs/heads/main'))
    const oid = await other.commit({ changes: [text('b.md', '2')], message: 'Again' })
    assert.equal((await git.fetchCommit(request)).oid, oid)
    const entries = await git.listTree(request.directory, oid, { entriesMax: 10 })
    assert.deepEqual(
      entries.map(({ path }) => path),
      ['b.md'],
    )
  })

  it('reports progress in objects', () => {
    assert.ok(fetched.stages.has('receiving'))
  })

  it('of one cache happens one at a time', async () => {
    const request = requestOf(server.urlOf('docs.git'))
    const commits = await Promise.all([1, 2].map(() => git.fetchCommit(request)))
    assert.equal(new Set(commits.map(({ oid }) => oid)).size, 1)
  })
})

describe('the cache', () => {
  it('of another URL is not used again', async () => {
    await (await createRepository(root, 'other.git')).commit({ changes: [text('other.md', 'o')] })
    const request = await copied()
    const before = (await readdir(join(request.directory, 'objects', 'pack'))).filter(n =>
      n.endsWith('.pack'),
    )
    await git.fetchCommit({ ...request, remote: parseRemote(server.urlOf('other.git')) })
    const after = await readdir(join(request.directory, 'objects', 'pack'))
    assert.ok(!after.some(name => before.includes(name)))
  })

  it('with the locks and half packs of a git that was killed is used again', async () => {
    const killed = await repository.copy('killed.git')
    const request = requestOf(server.urlOf('killed.git'))
    const { oid } = await git.fetchCommit(request)
    const refs = await readdir(join(request.directory, 'refs', 'octavo'))
    await writeFile(join(request.directory, 'shallow.lock'), '')
    await writeFile(join(request.directory, 'refs', 'octavo', `${refs[0]}.lock`), '')
    await writeFile(join(request.directory, 'objects', 'pack', 'tmp_pack_abc'), 'PACK')
    const before = (await readdir(join(request.directory, 'objects', 'pack'))).filter(n =>
      n.endsWith('.pack'),
    )
    await killed.commit({ changes: [text('again.md', 'again')] })
    assert.notEqual((await git.fetchCommit(request)).oid, oid)
    const packs = await readdir(join(request.directory, 'objects', 'pack'))
    assert.ok(packs.includes(before[0] ?? ''), 'it was thrown away instead')
    assert.ok(!packs.includes('tmp_pack_abc'))
  })

  for (const [what, harm] of [
    ['whose pack was cut', async (d: string) => truncate(await packOf(d), 40)],
    ['whose pack is gone', async (d: string) => rm(await packOf(d))],
    ['without its config', (d: string) => rm(join(d, 'config'))],
    [
      'whose config was changed',
      (d: string) => writeFile(join(d, 'config'), '[core]\n\tbare = true\n[x]\n\ty = z\n'),
    ],
    ['without a HEAD', (d: string) => rm(join(d, 'HEAD'))],
    ['with an empty marker', (d: string) => writeFile(join(d, 'octavo-cache.json'), '')],
    [
      'with an empty ref',
      async (d: string) => {
        const [name = ''] = await readdir(join(d, 'refs', 'octavo'))
        await writeFile(join(d, 'refs', 'octavo', name), '')
      },
    ],
    ['without its objects', (d: string) => rm(join(d, 'objects'), { recursive: true })],
  ] as const) {
    it(`${what} is fetched anew`, async () => {
      const request = await copied()
      const { commit, entries } = fetched
      await harm(request.directory)
      assert.deepEqual(await git.fetchCommit(request), commit)
      assert.equal((await readAll(request.directory, entries, commit.oid)).size, entries.length)
    })
  }

  it('that turns out damaged while it is read says so, and is fetched anew the next time', async () => {
    const harmed = await createRepository(root, 'harmed.git')
    await harmed.commit({ changes: [{ path: 'noise.bin', content: noise(1, 100_000) }] })
    const request = requestOf(server.urlOf('harmed.git'))
    const { oid } = await git.fetchCommit(request)
    const entries = await git.listTree(request.directory, oid, { entriesMax: 100 })
    // In the middle of the only large blob, where no fetch looks.
    const pack = await readFile(await packOf(request.directory))
    pack.fill(0, pack.length >> 1, (pack.length >> 1) + 100)
    await writeFile(await packOf(request.directory), pack)
    const failure = await failureOf(readAll(request.directory, entries, oid))
    assert.deepEqual([failure.kind, failure.code], ['unavailable', 'git_cache_damaged'])
    await git.fetchCommit(request)
    assert.equal((await readAll(request.directory, entries, oid)).get('noise.bin')?.length, 100_000)
  })

  it('never throws away a folder that is none', async () => {
    const directory = newDirectory()
    await mkdir(directory, { recursive: true })
    await writeFile(join(directory, 'thesis.txt'), 'years of work')
    await assert.rejects(
      git.fetchCommit(requestOf(server.urlOf('docs.git'), { directory })),
      /not a repository cache/,
    )
    assert.ok(existsSync(join(directory, 'thesis.txt')))
  })

  it('that grew beyond the bound by its history is started anew, not called too large', async () => {
    const changing = await createRepository(root, 'changing.git')
    await changing.commit({ changes: [{ path: 'noise.bin', content: noise(1, 60_000) }] })
    const request = requestOf(server.urlOf('changing.git'), { bytesMax: 90_000 })
    await git.fetchCommit(request)
    const oid = await changing.commit({ changes: [{ path: 'noise.bin', content: noise(2, 60_000) }] })
    assert.equal((await git.fetchCommit(request)).oid, oid)
  })
})

async function packOf(directory: string): Promise<string> {
  const folder = join(directory, 'objects', 'pack')
  const name = (await readdir(folder)).find(each => each.endsWith('.pack'))
  // git makes its packs read-only.
  await chmod(join(folder, name ?? ''), 0o600)
  return join(folder, name ?? '')
}

describe('credentials', () => {
  it('are percent-encoded in the URL and open the repository', async () => {
    assert.match((await git.fetchCommit(requestOf(locked.urlOf('docs.git')))).oid, /^[0-9a-f]{40}$/)
  })

  for (const [what, userinfo] of [
    ['wrong', 'ada:nonsense@'],
    ['absent', ''],
    ['a user without a password', 'ada@'],
  ] as const) {
    it(`that are ${what} end the fetch as git_unauthorized, which shows neither`, async () => {
      const request = requestOf(`http://${userinfo}127.0.0.1:${locked.port}/docs.git`)
      const failure = await failureOf(git.fetchCommit(request))
      assert.deepEqual([failure.kind, failure.code], ['invalid', 'git_unauthorized'])
      assert.doesNotMatch(`${failure.message} ${failure.cause}`, /nonsense/)
    })
  }

  it('are in no argument, no file of the cache, no message and no cause', async () => {
    const directory = newDirectory()
    locked.misbehave({ kind: 'hang' })
    // Its processes have to be there before it is over.
    const request = requestOf(locked.urlOf('docs.git'), { directory, deadlineMs: 5000 })
    const isAsked = nextRequest(locked)
    const fetching = failureOf(git.fetchCommit(request))
    await isAsked
    const lines = processes().filter(line => line.includes(`:${locked.port}/docs.git`))
    assert.ok(lines.length > 1)
    const failure = await fetching
    const files = execFileSync('sh', ['-c', `find '${directory}' -type f -exec cat {} +`]).toString('latin1')
    const basic = Buffer.from(`ada:${SECRET}`).toString('base64')
    for (const place of [
      lines.join('\n'),
      failure.message,
      String(failure.cause),
      files,
      JSON.stringify(request.remote),
    ]) {
      for (const secret of [SECRET, encodeURIComponent(SECRET), basic]) assert.ok(!place.includes(secret))
    }
  })

  it('do not follow a redirect to another host', async () => {
    const { length } = server.authorizations
    locked.misbehave({ kind: 'redirect', to: server.url })
    const failure = await failureOf(git.fetchCommit(requestOf(locked.urlOf('docs.git'))))
    assert.equal(failure.code, 'git_redirect_refused')
    assert.equal(server.authorizations.length, length)
  })
})

describe('a fetch that cannot be', () => {
  it('names the branches there are when the ref is missing', async () => {
    const failure = await failureOf(
      git.fetchCommit(requestOf(server.urlOf('docs.git'), { ref: 'refs/heads/nope' })),
    )
    assert.deepEqual([failure.kind, failure.code], ['invalid', 'git_ref_missing'])
    assert.match(failure.message, /refs\/heads\/nope.*refs\/heads\/main/)
  })

  it('says that a repository is empty', async () => {
    await createRepository(root, 'empty.git')
    const failure = await failureOf(git.fetchCommit(requestOf(server.urlOf('empty.git'))))
    assert.deepEqual([failure.kind, failure.code], ['invalid', 'git_repository_empty'])
  })

  it('says that a ref is no commit', async () => {
    const blobs = await createRepository(root, 'blobs.git')
    await writeFile(join(blobs.directory, 'refs/tags/blob'), `${await writeBlob(blobs, 'x')}\n`)
    const failure = await failureOf(
      git.fetchCommit(requestOf(server.urlOf('blobs.git'), { ref: 'refs/tags/blob' })),
    )
    assert.deepEqual([failure.kind, failure.code], ['invalid', 'git_ref_missing'])
  })

  it('says that there is no such repository', async () => {
    const failure = await failureOf(git.fetchCommit(requestOf(server.urlOf('nope.git'))))
    assert.deepEqual([failure.kind, failure.code], ['invalid', 'git_repository_missing'])
  })

  for (const [status, body, kind, code] of [
    [200, '<html>Sign in</html>', 'invalid', 'git_repository_missing'],
    [404, '', 'invalid', 'git_repository_missing'],
    [401, '', 'invalid', 'git_unauthorized'],
    [403, '', 'invalid', 'git_unauthorized'],
    [503, '', 'unavailable', 'git_host_failed'],
    [429, '', 'unavailable', 'git_host_failed'],
  ] as const) {
    it(`reads ${status} ${body} as ${code}`, async () => {
      server.misbehave({ kind: 'status', status, body, contentType: 'text/html' })
      const failure = await failureOf(git.fetchCommit(requestOf(server.urlOf('docs.git'))))
      assert.deepEqual([failure.kind, failure.code], [kind, code])
    })
  }

  it('says that nothing answers at a port', async () => {
    const failure = await failureOf(
      git.fetchCommit(requestOf(`http://127.0.0.1:${await freePort()}/docs.git`)),
    )
    assert.deepEqual([failure.kind, failure.code], ['unavailable', 'git_unreachable'])
  })

  it('says that a host has no address', async () => {
    const failure = await failureOf(git.fetchCommit(requestOf('http://no-such-host.invalid/docs.git')))
    assert.deepEqual([failure.kind, failure.code], ['unavailable', 'host_unresolved'])
  })

  it('does not ask a private address that is not allowed', async () => {
    const { length } = server.requests
    for (const url of [server.urlOf('docs.git'), `http://0x7f000001:${server.port}/docs.git`]) {
      const failure = await failureOf(git.fetchCommit(requestOf(url, { guard: addressGuard([]) })))
      assert.deepEqual([failure.kind, failure.code], ['invalid', 'address_refused'])
      assert.match(failure.message, /OCTAVO_ALLOW_PRIVATE_HOSTS/)
    }
    assert.equal(server.requests.length, length)
  })

  it('refuses a redirect to a private address', async () => {
    const elsewhere = await startGitServer({ root })
    server.misbehave({ kind: 'redirect', to: elsewhere.url })
    const failure = await failureOf(git.fetchCommit(requestOf(server.urlOf('docs.git'))))
    assert.deepEqual([failure.kind, failure.code], ['invalid', 'git_redirect_refused'])
    assert.deepEqual(elsewhere.requests, [])
    await elsewhere.close()
  })

  it('goes to the address that was checked, not to what the name means to git', async () => {
    // `pinned.example` means nothing to anyone but this guard.
    const pinning = addressGuard(['127.0.0.1'], async () => [{ address: '127.0.0.1', family: 4 }])
    const url = `http://pinned.example:${server.port}/docs.git`
    assert.match((await git.fetchCommit(requestOf(url, { guard: pinning }))).oid, /^[0-9a-f]{40}$/)
  })

  it('is cut off when the connection is', async () => {
    server.misbehave({ kind: 'cut', afterBytes: 200 })
    const failure = await failureOf(git.fetchCommit(requestOf(server.urlOf('docs.git'))))
    assert.deepEqual([failure.kind, failure.code], ['unavailable', 'git_interrupted'])
  })

  it('ends when the repository is larger than is allowed', async () => {
    const failure = await failureOf(
      git.fetchCommit(requestOf(server.urlOf('large.git'), { bytesMax: 50_000 })),
    )
    assert.deepEqual([failure.kind, failure.code], ['too_large', 'git_too_large'])
  })

  it('ends while a repository that is too large is still coming', async () => {
    server.misbehave({ kind: 'stall', afterBytes: 200_000 })
    const failure = await failureOf(
      git.fetchCommit(requestOf(server.urlOf('large.git'), { bytesMax: 50_000 })),
    )
    assert.equal(failure.code, 'git_too_large')
  })

  it('ends git when a host never stops telling refs', {
    skip: !existsSync('/proc/self/status'),
  }, async () => {
    const refs = Buffer.from(`003f${'0'.repeat(40)} refs/heads/endless-ref\n`.repeat(50_000))
    const flood = createWebServer((_, reply) => {
      reply.setHeader('content-type', 'application/x-git-upload-pack-advertisement')
      reply.write('001e# service=git-upload-pack\n0000')
      const pour = () => {
        while (reply.write(refs));
        reply.once('drain', pour)
      }
      pour()
    })
    await new Promise<void>(resolve => flood.listen(0, '127.0.0.1', resolve))
    const { port } = flood.address() as AddressInfo
    const url = `http://127.0.0.1:${port}/docs.git`
    const failure = await failureOf(git.fetchCommit(requestOf(url)))
    assert.deepEqual([failure.kind, failure.code], ['too_large', 'git_too_large'])
    flood.closeAllConnections()
    flood.close()
  })

  it('says that git is not installed', async () => {
    const failure = await failureOf(
      createGit({ searchPath: '/nonexistent' }).fetchCommit(requestOf(server.urlOf('docs.git'))),
    )
    assert.deepEqual([failure.kind, failure.code], ['unavailable', 'git_not_installed'])
    assert.match(failure.message, /PATH/)
  })
})

describe('a host that never answers', () => {
  for (const onlyPacks of [false, true]) {
    it(`${onlyPacks ? 'for the objects ' : ''}is left at the deadline, with no process left behind`, async () => {
      server.misbehave({ kind: 'hang', onlyPacks })
      const request = requestOf(server.urlOf(`docs.git`), { deadlineMs: 400 })
      const failure = await failureOf(git.fetchCommit(request))
      assert.deepEqual([failure.kind, failure.code], ['unavailable', 'git_timeout'])
      await waitFor(() => (processes().some(isAtServer) ? undefined : true))
    })
  }

  it('is left at once when its caller gives up, with the reason of the caller', async () => {
    server.misbehave({ kind: 'hang' })
    const caller = new AbortController()
    const isAsked = nextRequest(server)
    const fetching = git.fetchCommit(requestOf(server.urlOf('docs.git'), { signal: caller.signal }))
    await isAsked
    assert.ok(processes().some(isAtServer))
    caller.abort(new Error('the server stops'))
    await assert.rejects(fetching, /the server stops/)
    await waitFor(() => (processes().some(isAtServer) ? undefined : true))
  })

  it('takes its children with it, and does not get away by ignoring the request to end', async () => {
    const bin = join(root, 'bin')
    await mkdir(bin)
    // Two naps that nobody else on this machine takes.
    const [nap, childsNap] = [`sleep 1${process.pid}`, `sleep 2${process.pid}`]
    const script = `#!/bin/sh
      case "$*" in *version*) echo git version 2.50.0; exit;; esac
      trap '' TERM
      (trap - TERM; exec ${childsNap}) &
      ${nap}
      wait`
    await writeFile(join(bin, 'git'), script, { mode: 0o755 })
    const stubborn = createGit({ searchPath: `${bin}:${SEARCH_PATH}` })
    const failure = await failureOf(
      stubborn.fetchCommit(requestOf(server.urlOf('docs.git'), { deadlineMs: 200 })),
    )
    assert.equal(failure.code, 'git_timeout')
    assert.deepEqual(
      processes().filter(line => line === nap || line === childsNap),
      [],
    )
  })

  it('gives a host that takes a commit all the time until the deadline, which it may spend in silence', async () => {
    const bin = join(root, 'patient')
    await mkdir(bin)
    const seen = join(bin, 'seen')
    const script = `#!/bin/sh
      case "$*" in *version*) echo git version 2.50.0; exit;; esac
      echo "$*" > ${seen}`
    await writeFile(join(bin, 'git'), script, { mode: 0o755 })
    await createGit({ searchPath: `${bin}:${SEARCH_PATH}` }).pushCommit({
      ...{ directory: newDirectory(), remote: parseRemote(server.urlOf('docs.git')), guard },
      ...{ deadlineMs: 20_000, oid: '0'.repeat(40), ref: 'refs/heads/main' },
    })
    const [, last] = (await readFile(seen, 'utf8')).match(/.*http\.lowSpeedTime=(\d+)/) ?? []
    assert.equal(last, '0')
  })

  it('keeps no password that a host repeats as the reason why it takes no commit', async () => {
    const bin = join(root, 'telling')
    await mkdir(bin)
    const secret = 'ghp_telling'
    const script = `#!/bin/sh
      case "$*" in *version*) echo git version 2.50.0; exit;; esac
      printf '!\\tabc:refs/heads/main\\t[remote rejected] (token ${secret} is expired)\\n'
      exit 1`
    await writeFile(join(bin, 'git'), script, { mode: 0o755 })
    const remote = parseRemote(server.urlOf('docs.git').replace('://', `://${secret}@`))
    const request = { directory: newDirectory(), remote, guard, deadlineMs: 20_000 }
    const failure = await failureOf(
      createGit({ searchPath: `${bin}:${SEARCH_PATH}` }).pushCommit({
        ...request,
        oid: '0'.repeat(40),
        ref: 'refs/heads/main',
      }),
    )
    assert.equal(failure.code, 'git_push_refused')
    assert.match(failure.message, /token \[hidden\] is expired/)
  })

  it('keeps no process when ours ends', async () => {
    server.misbehave({ kind: 'hang' })
    const script = `
      import { createGit } from ${JSON.stringify(new URL('./git.ts', import.meta.url).href)}
      import { parseRemote } from ${JSON.stringify(new URL('./remote.ts', import.meta.url).href)}
      import { addressGuard } from ${JSON.stringify(new URL('../addresses.ts', import.meta.url).href)}
      const remote = parseRemote(${JSON.stringify(server.urlOf('docs.git'))})
      process.stdin.once('data', () => process.exit(0))
      await createGit().fetchCommit({ directory: ${JSON.stringify(newDirectory())}, remote, ref: 'main',
        guard: addressGuard(['127.0.0.1']), deadlineMs: 20_000, bytesMax: 1e9 })`
    const isAsked = nextRequest(server)
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['pipe', 'inherit', 'inherit'],
    })
    await isAsked
    assert.ok(processes().some(line => isAtServer(line) && line.includes('remote-http')))
    child.stdin.write('x')
    await waitFor(() =>
      processes().some(line => isAtServer(line) && line.includes('git')) ? undefined : true,
    )
    server.misbehave(undefined)
  })

  it('leaves a cache behind that the next fetch uses', async () => {
    server.misbehave({ kind: 'hang', onlyPacks: true })
    const request = requestOf(server.urlOf('docs.git'), { deadlineMs: 400 })
    await failureOf(git.fetchCommit(request))
    server.misbehave(undefined)
    await git.fetchCommit({ ...request, deadlineMs: 20_000 })
  })
})

describe('the machine', () => {
  it('has no say: neither configuration of the user nor the environment is read', async () => {
    const home = join(root, 'home')
    await mkdir(home, { recursive: true })
    await writeFile(join(home, '.gitconfig'), `[url "http://127.0.0.1:1/"]\n\tinsteadOf = ${server.url}/\n`)
    const before = { ...process.env }
    // A proxy would ask for addresses that nobody checked.
    Object.assign(process.env, {
      HOME: home,
      XDG_CONFIG_HOME: home,
      http_proxy: 'http://127.0.0.1:1',
      GIT_DIR: home,
    })
    try {
      await git.fetchCommit(requestOf(server.urlOf('docs.git')))
    } finally {
      process.env = before
    }
  })
})

describe('a tree', () => {
  it('marks links and submodules', async () => {
    const mixed = await createRepository(root, 'mixed.git')
    const oid = await mixed.commit({
      changes: [
        { path: 'link.md', linkTo: '/etc/passwd' },
        { path: 'module', submodule: '1234567890123456789012345678901234567890' },
        text('page.md', 'p'),
      ],
    })
    const entries = await git.listTree(mixed.directory, oid, { entriesMax: 10 })
    assert.deepEqual(
      entries.map(({ path, kind, size, oddity }) => [path, kind, size, oddity]),
      [
        ['link.md', 'symlink', 11, undefined],
        ['module', 'submodule', 0, undefined],
        ['page.md', 'file', 1, undefined],
      ],
    )
    const files = await readAll(mixed.directory, entries, oid)
    assert.deepEqual(
      [...files],
      [
        ['link.md', '/etc/passwd'],
        ['page.md', 'p'],
      ],
    )
  })

  it('lists what is below a folder with paths from the top, and says when there is no such folder', async () => {
    const { directory, commit } = fetched
    const list = (subdirectory: string) =>
      git.listTree(directory, commit.oid, { entriesMax: 10, subdirectory }).then(all => all.map(e => e.path))
    assert.deepEqual(await list('guides'), ['guides/setup.md', 'guides/ünïcode 漢字.md'])
    assert.deepEqual(await list('/guides/'), ['guides/setup.md', 'guides/ünïcode 漢字.md'])
    for (const missing of ['nope', 'README.md', '../guides', 'guides/..', '-x']) {
      assert.equal((await failureOf(list(missing))).code, 'directory_missing', missing)
    }
    assert.ok((await list('')).length > 2)
  })

  it('with names that are no text, or no names, says so', async () => {
    const odd = await createRepository(root, 'odd.git')
    const blob = await writeBlob(odd, 'x')
    const inner = await writeTree(odd, [{ mode: '100644', name: 'in.md', oid: blob }])
    const names: (string | Buffer)[] = [
      Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x2e, 0x6d, 0x64]),
      '..',
      '/etc',
      'a\\b.md',
      'tab\t.md',
      'line\n.md',
      'fine.md',
      'fine.md',
      'x'.repeat(5000),
    ]
    const tree = await writeTree(odd, [
      ...names.map(name => ({ mode: '100644', name, oid: blob })),
      { mode: '40000', name: '.git', oid: inner },
      { mode: '40000', name: '..', oid: inner },
    ])
    await commitTree(odd, tree)
    const request = requestOf(server.urlOf('odd.git'))
    const { oid } = await git.fetchCommit(request)
    const entries = await git.listTree(request.directory, oid, { entriesMax: 20 })
    assert.deepEqual(
      entries.map(({ path, oddity }) => [path.slice(0, 20), oddity]),
      [
        ['caf\ufffd.md', 'not_utf8'],
        ['..', 'unsafe'],
        ['/etc', 'unsafe'],
        ['a\\b.md', 'unsafe'],
        ['tab\t.md', 'unsafe'],
        ['line\n.md', 'unsafe'],
        ['fine.md', undefined],
        ['fine.md', 'duplicate'],
        ['x'.repeat(20), 'too_long'],
        ['.git/in.md', 'unsafe'],
        ['../in.md', 'unsafe'],
      ],
    )
  })

  it('of 100,000 files is refused at the bound without being read whole, and listed when it is allowed', async () => {
    const { directory, oid } = await hugeTree()
    const failure = await failureOf(git.listTree(directory, oid, { entriesMax: 50_000 }))
    assert.deepEqual([failure.kind, failure.code], ['too_large', 'too_many_files'])
    assert.match(failure.message, /50000/)
    assert.equal((await git.listTree(directory, oid, { entriesMax: 100_000 })).length, 100_000)
  })

  it('that is a bomb of folders, with or without files, ends at the bound', async () => {
    const bomb = await createRepository(root, 'bomb.git')
    const blob = await writeBlob(bomb, '')
    const nest = async (leaf: Parameters<typeof writeTree>[1]): Promise<string> => {
      let tree = await writeTree(bomb, leaf)
      for (let level = 0; level < 10; level++) {
        tree = await writeTree(
          bomb,
          Array.from({ length: 10 }, (_, i) => ({ mode: '40000', name: `d${i}`, oid: tree })),
        )
      }
      return tree
    }
    await commitTree(bomb, await nest([{ mode: '100644', name: 'f', oid: blob }]))
    const request = requestOf(server.urlOf('bomb.git'))
    const full = await git.fetchCommit(request)
    const failure = await failureOf(git.listTree(request.directory, full.oid, { entriesMax: 50_000 }))
    assert.equal(failure.code, 'too_many_files')

    const empty = await commitTree(bomb, await nest([]))
    const endless = await failureOf(git.listTree(bomb.directory, empty, { entriesMax: 5_000 }))
    assert.equal(endless.code, 'too_many_files')
    assert.match(endless.message, /20000 folders/)
  })
})

describe('reading blobs', () => {
  it('gives them in the order asked for, the same one twice, and those too large without bytes', async () => {
    const { directory, entries } = fetched
    const readme = entries.find(({ path }) => path === 'README.md')?.oid ?? ''
    const setup = entries.find(({ path }) => path === 'guides/setup.md')?.oid ?? ''
    const found = await collect(git.readBlobs(directory, [setup, readme, setup], { bytesMax: 6 }))
    assert.deepEqual(
      found.map(({ size, bytes }) => [size, bytes?.toString()]),
      [
        [6, 'Setup\n'],
        [8, undefined],
        [6, 'Setup\n'],
      ],
    )
  })

  it('stops git when the reader leaves early', async () => {
    const { directory, entries } = fetched
    const oids = Array.from({ length: 100_000 }, () => entries[0]?.oid ?? '')
    for await (const { bytes } of git.readBlobs(directory, oids, { bytesMax: 100 })) {
      assert.ok(bytes !== undefined)
      break
    }
    const launcher = processes('ppid=,pid=,args=')
      .map(line => line.trim().split(/ +/))
      .find(([parent, , ...args]) => parent === `${process.pid}` && /launcher-process/.test(args.join(' ')))
    assert.ok(launcher)
    const isOurs = (line: string): boolean => line.startsWith(`${launcher[1]} git`)
    await waitFor(() => (processes('ppid=,args=').map(trim).some(isOurs) ? undefined : true))
  })

  it('streams a blob too large to hold', async () => {
    const [entry] = await git.listTree(large.directory, 'main', { entriesMax: 1 })
    let size = 0
    for await (const chunk of git.streamBlob(large.directory, entry?.oid ?? '')) size += chunk.length
    assert.equal(size, 500_000)
  })

  it('that are not there says that the cache is damaged', async () => {
    const { directory } = await copied()
    const reading = collect(git.readBlobs(directory, ['1'.repeat(40)], { bytesMax: 100 }))
    assert.equal((await failureOf(reading)).code, 'git_cache_damaged')
  })
})

/** Bytes that no compression makes smaller, the same every time. */
function noise(seed: number, size: number): Buffer {
  const bytes = Buffer.alloc(size)
  let state = seed
  for (let at = 0; at < size; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    bytes[at] = state >>> 24
  }
  return bytes
}

async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = []
  for await (const value of values) collected.push(value)
  return collected
}

/** A hundred folders, which are one tree of a thousand files, which are one blob. */
async function hugeTree() {
  const huge = await createRepository(root, 'huge.git')
  const blob = await writeBlob(huge, 'x')
  const files = Array.from({ length: 1000 }, (_, at) => ({
    mode: '100644',
    name: `f${1000 + at}.md`,
    oid: blob,
  }))
  const folder = await writeTree(huge, files)
  const folders = Array.from({ length: 100 }, (_, at) => ({
    mode: '40000',
    name: `d${100 + at}`,
    oid: folder,
  }))
  const oid = await commitTree(huge, await writeTree(huge, folders))
  // Git would open the file of the blob anew for each of the names.
  await huge.git(['repack', '-a', '-d', '-q'])
  return { directory: huge.directory, oid }
}

/** Resolves once somebody asks the server something. */
const nextRequest = ({ requests }: GitServer): Promise<true> => {
  const { length } = requests
  return waitFor(() => (requests.length > length ? true : undefined))
}

/** Every process of this machine. */
const processes = (columns = 'args='): string[] => execFileSync('ps', ['-eo', columns]).toString().split('\n')
const trim = (line: string): string => line.trim()
const isAtServer = (line: string): boolean => line.includes(`:${server.port}/`)

/** The limit on a test ends a wait for what never comes. */
async function waitFor<T>(look: () => T | undefined): Promise<T> {
  for (;;) {
    const found = look()
    if (found !== undefined) return found
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => probe.once('listening', resolve))
  const address = probe.address()
  await new Promise(resolve => probe.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}
