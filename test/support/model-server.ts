// Language models for tests: a server that speaks as OpenAI's interface does, or as Anthropic's, and says what a test wants.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { operations } from '../../src/api/index.ts'
import { assert } from '../../src/base/assert.ts'
import { buildServer } from '../../src/cli/server.ts'
import { buildApp } from '../../src/http/app.ts'
import type { Services } from '../../src/http/context.ts'
import { type Environment, readConfig } from '../../src/platform/config.ts'
import { createModel, type LanguageModel } from '../../src/platform/model/model.ts'

/** `ends`: how the answer ends: well, without its end, with words that are no events, or not at all. */
export type Said = {
  readonly status?: number
  readonly pieces?: readonly string[]
  readonly ends?: 'well' | 'broken' | 'nonsense' | 'never'
  /** Goes on with this piece for as long as somebody listens. */
  readonly endless?: string
  /** What it says at its end that all of it took. */
  readonly tokens?: number
}

// Tokens of a question by default; the rest is of the answer.
const QUESTION_TOKENS = 100
const ANSWER_TOKENS = 20

export type Embedded =
  | { readonly status?: number; readonly vectors: unknown; readonly tokens?: number }
  | 'never'

export type ModelServer = {
  readonly baseUrl: string
  /** What it says next. */
  say(said: Said): void
  /** What it answers with next for texts that it is to embed; `never` is no answer. */
  embed(answer: (texts: readonly string[]) => Embedded): void
  /** What it was asked, in order. */
  readonly asked: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }[]
  /** Resolves when nobody is being answered any more. */
  leftAlone(): Promise<void>
}

const openAi = {
  piece: (content: string) => event({ id: '1', choices: [{ index: 0, delta: { content } }] }),
  end: (tokens: number) =>
    event({ id: '1', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) +
    event({
      ...{ id: '1', choices: [] },
      usage: {
        prompt_tokens: QUESTION_TOKENS,
        completion_tokens: tokens - QUESTION_TOKENS,
        total_tokens: tokens,
      },
    }) +
    'data: [DONE]\n\n',
  begin: () => '',
}
const anthropic = {
  begin: () =>
    named('message_start', {
      message: {
        id: '1',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        usage: { input_tokens: QUESTION_TOKENS, output_tokens: 1 },
      },
    }) + named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  piece: (text: string) => named('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
  end: (tokens: number) =>
    named('content_block_stop', { index: 0 }) +
    named('message_delta', {
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: tokens - QUESTION_TOKENS },
    }) +
    named('message_stop', {}),
}
const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`
const named = (type: string, data: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`

export async function modelServer(api: 'openai' | 'anthropic' = 'openai'): Promise<ModelServer> {
  const frames = api === 'openai' ? openAi : anthropic
  const asked: ModelServer['asked'] = []
  let next: Said = {}
  let embedNext: (texts: readonly string[]) => Embedded = () => 'never'
  let open = 0
  let waiting: (() => void)[] = []
  const server = createServer(async (request, response) => {
    open += 1
    response.once('close', () => {
      open -= 1
      if (open > 0) return
      for (const resolve of waiting) resolve()
      waiting = []
    })
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    asked.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() })
    if (request.url?.endsWith('/embeddings')) answerEmbeddings(response, asked.at(-1)?.body ?? '')
    else answer(response, next)
  })
  function answerEmbeddings(response: ServerResponse, body: string): void {
    const { input } = JSON.parse(body) as { input: readonly string[] }
    const embedded = embedNext(input)
    if (embedded === 'never') return
    const { status = 200, vectors, tokens = 1 } = embedded
    const data = Array.isArray(vectors) ? vectors.map(embedding => ({ embedding })) : vectors
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ data, usage: { prompt_tokens: tokens } }))
  }
  function answer(
    response: ServerResponse,
    { status = 200, pieces = [], ends = 'well', endless, tokens = QUESTION_TOKENS + ANSWER_TOKENS }: Said,
  ): void {
    if (status !== 200) {
      response.writeHead(status, { 'content-type': 'application/json' }).end('{"error":{"message":"no"}}')
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(frames.begin() || ': hello\n\n')
    for (const piece of pieces) response.write(frames.piece(piece))
    if (endless !== undefined) {
      const goOn = () => {
        while (!response.destroyed && response.write(frames.piece(endless)));
        if (!response.destroyed) response.once('drain', goOn)
      }
      goOn()
    } else if (ends === 'well') response.end(frames.end(tokens))
    else if (ends === 'nonsense') response.end('data: {"what": [}\n\n<html>')
    else if (ends === 'broken') setImmediate(() => response.destroy())
  }
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    say: said => {
      next = said
    },
    embed: answer => {
      embedNext = answer
    },
    asked,
    leftAlone: () => (open === 0 ? Promise.resolve() : new Promise(resolve => waiting.push(resolve))),
  }
}

/** The model at this address; `settings` as an operator writes them. */
export function modelAt(baseUrl: string, { db }: Pick<Services, 'db'>, settings: Environment): LanguageModel {
  const { model } = readConfig({
    ...{ OCTAVO_AI_BASE_URL: baseUrl, OCTAVO_AI_MODEL: 'test-model', OCTAVO_AI_SECONDS_MAX: '60' },
    ...settings,
  })
  assert(model !== undefined, 'a model is set up by its address')
  return createModel(model, db)
}

/** The operations with such ids, over services that a test has changed. A whole server takes twenty times as long to build. */
export function operationsOver(services: Services, ids: RegExp): FastifyInstance {
  const app = buildApp(
    operations.filter(({ id }) => ids.test(id)),
    services,
  )
  after(() => app.close())
  return app
}

/** A server of these services, which a test has changed. */
export function serverOver(services: Services): FastifyInstance {
  const app = buildServer(services)
  after(() => app.close())
  return app
}
