// Visitors of a space read its published content and do nothing else. Every operation is called with
// every kind of proof, so a new one is refused to visitors, or is listed in READINGS below.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../../src/api/index.ts'
import { newId } from '../../src/base/ids.ts'
import type { Operation } from '../../src/http/operation.ts'
import { installationToken } from '../support/installations.ts'
import { PIXEL, publishFiles } from '../support/pages.ts'
import { inSeconds, shareLinkOf, signToken, visitorKeyOf, visitorTokenOf } from '../support/visitors.ts'
import { type Call, world } from '../support/world.ts'

const w = await world()

/** What visitors may call: of the head, and of the revision that is the head. */
const READINGS: ReadonlySet<string> = new Set([
  ...['getSpaceById', 'searchSpaceContent', 'getDocumentById'],
  ...['getCurrentRevision', 'listPages', 'listFiles', 'getFileById'],
  ...['getPageById', 'getPageByPath', 'getReusableContentById'],
  ...['getRevisionById', 'listPagesInRevisionById', 'listFilesInRevisionById', 'getFileInRevisionById'],
  ...['getPageInRevisionById', 'getPageInRevisionByPath', 'getReusableContentInRevisionById'],
  ...['getPageDocumentInRevisionById', 'getReusableContentDocumentInRevisionById'],
  ...['getComputedDocument', 'getComputedRevision', 'getPageHtml', 'getPageHtmlInRevision'],
])

const computedBody = (props: object) => ({
  source: {
    ...{ type: 'builtin:openapi', props },
    dependencies: { spec: { ref: { kind: 'openapi', spec: 'nothing' } } },
  },
  seed: '',
})
/** Of those that are asked with a body; all others are refused before theirs is read. */
const BODIES: Readonly<Record<string, object>> = {
  getComputedDocument: computedBody({ doc: 'info', page: 'absent' }),
  getComputedRevision: computedBody({ models: true }),
}

const isOpen = ({ may }: Operation) => may === 'anyone'
const isOfSpaces = ({ path }: Operation) => path.startsWith('/spaces/{spaceId}')

/** A space with one of everything that an operation can be about. */
async function scene(visibility: string) {
  const { id } = await w.createSpace({ title: 'Manual', visibility })
  await publishFiles(w, id, {
    'README.md':
      '# Rain\n\nIt rains. ![](.gitbook/assets/pixel.png)\n\n{% include ".gitbook/includes/note.md" %}\n',
    'SUMMARY.md': '# Table of contents\n\n* [Rain](README.md)\n* [Snow](snow.md)\n',
    'snow.md': '# Snow\n\nIt snows.\n',
    '.gitbook/includes/note.md': '---\ntitle: Note\n---\n\nTake a coat.\n',
    '.gitbook/assets/pixel.png': PIXEL,
  })
  const old = (await w.call('GET', `/spaces/${id}`)).body.revision as string
  await w.call('POST', `/spaces/${id}/content`, {
    body: { changes: [{ operation: 'insert_page', document: { markdown: '# Sun\n' } }] },
  })
  const { body } = await w.call('GET', `/spaces/${id}/content`)
  const page = body.pages[0]
  const { body: changeRequest } = await w.call('POST', `/spaces/${id}/change-requests`)
  const { body: comment } = await w.call('POST', `/spaces/${id}/comments`, {
    body: { body: { markdown: 'Said.' } },
  })
  const ids: Record<string, string> = {
    ...{ spaceId: id, organizationId: w.organizationId, revisionId: body.id, pageId: page.id },
    ...{ pagePath: page.path, documentId: page.documentId, fileId: body.files[0].id },
    ...{ reusableContentId: body.reusableContents[0].id, changeRequestId: changeRequest.id },
    ...{ commentId: comment.id, userId: w.people.read.id },
  }
  const fill = (text: string, others: Readonly<Record<string, string>> = {}) =>
    text.replaceAll(/\{(\w+)\*?\}/g, (_, name: string) => others[name] ?? ids[name] ?? 'unknown')
  const pathOf = (operation: Operation) =>
    fill(operation.path) + (operation.id === 'searchSpaceContent' ? '?query=rain' : '')
  return { id, ids, old, pathOf, fill }
}

type Scene = Awaited<ReturnType<typeof scene>>
type Proof = { readonly as: Call['as'] & (object | null); readonly shareKey?: string }

async function statusOf(operation: Operation, path: string, { as, shareKey }: Proof): Promise<number> {
  const key = shareKey === undefined ? '' : `${path.includes('?') ? '&' : '?'}shareKey=${shareKey}`
  const body = operation.body === undefined ? {} : { body: BODIES[operation.id] ?? {} }
  return (await w.call(operation.method, path + key, { as, ...body })).status
}

const NOBODY: Proof = { as: null }
const withToken = (token: string): Proof => ({ as: { token } })

const contentTokenOf = async (spaceId: string) =>
  (await w.call('POST', `/spaces/${spaceId}/content-tokens`)).body.token as string

const KINDS: Record<string, { visibility: string; proofOf: (spaceId: string) => Promise<Proof> }> = {
  'nobody, of a public space': { visibility: 'public', proofOf: async () => NOBODY },
  'nobody, of an unlisted space': { visibility: 'unlisted', proofOf: async () => NOBODY },
  'the key of a share link': {
    visibility: 'share-link',
    proofOf: async id => ({ as: null, shareKey: (await shareLinkOf(w, id)).key }),
  },
  'a token of a visitor': {
    visibility: 'visitor-auth',
    proofOf: async id => withToken(await visitorTokenOf(w, id)),
  },
  'a content token': { visibility: 'private', proofOf: async id => withToken(await contentTokenOf(id)) },
}

for (const [kind, { visibility, proofOf }] of Object.entries(KINDS)) {
  test(`${kind}: what is published is read, and every other operation is refused`, async () => {
    const here = await scene(visibility)
    const proof = await proofOf(here.id)
    const answered: string[] = []
    for (const operation of operations.filter(one => !isOpen(one))) {
      const status = await statusOf(operation, here.pathOf(operation), proof)
      if (status < 400) answered.push(operation.id)
      else assert.ok([401, 403, 404].includes(status), `${operation.id} answered ${status}`)
    }
    assert.deepEqual(answered.sort(), [...READINGS].sort())
  })

  test(`${kind}: neither the history nor a change request is read, and no other space`, async () => {
    const here = await scene(visibility)
    const proof = await proofOf(here.id)
    const other = await scene(visibility === 'public' || visibility === 'unlisted' ? 'private' : visibility)
    for (const operation of operations.filter(one => READINGS.has(one.id))) {
      if (operation.path.includes('{revisionId}')) {
        const past = here.fill(operation.path, { revisionId: here.old })
        assert.ok((await statusOf(operation, past, proof)) >= 401, `${operation.id} of the past`)
      }
      const elsewhere = await statusOf(operation, other.pathOf(operation), proof)
      assert.ok(elsewhere === 401 || elsewhere === 404, `${operation.id} elsewhere answered ${elsewhere}`)
    }
    await w.call('DELETE', `/spaces/${here.id}`)
    for (const operation of operations.filter(one => READINGS.has(one.id))) {
      const status = await statusOf(operation, here.pathOf(operation), proof)
      assert.ok(status === 401 || status === 404, `${operation.id} of a deleted space answered ${status}`)
    }
  })
}

test('an installation that may read content reads it, change requests and history too, and writes nothing here', async () => {
  const here = await scene('private')
  const proof = withToken(await installationToken(w, ['space:content:read'], null))
  for (const operation of operations.filter(one => isOfSpaces(one) && !one.by.includes('installation')))
    assert.equal(await statusOf(operation, here.pathOf(operation), proof), 403, operation.id)
  for (const operation of operations.filter(one => isOfSpaces(one) && one.by.includes('anonymous')))
    assert.equal(await statusOf(operation, here.pathOf(operation), proof), 200, operation.id)
  for (const [scopes, spaces] of [
    [['space:content:read'], []],
    [['space:metadata:read'], null],
    [[], null],
  ] as const) {
    const other = withToken(await installationToken(w, [...scopes], spaces))
    for (const operation of operations.filter(one => READINGS.has(one.id)))
      assert.equal(await statusOf(operation, here.pathOf(operation), other), 404, operation.id)
  }
})

const reading = (here: Scene, proof: Proof) =>
  statusOf(
    operations.find(({ id }) => id === 'listPages') as Operation,
    `/spaces/${here.id}/content/pages`,
    proof,
  )

test('a token of a visitor is taken as it was agreed, and no other way', async () => {
  const [here, other] = [await scene('visitor-auth'), await scene('visitor-auth')]
  const key = await visitorKeyOf(w, here.id)
  const exp = inSeconds(600)
  const days = (count: number) => inSeconds(count * 24 * 3600)
  const good = signToken(key, { exp })
  const [head = '', claims = '', signature = ''] = good.split('.')
  const none = Buffer.from('{"alg":"none"}').toString('base64url')
  const isTaken: Record<string, string> = {
    'as it is made': good,
    'with what readers are': signToken(key, { exp, nbf: inSeconds(-5), iat: inSeconds(-5), plan: 'pro' }),
    'for 30 days': signToken(key, { exp: days(30) }),
    'for whom the clock is a little late': signToken(key, { exp: inSeconds(-10), nbf: inSeconds(10) }),
  }
  for (const [what, token] of Object.entries(isTaken))
    assert.equal(await reading(here, withToken(token)), 200, what)
  const isRefused: Record<string, string> = {
    'without an end': signToken(key, {}),
    'with an end that is no number': signToken(key, { exp: String(exp) }),
    'with an end that is none': signToken(key, { exp: null }),
    'with an endless end': signToken(key, { exp: 1e308 }),
    'for more than 30 days': signToken(key, { exp: days(31) }),
    expired: signToken(key, { exp: inSeconds(-60) }),
    'not begun': signToken(key, { exp, nbf: inSeconds(120) }),
    'of another space': signToken(await visitorKeyOf(w, other.id), { exp }),
    'of somebody who knows the space': signToken(here.id, { exp }),
    'of nobody': signToken('', { exp }),
    unsigned: `${none}.${claims}.`,
    'unsigned, with a signature': `${none}.${claims}.${signature}`,
    'with its signature cut': `${head}.${claims}.${signature.slice(0, -2)}`,
    'with no signature': `${head}.${claims}.`,
    'with other claims': `${head}.${Buffer.from(JSON.stringify({ exp: days(20) })).toString('base64url')}.${signature}`,
    'of another algorithm': signToken(key, { exp }, { alg: 'RS256', typ: 'JWT' }),
    'of a longer hash': signToken(key, { exp }, { alg: 'HS512', typ: 'JWT' }, 'sha512'),
    'of no algorithm': signToken(key, { exp }, { typ: 'JWT' }),
    'of an algorithm that is none': signToken(key, { exp }, { alg: { HS256: true } }),
    'with what has to be understood': signToken(key, { exp }, { alg: 'HS256', crit: ['x'], x: 1 }),
    'with a key of its own': signToken('mine', { exp }, { alg: 'HS256', jwk: { kty: 'oct', k: 'bWluZQ' } }),
    'whose claims are a list': signToken(key, [{ exp }]),
    'whose claims are nothing': signToken(key, null as never),
    'that is too long': signToken(key, { exp, more: 'x'.repeat(3000) }),
    'that is much too long': signToken(key, { exp, more: 'x'.repeat(10_000) }),
  }
  for (const [what, token] of Object.entries(isRefused))
    assert.equal(await reading(here, withToken(token)), 401, what)
})

test('what was taken back opens nothing from the next request on', async () => {
  const shared = await scene('share-link')
  const link = await shareLinkOf(w, shared.id)
  const byLink: Proof = { as: null, shareKey: link.key }
  assert.equal(await reading(shared, byLink), 200)
  await w.call('PATCH', `/spaces/${shared.id}/share-links/${link.id}`, { body: { active: false } })
  assert.equal(await reading(shared, byLink), 401)
  await w.call('PATCH', `/spaces/${shared.id}/share-links/${link.id}`, { body: { active: true } })
  assert.equal(await reading(shared, byLink), 200)
  for (const visibility of ['private', 'visitor-auth']) {
    await w.call('PATCH', `/spaces/${shared.id}`, { body: { visibility } })
    assert.equal(await reading(shared, byLink), 401, visibility)
  }
  const known = await scene('visitor-auth')
  const byToken = withToken(await visitorTokenOf(w, known.id))
  assert.equal(await reading(known, byToken), 200)
  await w.call('POST', `/spaces/${known.id}/publishing/auth/regenerate`)
  assert.equal(await reading(known, byToken), 401)
})

test('a caller with a wrong key, or none, learns nothing about hidden content', async () => {
  const link = await shareLinkOf(w, (await w.createSpace({ visibility: 'share-link' })).id)
  const answers = new Set<string>()
  for (const visibility of ['private', 'share-link', 'visitor-auth', null]) {
    const id = visibility === null ? newId() : (await w.createSpace({ visibility })).id
    for (const query of [
      '',
      `?shareKey=${link.key}`,
      '?shareKey=',
      `?shareKey=${'x'.repeat(600)}`,
      '?shareKey=a&shareKey=b',
    ]) {
      const { status, body } = await w.call('GET', `/spaces/${id}/content/pages${query}`, { as: null })
      answers.add(JSON.stringify([status, body]))
    }
    const guess = await w.call('GET', `/spaces/${id}/content/pages`, {
      as: { token: signToken('guess', { exp: inSeconds(60) }) },
    })
    answers.add(JSON.stringify([guess.status, guess.body]))
  }
  assert.equal(answers.size, 1, [...answers].join('\n'))
  assert.match([...answers][0] ?? '', /^\[401,/)
})

test('a person from elsewhere reads by a share link what strangers read, and members stay what they are', async () => {
  const here = await scene('share-link')
  const { key } = await shareLinkOf(w, here.id)
  const as = { token: w.people.stranger.token }
  for (const _ of ['first', 'again']) {
    assert.equal(await reading(here, { as, shareKey: key }), 200)
    assert.equal(await reading(here, { as }), 404, 'what the key opened is not kept for who comes without')
  }
  const seen = async (as: Call['as'], query = `?shareKey=${key}`) =>
    (await w.call('GET', `/spaces/${here.id}${query}`, as === undefined ? {} : { as })).body
  const stranger = await seen('stranger')
  assert.deepEqual([stranger.permissions.view, stranger.permissions.access], [true, false])
  assert.equal((await seen('edit')).permissions.edit, true)
  const published = `http://octavo.test/s/${here.id}`
  assert.equal(stranger.urls.published, `${published}?shareKey=${key}`)
  assert.equal((await seen('edit')).urls.published, `${published}?shareKey=${key}`)
  assert.equal((await seen('edit', '?shareKey=wrong')).urls.published, published, 'only a key that opens it')
  assert.equal((await seen('edit', '')).urls.published, published)
})

test('a visitor whose proof was seen before costs no query', async () => {
  const [shared, known] = [await scene('share-link'), await scene('visitor-auth')]
  const byLink: Proof = { as: null, shareKey: (await shareLinkOf(w, shared.id)).key }
  const byToken = withToken(await visitorTokenOf(w, known.id))
  await w.courier?.idle()
  const executor = w.services.db.getExecutor()
  const execute = executor.executeQuery
  let queries = 0
  executor.executeQuery = function (this: typeof executor, ...given: Parameters<typeof execute>) {
    queries += 1
    return execute.apply(this, given)
  } as typeof execute
  try {
    for (const [here, proof] of [
      [shared, byLink],
      [known, byToken],
    ] as const) {
      assert.equal(await reading(here, proof), 200)
      assert.ok(queries > 0, 'they are counted')
      queries = 0
      assert.equal(await reading(here, proof), 200)
      assert.equal(queries, 0)
    }
  } finally {
    executor.executeQuery = execute
  }
})
