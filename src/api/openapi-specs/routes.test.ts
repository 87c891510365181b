import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { world } from '../../../test/support/world.ts'
import type { Compute } from '../../compute/compute.ts'
import { openapiJobs, refreshSpecs } from './jobs.ts'
import { findDocument, findRaw, findVersionsDigest } from './rows.ts'
import { BODY_BYTES_MAX } from './schema.ts'

const w = await world()
const path = `/orgs/${w.organizationId}/openapi`

const PRINTERS = {
  openapi: '3.0.3',
  info: { title: 'Printers', version: '1' },
  paths: { '/printers': { get: { responses: { 200: { description: 'All of them.' } } } } },
}
const MULTI = {
  'api.yaml': `swagger: "2.0"
info: {title: Pets, version: "1"}
paths:
  /pets:
    get:
      responses:
        200: {description: Some, schema: {$ref: "models/pet.yaml"}}
        500: {$ref: "errors.yaml#/any"}
`,
  'models/pet.yaml':
    'type: object\nproperties:\n  name: {type: string, nullable: true}\n  tag: {$ref: "tag.json"}\n',
  'models/tag.json': '{"type": "string"}',
  'errors.yaml': 'any: {description: It failed}\n',
}

/** The documents of the other server, and the number of requests for each. */
const files = new Map<string, string>(Object.entries(MULTI))
let asked = 0
/** Resolves with what answers the next request for what is held. */
let held = Promise.withResolvers<(text: string) => void>()
const server = createServer((request, response) => {
  asked += 1
  const text = files.get((request.url ?? '').slice(1))
  if (request.url === '/moved') return response.writeHead(302, { location: String(text) }).end()
  if (request.url === '/held' || request.url === '/deep/held/slow.json')
    return held.resolve(late => response.end(late))
  response.writeHead(text === undefined ? 404 : 200).end(text)
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
after(() => {
  server.closeAllConnections()
  server.close()
})

async function nextHeld() {
  const answer = await held.promise
  held = Promise.withResolvers()
  return answer
}

/** The specification after a run. */
async function completed(slug: string) {
  for (;;) {
    const { status, body } = await w.call('GET', `${path}/${slug}`)
    assert.equal(status, 200)
    if (body.processingState === 'complete') return body
    await sleep(5)
  }
}

/** The specification when no run is left. */
async function read(slug: string) {
  for (;;) {
    const body = await completed(slug)
    const waiting = await w.services.db.selectFrom('jobs').select('id').where('key', '=', body.id).execute()
    if (waiting.length === 0) return completed(slug)
    await sleep(5)
  }
}

const add = async (slug: string, source: object) => {
  const { status, body } = await w.call('PUT', `${path}/${slug}`, { body: { source } })
  assert.ok(status === 200 || status === 201, JSON.stringify(body))
  return read(slug)
}
const contentOf = async (slug: string) =>
  (await w.call('GET', `${path}/${slug}/versions/latest/content`)).body

test('a text is answered whole, both parsed and as written', async () => {
  const text = JSON.stringify(PRINTERS)
  const made = await w.call('POST', path, { body: { slug: 'printers', source: { text } } })
  assert.equal(made.status, 201)
  assert.deepEqual([made.body.processingState, made.body.visibility], ['pending', 'private'])
  assert.equal((await w.call('POST', path, { body: { slug: 'printers', source: { text } } })).status, 409)
  const spec = await read('printers')
  assert.deepEqual(
    [spec.lastProcessErrorCode, spec.lastProcessedErrors, spec.sourceURL],
    [undefined, undefined, undefined],
  )
  const latest = await w.call('GET', `${path}/printers/versions/latest`)
  assert.equal(latest.body.id, spec.lastVersion)
  const { filesystem, url } = await contentOf('printers')
  assert.equal(filesystem.length, 1)
  assert.deepEqual(
    [filesystem[0].isEntrypoint, filesystem[0].specification.openapi, filesystem[0].specification.paths],
    [true, '3.1.1', PRINTERS.paths],
  )
  assert.equal(url, latest.body.url)
  const raw = await w.call('GET', new URL(url).pathname.replace(/^\/v1/, ''))
  assert.deepEqual(raw.body, { text, format: 'json' })
})

test('a version is added only when the document has changed', async () => {
  await add('changing', { text: JSON.stringify(PRINTERS) })
  const first = await read('changing')
  assert.equal(
    (await add('changing', { text: JSON.stringify(PRINTERS, null, 2) })).lastVersion,
    first.lastVersion,
  )
  const other = await add('changing', { text: JSON.stringify({ ...PRINTERS, tags: [{ name: 'a' }] }) })
  assert.notEqual(other.lastVersion, first.lastVersion)
  const { body } = await w.call('GET', `${path}/changing/versions`)
  assert.deepEqual(
    body.items.map(({ id }: { id: string }) => id),
    [other.lastVersion, first.lastVersion],
  )
  const before = await w.call('GET', `${path}/changing/versions/${first.lastVersion}/content`)
  assert.equal(before.body.filesystem[0].specification.tags, undefined)
})

test('an address is read with its references, Swagger 2 becomes OpenAPI 3, and it is read again once a day', async () => {
  const spec = await add('pets', { url: `${origin}/api.yaml` })
  assert.deepEqual([spec.sourceURL, spec.lastProcessErrorCode], [`${origin}/api.yaml`, undefined])
  const { filesystem } = await contentOf('pets')
  const whole = JSON.stringify(filesystem[0].specification)
  assert.match(filesystem[0].specification.openapi, /^3\.1/)
  for (const word of ['"name"', 'It failed']) assert.ok(whole.includes(word), word)
  assert.ok(!/"\$ref":"(?!#)/.test(whole), whole)

  files.set('errors.yaml', 'any: {description: It failed again}\n')
  const count = asked
  await refreshSpecs(w.services)
  await read('pets')
  assert.equal(asked, count, 'it was read today')
  await w.services.db
    .updateTable('openapi_specs')
    .set({ last_processed_at: new Date(Date.now() - 25 * 3_600_000) })
    .where('id', '=', spec.id)
    .execute()
  await refreshSpecs(w.services)
  const again = await read('pets')
  assert.notEqual(again.lastVersion, spec.lastVersion)
  assert.ok(JSON.stringify(await contentOf('pets')).includes('It failed again'))
})

test('a failed reading has its reason, and the version before stays', async () => {
  const good = await add('broken', { text: JSON.stringify(PRINTERS) })
  const codesOf = async (source: object) => {
    const spec = await add('broken', source)
    assert.equal(spec.lastVersion, good.lastVersion)
    const [{ message, code }] = spec.lastProcessedErrors
    assert.ok(message.length > 0)
    return `${spec.lastProcessErrorCode} ${code}`
  }
  assert.equal(await codesOf({ text: '{"openapi": ' }), 'PARSE_ERROR PARSE_ERROR')
  assert.equal(await codesOf({ text: 'just words' }), 'PARSE_ERROR NOT_A_SPECIFICATION')
  assert.equal(await codesOf({ text: 'openapi: "4.0"\n' }), 'PARSE_ERROR UNSUPPORTED_VERSION')
  const deep = `${'['.repeat(500)}${']'.repeat(500)}`
  assert.equal(await codesOf({ text: `{"openapi":"3.1.0","x":${deep}}` }), 'PARSE_ERROR TOO_DEEP')
  assert.equal(await codesOf({ url: `${origin}/nothing.yaml` }), 'FETCH_ERROR FETCH_ERROR')
  assert.equal(
    await codesOf({ text: 'openapi: "3.1.0"\nx: &x\n  y: *x\n' }),
    'PARSE_ERROR TOO_DEEP',
    'it holds itself',
  )
  const bomb = `a: &a [x,x]\n${'bcdefghi'
    .split('')
    .map((name, at) => `${name}: &${name} [${Array(30).fill(`*${'abcdefgh'[at]}`)}]`)
    .join('\n')}\nopenapi: "3.1.0"\n`
  assert.equal(await codesOf({ text: bomb }), 'PARSE_ERROR PARSE_ERROR')
})

test('a defect in reading one is what is wrong with it, and the version before stays', async () => {
  const { id, lastVersion } = await add('defect', { text: JSON.stringify(PRINTERS) })
  const run = async (broken: string) => {
    const compute: Compute = {
      ...w.services.compute,
      run: (name, ...rest) =>
        name === broken ? Promise.reject(new Error('a defect')) : w.services.compute.run(name, ...rest),
    }
    const [job] = openapiJobs({ ...w.services, compute })
    await job?.run({ spec: id }, { id: '', attempt: 1, signal: AbortSignal.timeout(60_000) })
    return read('defect')
  }
  const failed = await run('specification')
  assert.deepEqual([failed.lastProcessErrorCode, failed.lastVersion], ['PARSE_ERROR', lastVersion])
  assert.match(failed.lastProcessedErrors[0].message, /log of the server/)
  const partless = await run('specificationParts')
  assert.deepEqual([partless.lastProcessErrorCode, partless.lastVersion], [undefined, lastVersion])
})

test('names with characters that cannot be stored are reported without them, and the run ends', async () => {
  const face = '\u{1f600}'
  const paths = Object.fromEntries(
    [
      '/nothing\u0000here',
      `/${'x'.repeat(480)}${face.repeat(20)}`,
      `/${'x'.repeat(481)}${face.repeat(20)}`,
    ].map(path => [path, { get: {} }]),
  )
  const spec = await add('odd', { text: JSON.stringify({ ...PRINTERS, paths }) })
  assert.ok(spec.lastProcessedErrors.length >= 3)
  assert.ok(spec.lastProcessedErrors.every(({ message }: { message: string }) => message.isWellFormed()))
  const [{ specification }] = (await contentOf('odd')).filesystem
  assert.deepEqual(Object.keys(specification.paths), Object.keys(paths))

  const unreadable = { swagger: '2.0', info: null, paths: { '/a': { get: null } } }
  const failed = await add('unreadable', { text: JSON.stringify(unreadable) })
  assert.equal(failed.lastProcessErrorCode, 'PARSE_ERROR')
  assert.deepEqual([failed.lastProcessedErrors.at(-1).code, failed.lastVersion], ['NOT_UPGRADED', undefined])
})

test('a text of several megabytes is accepted, and one that is too long is not', async () => {
  const long = { ...PRINTERS, info: { ...PRINTERS.info, description: 'word '.repeat(500_000) } }
  const spec = await add('long', { text: JSON.stringify(long) })
  assert.deepEqual([spec.lastProcessErrorCode, spec.lastVersion?.length], [undefined, 20])
  const payload = Buffer.alloc(BODY_BYTES_MAX + 1, ' ')
  assert.equal((await w.call('PUT', `${path}/longer`, { payload })).status, 413)
})

test('a slow server blocks no thread, and references are relative to the address after redirects', async () => {
  const text = JSON.stringify({ ...PRINTERS, components: { schemas: { A: { $ref: 'held/slow.json' } } } })
  files.set('moved', `${origin}/deep/api.json`)
  files.set('deep/api.json', text)
  await w.call('PUT', `${path}/slow`, { body: { source: { url: `${origin}/moved` } } })
  const answer = await nextHeld()
  assert.equal(w.services.compute.counts().tasks.running, 0)
  answer('{"type": "string", "title": "Slow"}')
  assert.deepEqual((await read('slow')).lastProcessedErrors, undefined)
  assert.ok(JSON.stringify(await contentOf('slow')).includes('"Slow"'))
})

test('a run that a PUT overtook writes nothing', async () => {
  const textOf = (title: string) => JSON.stringify({ ...PRINTERS, info: { title, version: '1' } })
  const put = (source: object) => w.call('PUT', `${path}/overtaken`, { body: { source } })
  await put({ url: `${origin}/held` })
  const answer = await nextHeld()
  assert.equal((await put({ text: textOf('New') })).body.processingState, 'pending')
  const newer = await completed('overtaken')
  answer(textOf('Old'))
  assert.deepEqual(await read('overtaken'), newer)
  assert.equal((await contentOf('overtaken')).filesystem[0].specification.info.title, 'New')
})

test('a reference that leads nowhere is named, and the rest is read', async () => {
  const text = JSON.stringify({
    ...PRINTERS,
    components: {
      schemas: {
        Loop: { $ref: '#/components/schemas/Loop' },
        Gone: { $ref: `${origin}/gone.yaml` },
        Local: { $ref: 'file:///etc/hostname' },
      },
    },
  })
  const spec = await add('partly', { text })
  assert.equal(spec.lastProcessErrorCode, undefined)
  const messages = spec.lastProcessedErrors.map(({ message }: { message: string }) => message).join('\n')
  assert.match(messages, /gone\.yaml: .*404/)
  assert.match(messages, /file:\/\/\/etc\/hostname: only addresses with http/)
  assert.ok(spec.lastVersion)
})

test('readers can read specifications, and only creators can write them', async () => {
  await add('secret', { text: JSON.stringify(PRINTERS) })
  const source = { text: JSON.stringify(PRINTERS) }
  for (const [as, reads, writes] of [
    ['read', 200, 403],
    ['edit', 200, 403],
    ['create', 200, 200],
    ['stranger', 404, 404],
  ] as const) {
    assert.equal((await w.call('GET', `${path}/secret`, { as })).status, reads, as)
    assert.equal((await w.call('PUT', `${path}/secret`, { as, body: { source } })).status, writes, as)
  }
})

test('anybody reads a public specification at its address, and nobody a private one', async () => {
  const { id } = await add('open', { text: JSON.stringify(PRINTERS) })
  const at = `/openapi/${id}.json`
  const get = (headers = {}) => w.app.inject({ method: 'GET', url: at, headers })
  assert.equal((await get()).statusCode, 404)
  const changed = await w.call('PATCH', `${path}/open`, { body: { visibility: 'public' } })
  assert.equal(new URL(changed.body.urls.published).pathname, at)
  const { statusCode, headers, body } = await get()
  assert.equal(statusCode, 200)
  assert.deepEqual(JSON.parse(body).paths, PRINTERS.paths)
  assert.equal((await get({ 'if-none-match': headers.etag })).statusCode, 304)
  await w.call('PATCH', `${path}/open`, { body: { visibility: 'private' } })
  assert.equal((await get()).statusCode, 404)
})

test('what is made from specifications is made anew once one is public, or private again', async () => {
  const space = { id: 'any', organization_id: w.organizationId }
  await add('seen', { text: JSON.stringify(PRINTERS) })
  const digests: string[] = []
  for (const visibility of ['private', 'public', 'private']) {
    await w.call('PATCH', `${path}/seen`, { body: { visibility } })
    digests.push(await findVersionsDigest(w.services.db, space, 'published'))
  }
  const [before, open, after] = digests
  assert.notEqual(open, before)
  assert.equal(after, before)
})

test('the content of a version is read from the database once for all requests', async () => {
  const info = { ...PRINTERS.info, description: 'word '.repeat(1_000) }
  const { id, lastVersion } = await add('kept', { text: JSON.stringify({ ...PRINTERS, info }) })
  await w.call('PATCH', `${path}/kept`, { body: { visibility: 'public' } })
  const answers = async (headers = {}) => {
    const published = await w.app.inject({ method: 'GET', url: `/openapi/${id}.json`, headers })
    const raw = await w.call('GET', `${path}/kept/versions/${lastVersion}/content/raw`)
    return [await contentOf('kept'), raw.body, published.rawPayload]
  }
  const first = await answers()
  await w.services.db
    .updateTable('openapi_versions')
    .set({ document: Buffer.from('{}'), raw: Buffer.of(), is_deflated: false })
    .where('id', '=', lastVersion)
    .execute()
  assert.deepEqual(await answers(), first)
  const packed = (await answers({ 'accept-encoding': 'gzip' })).at(-1)
  assert.deepEqual(gunzipSync(packed), first.at(-1))
})

test('a version stored uncompressed by an earlier release can be read', async () => {
  const { lastVersion } = await add('plain', { text: JSON.stringify(PRINTERS) })
  const plain = { document: Buffer.from('{"openapi": "3.1.0"}'), raw: Buffer.from('openapi: "3.0.3"') }
  await w.services.db
    .updateTable('openapi_versions')
    .set({ ...plain, is_deflated: false })
    .where('id', '=', lastVersion)
    .execute()
  assert.deepEqual(await findDocument(w.services.db, lastVersion), plain.document)
  assert.equal((await findRaw(w.services.db, lastVersion))?.text, 'openapi: "3.0.3"')
})

test('an incompletely written version is removed with its parts when the next is published', async () => {
  const { id, lastVersion } = await add('broken-off', { text: JSON.stringify(PRINTERS) })
  const body = Buffer.from('{}')
  const row = { spec_id: id, hash: body, format: 'json', raw: body, document: body }
  await w.services.db
    .insertInto('openapi_versions')
    .values({ id: 'broken-off', ...row })
    .execute()
  await w.services.db
    .insertInto('openapi_parts')
    .values({ version_id: 'broken-off', key: body, body })
    .execute()
  const info = { ...PRINTERS.info, title: 'More printers' }
  await w.call('PUT', `${path}/broken-off`, {
    body: { source: { text: JSON.stringify({ ...PRINTERS, info }) } },
  })
  const next = await read('broken-off')
  const { body: versions } = await w.call('GET', `${path}/broken-off/versions`)
  assert.deepEqual(
    versions.items.map((version: { id: string }) => version.id),
    [next.lastVersion, lastVersion],
  )
})

test('bad input is refused by field', async () => {
  const bad = async (slug: string, source: object) =>
    (await w.call('POST', path, { body: { slug, source } })).body.error?.message
  assert.match(await bad('Not a slug', { text: '{}' }), /slug/)
  assert.match(await bad('both', { text: '{}', url: origin }), /either url or text/)
  assert.match(await bad('none', {}), /either url or text/)
  assert.match(await bad('ftp', { url: 'ftp://example.com/a' }), /http:\/\//)
  assert.match(await bad('secret-url', { url: 'https://a:b@example.com/a' }), /user and password/)
})

test('a specification is deleted with its versions', async () => {
  await add('short', { text: JSON.stringify(PRINTERS) })
  assert.equal((await w.call('DELETE', `${path}/short`)).status, 204)
  assert.equal((await w.call('GET', `${path}/short/versions/latest`)).status, 404)
  assert.equal((await w.call('DELETE', `${path}/short`)).status, 204)
})
