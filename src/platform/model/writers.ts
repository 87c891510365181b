// Speaks to the two kinds of endpoints through their libraries, which are loaded with the first request.
import type { LanguageModelV4 } from '@ai-sdk/provider'
import { traced } from '../../base/traces.ts'
import { addressGuard } from '../addresses.ts'
import type { ModelConfig } from '../config.ts'
import { openGuardedAgent } from '../fetch.ts'

export type WriteRequest = {
  readonly rules: string
  readonly text: string
  readonly outputTokensMax: number
  readonly signal: AbortSignal
}
/** Text in pieces, and the tokens used, if the endpoint reports them. */
export type Writer = (request: WriteRequest) => AsyncGenerator<string | { readonly tokens: number }>

// For an answer, including everything sent around its words.
const ANSWER_BYTES_MAX = 8 * 1024 * 1024

export async function openWriter(config: ModelConfig): Promise<Writer> {
  const model = await openModel(config)
  return async function* ({ rules, text, outputTokensMax: maxOutputTokens, signal: abortSignal }) {
    const { stream } = await model.doStream({
      prompt: [
        { role: 'system', content: rules },
        { role: 'user', content: [{ type: 'text', text }] },
      ],
      maxOutputTokens,
      abortSignal,
    })
    let isFinished = false
    for await (const part of stream) {
      if (part.type === 'text-delta') yield part.delta
      else if (part.type === 'error') throw part.error
      else if (part.type === 'finish') {
        isFinished = part.finishReason.unified !== 'error'
        const { inputTokens, outputTokens } = part.usage
        if (inputTokens.total !== undefined && outputTokens.total !== undefined)
          yield { tokens: inputTokens.total + outputTokens.total }
      }
    }
    if (!isFinished) throw new Error('the answer broke off')
  }
}

/** The texts' vectors, in order, and the tokens used, if the endpoint reports them. */
export type Embed = (
  texts: readonly string[],
  signal: AbortSignal,
) => Promise<{ readonly vectors: readonly (readonly number[])[]; readonly tokens: number | undefined }>

export async function openEmbed({ baseUrl: baseURL, key }: ModelConfig, model: string): Promise<Embed> {
  const fetch = await guardedFetch(baseURL)
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const apiKey = key === undefined ? {} : { apiKey: key }
  const embedding = createOpenAICompatible({ name: 'model', baseURL, ...apiKey, fetch }).embeddingModel(model)
  return async (texts, abortSignal) => {
    const { embeddings, usage } = await embedding.doEmbed({ values: [...texts], abortSignal })
    return { vectors: embeddings, tokens: usage?.tokens }
  }
}

async function openModel({ api, baseUrl: baseURL, key, model }: ModelConfig): Promise<LanguageModelV4> {
  const fetch = await guardedFetch(baseURL)
  if (api === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    // Without a key the library would look for one in the environment.
    return createAnthropic({ baseURL, apiKey: key ?? '', fetch })(model)
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const apiKey = key === undefined ? {} : { apiKey: key }
  return createOpenAICompatible({ name: 'model', baseURL, ...apiKey, fetch, includeUsage: true })(model)
}

/**
 * Sends requests to the operator's host and to no other: it may be on a private network, and redirects are not
 * followed.
 */
async function guardedFetch(baseURL: string): Promise<typeof globalThis.fetch> {
  const { fetch } = await import('undici')
  const dispatcher = await openGuardedAgent(addressGuard([new URL(baseURL).hostname]), ANSWER_BYTES_MAX)
  const attributes = { 'http.request.method': 'POST', 'server.address': new URL(baseURL).hostname }
  const send = (input: string | URL, init: object) =>
    traced({ name: 'POST model', kind: 'client', attributes }, () =>
      fetch(input, { ...init, dispatcher, redirect: 'error' }),
    )
  // undici's fetch is compatible with the global one, but has its own types.
  return send as unknown as typeof globalThis.fetch
}
