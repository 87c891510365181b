// Nobody holds the one thread that answers everybody: pages that are as costly as a page can be are written, read,
// compared, commented and merged, a large repository is imported, and the server logs how long it was held without a
// pause.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { costlyPages } from '../support/costly-pages.ts'
import { startGitServer } from '../support/git-server.ts'
import { tooLongHold } from '../support/holds.ts'
import { anyInstallation, isPostgres } from '../support/own-database.ts'
import { type Reply, type Server, serve, slowness, temporaryFolder } from '../support/process.ts'
import { createRepository } from '../support/repositories.ts'
import { isWhole } from '../support/slice.ts'

const CHARACTERS = 30_000
// What one page may have, about.
const CHARACTERS_MAX = 490_000
const IMPORTED_PAGES = 3_000
// Its rich document has up to a hundred times as many, and reading JSON is what every body costs.
const RICH_CHARACTERS = 12_000
// What one request may write.
const FILES = 20
const FILE_BYTES = 1024 * 1024
const BODY_BYTES = 3_000_000
const WRONG_CHANGES = 7_000
const LAST_WORDS_CHARACTERS = 5_000
const METRICS_TOKEN = 'a-token-for-metrics'
const SHAPES = costlyPages(CHARACTERS)
// What has the most elements, goes deepest, and is coloured or looked up by others. The rest is done with as these are:
// `node test/torture.ts stalls`.
const SLICE: readonly string[] = ['rows of a table', 'tags in each other', 'one line of code', 'links']
// What docs/operations.md promises. A processor that others use at the same time takes longer now and then, so one hold
// may be twice as long; what the server does by itself shows each time.
const HELD_MS_MAX = 50
const HELD_ONCE_MS_MAX = 2 * HELD_MS_MAX
const TRIES = 3

/** A flat one: the navigation of each page has all pages. */
function* largeProject() {
  const names = Array.from({ length: IMPORTED_PAGES }, (_, at) => `page-${at}`)
  yield { path: 'SUMMARY.md', content: names.map(name => `* [${name}](${name}.md)\n`).join('') }
  for (const name of names) yield { path: `${name}.md`, content: `# ${name}\n\nWords of ${name}.\n` }
}

// What is done with a page of some shape, no engine sees; how much it is, each has to carry.
const skip = isPostgres && 'pages of any shape take the same way on every engine'

describe('costly pages', () => {
  let server: Server
  let organization = ''

  before(async () => {
    const { home, env } = await anyInstallation()
    server = await serve(home, { env: { ...env, OCTAVO_METRICS_TOKEN: METRICS_TOKEN } })
    organization = (await server.call('GET', '/orgs')).body.items[0].id
  })

  const ok = (reply: Reply): Reply => {
    assert.ok(reply.status < 300, reply.text.slice(0, 500))
    return reply
  }

  const post = async (path: string, body: unknown) => ok(await server.call('POST', path, { body })).body
  const get = async (path: string) => ok(await server.call('GET', path)).body
  const write = (at: string, ...changes: object[]) => post(`${at}/content?compat=false`, { changes })

  async function newSpace(title: string): Promise<{ id: string; path: string }> {
    const { id } = await post(`/orgs/${organization}/spaces`, { title, visibility: 'public' })
    return { id, path: `/spaces/${id}` }
  }

  /** A page of a new space. */
  async function written(title: string, markdown: string) {
    const space = await newSpace(title)
    const made = await write(space.path, { operation: 'insert_page', title, document: { markdown } })
    return { ...space, page: made.changes[0].page.id as string }
  }

  async function print(path: string, form: 'print' | 'pdf'): Promise<void> {
    const { pathname, search } = new URL((await get(`${path}/pdf`)).url)
    assert.equal((await server.get(pathname.replace('/pdf/', `/${form}/`) + search)).status, 200)
  }

  /** Everything that is done with a page. */
  async function walk(markdown: string, title: string): Promise<void> {
    const { id, path, page } = await written(title, markdown)
    await get(`${path}/content/page/${page}?format=markdown`)
    await get(`${path}/content/page/${page}?format=document`)
    const short = { markdown: markdown.slice(0, RICH_CHARACTERS) }
    const rich = (await write(path, { operation: 'insert_page', title: 'Rich', document: short })).changes[0]
      .page
    const { document } = await get(`${path}/content/page/${rich.id}?format=document`)
    await write(path, {
      operation: 'update_page',
      page: rich.id,
      document: { document: withWords(document) },
    })
    await print(path, 'print')
    for (let reading = 0; reading < 2; reading++) assert.equal((await server.get(`/s/${id}`)).status, 200)
    assert.equal((await server.get(`/s/${id}/llms-full.txt`)).status, 200)
    await get(`${path}/content/page/${page}/links`)
    const changeRequest = await post(`${path}/change-requests`, {})
    const at = `${path}/change-requests/${changeRequest.id}`
    await write(at, { operation: 'update_page', page, document: { markdown: `${markdown}\n\nThe end.` } })
    await get(`${at}/changes`)
    const comment = { page, node: 'nowhere', body: { markdown: 'Words.' } }
    assert.equal((await server.call('POST', `${path}/comments`, { body: comment })).status, 400)
    await write(path, { operation: 'update_page', page, document: { markdown: `The top.\n\n${markdown}` } })
    await post(`${at}/merge`, {})
    await write(path, { operation: 'update_page', page, title: 'Other' })
    await get(`${path}/search?query=top`)
  }

  /** A rich document with something to say at its end. */
  const withWords = (document: { nodes: object[] }) => {
    const leaf = { object: 'leaf', text: 'More words.', marks: [] }
    const text = { object: 'text', leaves: [leaf] }
    return { ...document, nodes: [...document.nodes, { object: 'block', type: 'paragraph', nodes: [text] }] }
  }

  // Only here a server that died says why: how it ended, and its last output.
  async function explain(cause: unknown): Promise<never> {
    if (cause instanceof assert.AssertionError) throw cause
    const { code, signal, stderr } = await server.ended
    throw new Error(`the server ended (${code ?? signal}): ${stderr.slice(-LAST_WORDS_CHARACTERS)}`, {
      cause,
    })
  }

  /** Fails where what `walking` does holds the server for longer than is promised, each time that it is tried. */
  async function assertNotHeld(walking: () => Promise<void>): Promise<void> {
    let hold: string | undefined
    for (let tries = 0; tries < TRIES; tries++) {
      const from = server.stderr.length
      await walking().catch(explain)
      const log = server.stderr.slice(from)
      assert.equal(tooLongHold(log, slowness, HELD_ONCE_MS_MAX), undefined)
      hold = tooLongHold(log, slowness, HELD_MS_MAX)
      if (hold === undefined) return
    }
    assert.fail(hold)
  }

  test(
    'a page as long as a page may be is read as a document, written as one and printed, and holds nobody',
    {
      skip,
    },
    () =>
      assertNotHeld(async () => {
        const { path, page } = await written('Long', costlyPages(CHARACTERS_MAX).links)
        const { document } = await get(`${path}/content/page/${page}?format=document`)
        await write(path, { operation: 'update_page', page, document: { document: withWords(document) } })
        await print(path, 'print')
        await print(path, 'pdf')
      }),
  )

  test('bodies as large as bodies may be hold nobody, whatever they consist of', () =>
    assertNotHeld(async () => {
      const { path } = await newSpace('Large')
      const send = async (payload: string) => {
        const headers = { 'content-type': 'application/json' }
        return (await server.call('POST', `${path}/content`, { payload, headers })).status
      }
      for (const piece of ['{},', '[],', '1,', '"a",'])
        assert.equal(await send(`{"changes":[${piece.repeat(BODY_BYTES / piece.length)}1]}`), 413)
      const wrong = '{"operation":"insert_page","title":1},'
      assert.equal(await send(`{"changes":[${wrong.repeat(WRONG_CHANGES)}1]}`), 400)
      const files = Array.from({ length: FILES }, (_, at) => ({
        ...{ name: `${at}.bin`, contentType: 'application/octet-stream' },
        base64: Buffer.alloc(FILE_BYTES, at).toString('base64'),
      }))
      const body = { changes: [{ operation: 'insert_files', files }] }
      for (const headers of [{}, { 'idempotency-key': `files of ${path}` }])
        ok(await server.call('POST', `${path}/content?compat=false`, { body, headers }))
    }))

  test('a large import holds nobody, what it became is read, and requests meanwhile are answered', () =>
    assertNotHeld(async () => {
      const root = temporaryFolder()
      const host = await startGitServer({ root })
      const repository = await createRepository(root)
      await repository.commit({ changes: largeProject() })
      const { path, id } = await newSpace('Imported')
      ok(
        await server.call('POST', `${path}/git/import`, {
          body: { url: host.urlOf(repository.name), ref: 'refs/heads/main' },
        }),
      )
      const last = async () => (await get(`${path}/git/operations`)).items[0]
      let operation = await last()
      for (; operation.state === 'running'; operation = await last()) await sleep(20)
      assert.equal(operation.state, 'success')
      await host.close()
      const { pages } = await get(`${path}/content/pages`)
      assert.equal(pages.length, IMPORTED_PAGES)
      await get(`${path}/content`)
      const { status, text } = await server.get(`/s/${id}/page-7`)
      assert.equal(status, 200)
      const [, styles = ''] = /href="(\/[^"]+\.css)"/.exec(text) ?? []
      assert.notEqual(styles, '')
      assert.equal((await server.get(styles)).status, 200)
      const list = await server.get(`/s/${id}/llms.txt`)
      assert.equal(list.text.match(/^- \[/gm)?.length, IMPORTED_PAGES)
      const texts = await server.get(`/s/${id}/llms-full.txt`)
      assert.equal(texts.text.match(/^Source: /gm)?.length, IMPORTED_PAGES)
    }))

  for (const [name, markdown] of Object.entries(SHAPES)) {
    if (!isWhole && !SLICE.includes(name)) continue
    test(`${name}: nothing that is done with them holds the server`, { skip }, () =>
      assertNotHeld(() => walk(markdown, name)),
    )
  }

  test('the metrics have it, and need their token', async () => {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
    const { text } = ok(await server.call('GET', '/../metrics', { token: null, headers }))
    assert.match(text, /^octavo_loop_hold_seconds_count \d+$/m)
    assert.match(text, /^octavo_pool_done_total\{pool="tasks"\} [1-9]\d*$/m)
    for (const pool of ['transactions', 'highlighting'])
      assert.match(text, new RegExp(`^octavo_pool_waiting\\{pool="${pool}"\\} \\d+$`, 'm'))
    assert.equal((await server.get('/metrics')).status, 401)
  })
})
