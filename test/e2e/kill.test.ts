// kill -9 in the middle of everything: what was acknowledged is there afterwards, what was not is whole or absent, what
// is sent again under its key has happened once, and the folder opens. `node test/torture.ts kill` does it many times.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client } from 'pg'
import { type GitServer, startGitServer } from '../support/git-server.ts'
import { anyInstallation, isPostgres } from '../support/own-database.ts'
import { type Server, serve, temporaryFolder } from '../support/process.ts'
import { createRepository } from '../support/repositories.ts'

const KILLS = Number(process.env.OCTAVO_E2E_KILLS ?? 1)
const PAGES = 250
const CONNECTIONS = 4

let host: GitServer

before(async () => {
  const root = temporaryFolder()
  const repository = await createRepository(root)
  await repository.commit({
    changes: Array.from({ length: PAGES }, (_, index) => ({
      path: `part-${index % 40}/page-${index}.md`,
      content: `# Page ${index}\n\nWords of page ${index}, and a [link](page-${index + 40}.md).\n`,
    })),
  })
  host = await startGitServer({ root })
})
after(() => host?.close())

/** When a round is killed. */
type Moment = { readonly writes: number } | { readonly stage: 'repo_fetch' | 'content_process' | 'finalize' }

// First when some writes are done, and the import is not; then also at the stages of an import, which may be over sooner
// than it is seen.
const momentOf = (round: number): Moment =>
  [
    { writes: 12 + ((round * 13) % 50) },
    { stage: 'content_process' } as const,
    { stage: 'finalize' } as const,
    { stage: 'repo_fetch' } as const,
  ][round % 4] as Moment

/** Everything the server has said yes to, in all rounds. */
class Acknowledged {
  /** By id; where a change was on its way when the process died, both titles are right. */
  readonly titles = new Map<string, ReadonlySet<string>>()
  readonly tokens = new Set<string>()
  readonly revoked = new Set<string>()
  readonly imports: { readonly space: string; readonly operation: string }[] = []
  writes = 0
}

/** Every title was sent under a key that is its title; what the first answer was, where there was one. */
type Sent = Map<string, string | undefined>

const createSpace = (call: Server['call'], spaces: string, title: string) =>
  call('POST', spaces, { body: { title }, headers: { 'idempotency-key': title } })

test('kill -9 while many write and an import runs: what was acknowledged is there after the next start, what is sent again under its key has happened once, and the import can be started again', async t => {
  const { home, env } = await anyInstallation()
  const known = new Acknowledged()
  let server = await serve(home, { env })
  for (let round = 0; round < KILLS; round += 1) {
    const before = known.writes
    const sent: Sent = new Map()
    await killDuring(server, known, sent, momentOf(round), round)
    t.diagnostic(`killed at ${JSON.stringify(momentOf(round))} after ${known.writes - before} writes`)
    await believeDead(env.DATABASE_URL)
    server = await serve(home, { env })
    await checkAll(server, known)
    t.diagnostic(`${sent.size} were sent again: ${JSON.stringify(await sendAgain(server, sent))}`)
  }
  await importAgain(server, known)
  assert.equal((await server.end('SIGTERM')).code, 0)
})

/** Writes from several connections and imports until the moment has come. */
async function killDuring(
  server: Server,
  known: Acknowledged,
  sent: Sent,
  moment: Moment,
  round: number,
): Promise<void> {
  const spaces = await spacesOf(server)
  const { body: space } = await server.call('POST', spaces, { body: { title: `Imported ${round}` } })
  known.titles.set(space.id, new Set([space.title]))
  const isDead = Promise.withResolvers<never>()
  isDead.promise.catch(() => {})
  const kill = () => {
    server.signal('SIGKILL')
    isDead.reject(new Error('killed'))
  }
  const startedAt = known.writes
  const tell = () => {
    known.writes += 1
    if ('writes' in moment && known.writes - startedAt >= moment.writes) kill()
  }
  const call: Server['call'] = (...parameters) => Promise.race([server.call(...parameters), isDead.promise])

  const write = async (connection: number) => {
    for (let index = 0; ; index += 1) {
      const name = `${round}.${connection}.${index}`
      sent.set(name, undefined)
      const { status, text, body: created } = await createSpace(call, spaces, name)
      assert.equal(status, 201)
      sent.set(name, text)
      known.titles.set(created.id, new Set([name]))
      tell()
      known.titles.set(created.id, new Set([name, `${name} changed`]))
      const changed = await call('PATCH', `/spaces/${created.id}`, { body: { title: `${name} changed` } })
      assert.equal(changed.status, 200)
      known.titles.set(created.id, new Set([`${name} changed`]))
      tell()
      const { body: token } = await call('POST', '/user/tokens', { body: { label: name } })
      known.tokens.add(token.token)
      tell()
      if (index % 2 === 1) continue
      known.tokens.delete(token.token)
      assert.equal((await call('DELETE', `/user/tokens/${token.id}`)).status, 204)
      known.revoked.add(token.token)
      tell()
    }
  }

  const importAndWatch = async () => {
    const operation = await startImport({ call }, space.id)
    known.imports.push({ space: space.id, operation })
    tell()
    for (;;) {
      const { body } = await call('GET', operation)
      const isThere = 'stage' in moment && body.stage === moment.stage
      if (isThere || body.state !== 'running') return kill()
    }
  }

  const outcomes = await Promise.allSettled([
    importAndWatch(),
    ...Array.from({ length: CONNECTIONS }, (_, connection) => write(connection)),
  ])
  await server.ended
  for (const outcome of outcomes)
    if (outcome.status === 'rejected' && outcome.reason instanceof assert.AssertionError) throw outcome.reason
}

async function checkAll(server: Server, known: Acknowledged): Promise<void> {
  for (const [id, titles] of known.titles) {
    const { status, body } = await server.call('GET', `/spaces/${id}`)
    assert.equal(status, 200, `the space ${[...titles]} is gone`)
    assert.ok(titles.has(body.title), `${body.title} should be ${[...titles].join(' or ')}`)
  }
  for (const token of known.tokens)
    assert.equal((await server.call('GET', '/user', { token })).status, 200, 'a token is gone')
  for (const token of known.revoked)
    assert.equal((await server.call('GET', '/user', { token })).status, 401, 'a revoked token is back')
  for (const { space, operation } of known.imports) {
    const { body } = await server.call('GET', operation)
    const { body: content } = await server.call('GET', `/spaces/${space}/content/pages`)
    const pages = JSON.stringify(content).match(/"title":"Page \d+"/g)?.length ?? 0
    assert.equal(pages, body.state === 'success' ? PAGES : 0, 'half an import')
    // On PostgreSQL other processes may still be at work: there an operation counts as lost after a minute of silence.
    if (body.state === 'success' || (isPostgres && body.state === 'running')) continue
    assert.deepEqual([body.state, body.errorCode], ['failure', 'interrupted'])
    assert.match(body.error, /stopped before this was done.*start it again/)
  }
}

/** On a server another process may still be alive, so a claim runs out by the clock; this is that clock. */
async function believeDead(url: string | undefined): Promise<void> {
  if (url === undefined) return
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('update idempotency_keys set claimed_until = now()')
  await client.end()
}

/** What was answered is answered alike, and what was not is carried out or lost, and never twice. */
async function sendAgain(server: Server, sent: Sent): Promise<Record<string, number>> {
  const spaces = await spacesOf(server)
  const counts = { replayed: 0, carriedOut: 0, lost: 0 }
  for (const [title, answer] of sent) {
    const { status, text, body, headers } = await createSpace(server.call, spaces, title)
    if (status === 201) {
      const isReplayed = headers.get('idempotency-replayed') === 'true'
      if (answer !== undefined) assert.deepEqual([isReplayed, text], [true, answer])
      counts[isReplayed ? 'replayed' : 'carriedOut'] += 1
    } else {
      assert.equal(answer, undefined, 'what was answered once is answered again')
      assert.match(body.error.message, /its answer was lost/)
      counts.lost += 1
    }
  }
  const titles = await titlesIn(server, spaces)
  for (const title of sent.keys()) {
    const made = titles.filter(made => made === title || made === `${title} changed`)
    assert.equal(made.length, 1, `${title} was made ${made.length} times`)
  }
  return counts
}

async function titlesIn(server: Server, spaces: string): Promise<string[]> {
  const titles: string[] = []
  let page = ''
  do {
    const { body } = await server.call('GET', `${spaces}?limit=1000${page}`)
    titles.push(...body.items.map(({ title }: { title: string }) => title))
    page = body.next === undefined ? '' : `&page=${body.next.page}`
  } while (page !== '')
  return titles
}

async function spacesOf({ call }: Pick<Server, 'call'>): Promise<string> {
  const { body } = await call('GET', '/orgs')
  return `/orgs/${body.items[0].id}/spaces`
}

/** An import that was killed comes to its end when it is started again. */
async function importAgain(server: Server, { imports }: Acknowledged): Promise<void> {
  const { space } = imports[0] ?? assert.fail('an import was killed')
  const operation = await startImport(server, space)
  for (;;) {
    const { body } = await server.call('GET', operation)
    if (body.state === 'running') continue
    assert.deepEqual([body.state, body.error], ['success', undefined])
    break
  }
  const { text } = await server.call('GET', `/spaces/${space}/content/pages`)
  assert.equal(text.match(/"title":"Page \d+"/g)?.length, PAGES)
}

async function startImport({ call }: Pick<Server, 'call'>, space: string): Promise<string> {
  const { headers } = await call('POST', `/spaces/${space}/git/import`, {
    body: { url: host.urlOf('docs.git'), ref: 'refs/heads/main' },
  })
  return new URL(headers.get('location') ?? '').pathname.replace('/v1', '')
}
