// The real program sends spans where it is told to, loads nothing for them where it is not, and serves whether or not
// they arrive.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startCollector } from '../support/collector.ts'
import { startedHome } from '../support/home.ts'
import { serve, temporaryFolder } from '../support/process.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`
/** As protobuf has it: bytes, here read as Latin-1. */
const TRACE_BYTES = Buffer.from(TRACE, 'hex').toString('latin1')

test('requests, statements, jobs and tasks arrive at the collector, with nothing of anybody in them', async () => {
  const collector = await startCollector()
  const folder = temporaryFolder()
  const headers = join(folder, 'headers')
  writeFileSync(headers, 'x-api-key=secret%20of%20the%20collector\n')
  const server = await serve(await startedHome(), {
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS_FILE: headers,
      OTEL_BSP_SCHEDULE_DELAY: '50',
      OTEL_SERVICE_NAME: 'octavo-in-a-test',
      OCTAVO_TRUST_PROXY: 'true',
    },
  })
  const { body: organizations } = await server.call('GET', '/orgs', { headers: { traceparent: TRACEPARENT } })
  const [{ id }] = organizations.items
  const { body: space } = await server.call('POST', `/orgs/${id}/spaces`, {
    body: { title: 'Of nobody else' },
  })
  const markdown = `# Private words\n\n${'Sentences of somebody. '.repeat(200)}`
  const edited = await server.call('POST', `/spaces/${space.id}/content`, {
    body: { changes: [{ operation: 'insert_page', title: 'Private title', document: { markdown } }] },
  })
  assert.ok(edited.status < 300, edited.text)
  await server.call('GET', `/spaces/${space.id}/search?query=secretword`)
  await server.call('GET', '/nothing-here/secretpath')
  // Its pages are made searchable by a job.
  assert.equal((await server.call('POST', `/spaces/${space.id}/duplicate`)).status, 201)
  await collector.has(
    'GET /v1/orgs',
    'POST /v1/orgs/:organizationId/spaces',
    'select ',
    'task ',
    'octavo-in-a-test',
  )
  await collector.has('job ', TRACE_BYTES)
  assert.equal(collector.headers[0]?.['x-api-key'], 'secret of the collector')
  const text = collector.text()
  const secrets = [
    server.token,
    'Private',
    'somebody',
    'secretword',
    'secretpath',
    'admin@localhost',
    '127.0.0.1',
  ]
  for (const secret of [...secrets, space.id]) assert.ok(!text.includes(secret), secret)
  assert.equal((await server.end('SIGTERM')).code, 0)
})

test('what a stranger says about traces is not followed, and all is sent at the end', async () => {
  const collector = await startCollector()
  const server = await serve(await startedHome(), {
    env: {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces`,
      OTEL_BSP_SCHEDULE_DELAY: '600000',
    },
  })
  assert.equal((await server.call('GET', '/user', { headers: { traceparent: TRACEPARENT } })).status, 200)
  await server.end('SIGTERM')
  await collector.has('GET /v1/user')
  assert.ok(!collector.text().includes(TRACE_BYTES))
})

test('a collector that does not answer costs a warning and nothing else', async () => {
  const server = await serve(await startedHome(), {
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
      OTEL_EXPORTER_OTLP_TIMEOUT: '500',
      OTEL_BSP_SCHEDULE_DELAY: '50',
    },
  })
  assert.equal((await server.call('GET', '/user')).status, 200)
  await server.says(/the collector of traces does not take spans/, 'stderr')
  assert.equal((await server.call('GET', '/user')).status, 200)
  assert.equal((await server.end('SIGTERM')).code, 0)
})

test('variables that cannot be followed are a warning, and the server starts without traces', async () => {
  const server = await serve(await startedHome(), {
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
  })
  await server.says(/OTEL_EXPORTER_OTLP_PROTOCOL has to be http\/protobuf/, 'stderr')
  assert.equal((await server.end('SIGTERM')).code, 0)
})

// Of every file that Node loads, the address in a line of a file.
const RECORD = `import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
registerHooks({ load(url, context, next) { appendFileSync(process.env.LOADED, url + '\\n'); return next(url, context) } })`

for (const isOn of [false, true])
  test(`the library of traces is ${isOn ? 'loaded with' : 'not loaded without'} the variables`, async () => {
    const folder = temporaryFolder()
    const loaded = join(folder, 'loaded')
    writeFileSync(join(folder, 'record.mjs'), RECORD)
    const server = await serve(await startedHome(), {
      env: {
        LOADED: loaded,
        NODE_OPTIONS: `--import=${join(folder, 'record.mjs')}`,
        ...(isOn ? { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' } : {}),
      },
    })
    assert.equal((await server.call('GET', '/user')).status, 200)
    await server.end('SIGTERM')
    const urls = [...new Set(readFileSync(loaded, 'utf8').trim().split('\n'))]
    assert.ok(urls.length > 3)
    // From the sources, or in a bundle of them.
    const withLibrary = urls.filter(
      url =>
        url.startsWith('file:') &&
        readFileSync(fileURLToPath(url), 'utf8').includes('TraceIdRatioBasedSampler'),
    )
    assert.equal(withLibrary.length > 0, isOn, withLibrary.join('\n'))
  })
