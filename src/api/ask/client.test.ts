// The four operations, read from a socket as clients of the public interface read them: an event
// named `done` ends a stream, one named `error` is thrown, every other is one JSON object; what is refused before the
// first of them is an ordinary error.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { spaceWith } from '../../../test/support/pages.ts'
import { originOf } from '../../../test/support/server.ts'
import { world } from '../../../test/support/world.ts'
import type { AnswerStream, RecommendedQuestion, RecommendedQuestions } from './schema.ts'

const w = await world()
const api = `${await originOf(w)}/v1/orgs/${w.organizationId}`
const headers = { authorization: `Bearer ${w.people.admin.token}`, 'content-type': 'application/json' }
await spaceWith(w, {
  'webhooks.md':
    '# Webhooks\n\n## Retry policy\n\nA failed delivery is retried three times. The pause doubles after each attempt.\n\n## Which regions are there?\n\nDeliveries are sent from two regions, Frankfurt and Oregon, and always from the nearer one of the two.\n',
})

async function* read<T>(path: string): AsyncGenerator<T> {
  const response = await fetch(`${api}${path}`, { headers })
  if (!response.ok) throw new Error(((await response.json()) as { error: { message: string } }).error.message)
  assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/)
  const body = response.body as NonNullable<typeof response.body>
  const text: ReadableStream<string> = body.pipeThrough(new TextDecoderStream())
  for await (const { event, data } of text.pipeThrough(new EventSourceParserStream())) {
    if (event === 'done') return
    if (event === 'error') throw new Error((JSON.parse(data) as { error: { message: string } }).error.message)
    yield JSON.parse(data) as T
  }
}

async function all<T>(events: AsyncIterable<T>): Promise<T[]> {
  const read: T[] = []
  for await (const event of events) read.push(event)
  return read
}

const ask = async (query: string) => {
  const response = await fetch(`${api}/ask`, { method: 'POST', headers, body: JSON.stringify({ query }) })
  return (await response.json()) as Pick<AnswerStream, 'answer'>
}
const streamed = (query: string) => all(read<AnswerStream>(`/ask/stream?query=${encodeURIComponent(query)}`))

test('an answer and its stream say the same', async () => {
  const query = 'How often is a failed delivery retried?'
  const { answer } = await ask(query)
  const last = (await streamed(query)).at(-1)
  assert.equal(last?.type, 'answer')
  assert.deepEqual(last?.answer, answer)
  const { sources, followupQuestions, answer: text } = answer
  assert.ok(text !== undefined && 'markdown' in text && /retried three times/.test(text.markdown))
  assert.deepEqual(followupQuestions, ['Which regions are there?'])
  assert.deepEqual(
    sources.map(({ type, sections }) => [type, sections.length]),
    [['page', 1]],
  )
})

test('without an answer in the documentation, the inner answer is absent', async () => {
  const query = 'How do I export invoices?'
  assert.deepEqual((await ask(query)).answer, { followupQuestions: [], sources: [] })
  assert.deepEqual(await streamed(query), [
    { type: 'answer', answer: { followupQuestions: [], sources: [] } },
  ])
})

test('suggested questions come in one body or as a stream', async () => {
  const response = await fetch(`${api}/ask/questions`, { headers })
  const { questions } = (await response.json()) as RecommendedQuestions
  assert.ok(questions.includes('Which regions are there?'))
  assert.deepEqual(
    await all(read<RecommendedQuestion>('/ask/questions/stream')),
    questions.map(question => ({ question })),
  )
})

test('a refusal is answered before the first event', async () => {
  await assert.rejects(streamed(''), /query/)
  await assert.rejects(streamed('x'.repeat(513)), /query/)
})
