// A whole job by the official client: it finds the sign-in, registers, a person allows it in a browser, and it finds a
// page, proposes a change of some words, answers a review, merges and undoes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { spaceWith } from '../../test/support/pages.ts'
import { allow, codeOf, RESOURCE, tabOf } from '../../test/support/programs.ts'
import { type World, world } from '../../test/support/world.ts'

const w = await world()

/** What a program keeps of its sign-in. */
class Program implements OAuthClientProvider {
  readonly redirectUrl = 'http://127.0.0.1:52717/callback'
  readonly clientMetadata = { client_name: 'Job', redirect_uris: ['http://127.0.0.1/callback'] }
  #client: OAuthClientInformationMixed | undefined
  #tokens: OAuthTokens | undefined
  #verifier = ''
  sentTo: URL | undefined

  clientInformation() {
    return this.#client
  }
  saveClientInformation(client: OAuthClientInformationMixed) {
    this.#client = client
  }
  tokens() {
    return this.#tokens
  }
  saveTokens(tokens: OAuthTokens) {
    this.#tokens = tokens
  }
  codeVerifier() {
    return this.#verifier
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier
  }
  redirectToAuthorization(url: URL) {
    this.sentTo = url
  }
}

/** Requests to the public address of the server, without a network. */
const fetchOf =
  ({ app }: World): typeof fetch =>
  async (address, init = {}) => {
    const url = new URL(address instanceof Request ? address.url : address)
    const { statusCode, headers, rawPayload } = await app.inject({
      method: (init.method ?? 'GET') as 'GET',
      url: url.pathname + url.search,
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(init.body == null ? {} : { payload: String(init.body) }),
    })
    const given = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
    const isEmpty = [204, 304].includes(statusCode) || rawPayload.length === 0
    return new Response(isEmpty ? null : new Uint8Array(rawPayload), { status: statusCode, headers: given })
  }

const transportOf = (authProvider: OAuthClientProvider) =>
  new StreamableHTTPClientTransport(new URL(RESOURCE), { authProvider, fetch: fetchOf(w) })

/** The client, after a person has allowed it this much. */
async function connected(level: string): Promise<Client> {
  const program = new Program()
  const first = transportOf(program)
  await assert.rejects(
    new Client({ name: 'job', version: '1' }).connect(first as Transport),
    UnauthorizedError,
  )
  assert.ok(program.sentTo !== undefined)
  const address = program.sentTo.pathname + program.sentTo.search
  await first.finishAuth(codeOf(await allow(await tabOf(w, 'admin'), address, { level })))
  const client = new Client({ name: 'job', version: '1' })
  await client.connect(transportOf(program) as Transport)
  // The client checks what tools answer against their schemas, once it knows them.
  await client.listTools()
  return client
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the data should have
type Answer = { readonly text: string; readonly data: any; readonly isError: boolean }

async function use(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Answer> {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args })
  const [{ text }] = content as [{ text: string }]
  return { text, data: structuredContent, isError: isError === true }
}

test('a program that was allowed to merge does a whole job: find, propose, discuss, merge, undo', async () => {
  const space = await spaceWith(w, {
    'README.md': '# Weather\n\nWhat to do outside.\n',
    'rain.md': '# Rain\n\nTake the yellow umbrella along.\n\nThe umbrella folds.\n',
  })
  const client = await connected('merge')
  const { data: found } = await use(client, 'search', { query: 'umbrella', space })
  const [{ page, address }] = found.pages
  const read = await use(client, 'read_page', { address: `${address}.md` })
  assert.equal(read.data.page, page)

  const { data: opened } = await use(client, 'create_change_request', { space, subject: 'Red is warmer' })
  const at = { space, changeRequest: opened.number }
  const replace = (old: string) => ({ operation: 'replace_text', page, old, new: 'red umbrella' })
  const twice = await use(client, 'edit_change_request', {
    ...at,
    changes: [replace('umbrella'), replace('snow')],
  })
  assert.equal(twice.isError, true)
  assert.match(twice.text, /changes\.0\.old: .* 2 times, at the lines 3, 5\./)
  assert.match(twice.text, /changes\.1\.old: these words are not in page/)
  const edited = await use(client, 'edit_change_request', { ...at, changes: [replace('yellow umbrella')] })
  assert.equal(edited.isError, false, edited.text)
  assert.match((await use(client, 'read_changes', at)).text, /\+ Take the red umbrella along\./)

  const left = await use(client, 'list_change_requests', { space })
  assert.deepEqual([left.data.count, left.data.others], [0, 1])
  assert.match(left.text, /Left out: 1 change request with another status/)
  assert.equal((await use(client, 'submit_change_request', at)).data.status, 'open')
  const asked = await use(client, 'request_reviewers', { ...at, users: [w.people.review.id] })
  assert.equal(asked.isError, false, asked.text)
  const path = `/spaces/${space}/change-requests/${opened.number}`
  await w.call('POST', `${path}/reviews`, {
    as: 'review',
    body: { status: 'approved', comment: { markdown: 'Is red in stock?' } },
  })
  const state = await use(client, 'read_change_request', at)
  assert.equal(state.data.reviews[0].status, 'approved')
  assert.equal(state.data.mergeable, true, state.text)
  const { data: said } = await use(client, 'read_comments', at)
  assert.equal(said.comments[0].text.trim(), 'Is red in stock?')
  await use(client, 'comment', { ...at, replyTo: said.comments[0].id, text: 'It is.' })
  const { data: answered } = await use(client, 'read_comments', at)
  assert.equal(answered.comments[0].replies[0].text.trim(), 'It is.')

  const merged = await use(client, 'merge_change_request', at)
  assert.deepEqual([merged.isError, merged.data.done], [false, true], merged.text)
  assert.match((await use(client, 'read_page', { space, page })).text, /red umbrella/)
  const proposed = await use(client, 'undo', at)
  assert.equal(proposed.data.changeRequest.status, 'draft', proposed.text)
  assert.match((await use(client, 'read_page', { space, page })).text, /red umbrella/)
  const undone = await use(client, 'undo', { ...at, how: 'now' })
  assert.equal(undone.data.done, true, undone.text)
  assert.match((await use(client, 'read_page', { space, page })).text, /yellow umbrella/)
  await client.close()
})

test('a program that was allowed to propose neither reviews, merges nor undoes at once', async () => {
  const space = await spaceWith(w, { 'README.md': '# Weather\n' })
  const client = await connected('propose')
  const { data: opened } = await use(client, 'create_change_request', { space, subject: 'More' })
  const at = { space, changeRequest: opened.number }
  const { revision } = (await w.call('GET', `/spaces/${space}`)).body
  for (const refused of [
    await use(client, 'review_change_request', { ...at, verdict: 'approved' }),
    await use(client, 'merge_change_request', at),
    await use(client, 'undo', { space, revision, how: 'now' }),
  ]) {
    assert.equal(refused.isError, true)
    assert.match(refused.text, /lacks the scope/)
  }
  await client.close()
})

test('wrong arguments are named all at once, with the names that there are', async () => {
  const client = await connected('read')
  const { text, isError } = await use(client, 'edit_change_request', {
    place: 'here',
    space: 'a/b',
    changes: [{ operation: 'rename_page' }, { operation: 'replace_text', page: 'x', old: '', text: 'y' }],
  })
  assert.equal(isError, true)
  assert.deepEqual(text.split('\n').sort(), [
    'arguments.changeRequest: this is required.',
    'arguments.changes.0.operation: must be one of insert_page, update_page, replace_text, delete_page.',
    'arguments.changes.1.new: this is required.',
    'arguments.changes.1.old: must not have fewer than 1 characters.',
    'arguments.changes.1.text: there is no such argument. There are: operation, page, old, new.',
    'arguments.place: there is no such argument. There are: space, changeRequest, changes.',
    'arguments.space: must be an id, which has no slash.',
  ])
  await client.close()
})

test('a page that is named by no id is told from a space that is not there, with what takes a path', async () => {
  const space = await spaceWith(w, { 'README.md': '# Weather\n', 'rain.md': '# Rain\n\nTake it along.\n' })
  const client = await connected('propose')
  const textOf = async (tool: string, input: Record<string, unknown>) => {
    const { text, isError } = await use(client, tool, input)
    assert.equal(isError, true, text)
    return text
  }
  assert.equal(
    await textOf('read_page', { space, page: 'rain' }),
    'arguments.page: there is no page with this id, or you may not see it. search and list_pages give ids; a path goes into the argument path.',
  )
  assert.match(
    await textOf('read_page', { space, path: 'snow' }),
    /with this path.* list_pages gives the paths/,
  )
  assert.match(await textOf('read_page', { space: 'nowhere', page: 'rain' }), /no such space/)
  const { data: opened } = await use(client, 'create_change_request', { space, subject: 'More' })
  const replace = (page: string) => ({ operation: 'replace_text', page, old: 'Take', new: 'Leave' })
  assert.deepEqual(
    (
      await textOf('edit_change_request', {
        space,
        changeRequest: opened.number,
        changes: [replace('rain'), replace('snow')],
      })
    ).split('\n'),
    [
      'arguments.changes.0.page: there is no page with the id rain here. list_pages gives the ids of pages.',
      'arguments.changes.1.page: there is no page with the id snow here. list_pages gives the ids of pages.',
      'Nothing was changed.',
    ],
  )
  await client.close()
})
