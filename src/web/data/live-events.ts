// The live stream as this browser reads it: parsed from bytes, and begun again when it ends.
import { api, type Model } from './client.ts'

export type LiveEvent = Model<'LiveEvent'>
/** What was heard: an event, or that the stream is there although nothing happens. */
export type Heard = LiveEvent | { readonly type: 'quiet' }

const RETRY_MS = 2000
const RETRY_MS_MAX = 30_000
// The server says something at least every 15 s.
const QUIET_MS_MAX = 40_000

/** What is heard until `signal` is aborted. `hello` each time that the stream begins: what came before may have been missed. */
export async function* readLive(signal: AbortSignal): AsyncGenerator<Heard> {
  let wait = RETRY_MS
  while (!signal.aborted) {
    try {
      for await (const event of readOnce(signal)) {
        wait = RETRY_MS
        yield event
      }
    } catch {
      // Without the stream, what is shown is read again at intervals.
    }
    // Browsers do not come back all at once.
    await pause(wait * (0.5 + Math.random()), signal)
    wait = Math.min(wait * 2, RETRY_MS_MAX)
  }
}

async function* readOnce(outer: AbortSignal): AsyncGenerator<Heard> {
  const silence = new AbortController()
  const signal = AbortSignal.any([outer, silence.signal])
  let timer = setTimeout(() => silence.abort(), QUIET_MS_MAX)
  try {
    const { response } = await api.GET('/stream', { signal, parseAs: 'stream' })
    if (!response.ok || response.body === null)
      throw new Error(`The stream was refused with ${response.status}.`)
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      clearTimeout(timer)
      timer = setTimeout(() => silence.abort(), QUIET_MS_MAX)
      yield { type: 'quiet' }
      const frames = (text + value).split('\n\n')
      text = frames.pop() ?? ''
      for (const frame of frames)
        if (frame.startsWith(DATA)) yield JSON.parse(frame.slice(DATA.length)) as LiveEvent
    }
  } finally {
    clearTimeout(timer)
    silence.abort()
  }
}

const DATA = 'data: '

/** Shorter where the network comes back. */
const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    const end = () => {
      clearTimeout(timer)
      removeEventListener('online', end)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    addEventListener('online', end)
    signal.addEventListener('abort', end)
  })
