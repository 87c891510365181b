// What takes time outside of this process has spans: files in a bucket, mails, and tasks in threads. They hold nothing
// of anybody.
import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { startS3Server } from '../../../test/support/s3-server.ts'
import { startSmtpServer } from '../../../test/support/smtp-server.ts'
import { type Attributes, type Span, type SpanKind, setTracer, type Tracer } from '../../base/traces.ts'
import { countBlobs } from '../blobs/counted.ts'
import { openS3Blobs } from '../blobs/s3.ts'
import { createMail } from '../mail.ts'

type Recorded = {
  readonly name: string
  readonly kind: SpanKind
  readonly parent: string | undefined
  attributes: Attributes
  error?: string
}

const spans: Recorded[] = []
const current = new AsyncLocalStorage<Recorded>()

class RecordedSpan implements Span {
  readonly own: Recorded
  constructor(own: Recorded) {
    this.own = own
  }
  set(attributes: Attributes): void {
    this.own.attributes = { ...this.own.attributes, ...attributes }
  }
  rename(): void {}
  end(error?: string): void {
    spans.push(error === undefined ? this.own : { ...this.own, error })
  }
}

const tracer: Tracer = {
  start: ({ name, kind, attributes = {} }) =>
    new RecordedSpan({ name, kind, attributes, parent: current.getStore()?.name }),
  within: (span, run) => (span instanceof RecordedSpan ? current.run(span.own, run) : run()),
}

beforeEach(() => {
  spans.length = 0
  setTracer(tracer)
})
after(() => setTracer(undefined))

test('a file that is stored, read and looked for has spans, with the requests to the bucket below them', async () => {
  const root = await mkdtemp(join(tmpdir(), 'octavo-spans-'))
  const server = await startS3Server()
  const store = countBlobs(await openS3Blobs(server.settings, root))
  const { sha256 } = await store.put(Buffer.from('Words of somebody'), { contentType: 'text/plain' })
  ;(await store.read(sha256))?.stream.destroy()
  await store.find(sha256)
  await store.remove(sha256, new AbortController().signal)
  for (const [parent, method] of [
    ['blob put', 'PUT'],
    ['blob get', 'GET'],
    ['blob find', 'HEAD'],
    ['blob remove', 'DELETE'],
  ]) {
    assert.ok(
      spans.some(({ name }) => name === parent),
      parent,
    )
    const request = spans.find(one => one.parent === parent && one.name === method)
    assert.deepEqual(
      [request?.kind, request?.attributes['server.address']],
      ['client', '127.0.0.1'],
      JSON.stringify(spans),
    )
    assert.equal(typeof request?.attributes['http.response.status_code'], 'number')
  }
  assert.ok(!JSON.stringify(spans).includes(sha256))
  await server.close()
  await rm(root, { recursive: true, force: true })
})

test('a mail has a span with its server and without its words, and says by a code that it failed', async () => {
  const server = await startSmtpServer()
  const mail = createMail({ host: '127.0.0.1', port: server.port, isSecure: false, from: 'a@docs.test' })
  const message = { to: 'ada@people.test', subject: 'Secret', text: 'Words.' }
  await mail.send(message)
  await server.close()
  await assert.rejects(mail.send(message))
  const [sent, failed] = spans.filter(({ name }) => name === 'SMTP send')
  assert.deepEqual(
    [sent?.kind, sent?.attributes, sent?.error],
    ['client', { 'server.address': '127.0.0.1' }, undefined],
  )
  assert.ok(failed?.error)
  assert.doesNotMatch(JSON.stringify(spans), /ada@|Secret|Words/)
})
