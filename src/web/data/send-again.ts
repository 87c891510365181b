// Sends again what the network broke off or a busy server turned away, for as long as that may pass by itself.
import { mayPass } from './send-once.ts'

/** Before each further try. After the last, the person decides. */
const WAITS_MS = [1_000, 2_000, 5_000, 10_000, 20_000, 30_000]

type Trying = {
  readonly signal?: AbortSignal | undefined
  /** What was sent is lost, and it is tried again later. */
  readonly onBroken?: (() => void) | undefined
}

/** `send` can be repeated: it has a name of its own, or a key. Throws what the last try threw. */
export async function sendAgain<Answer>(
  send: () => Promise<Answer>,
  { signal, onBroken }: Trying,
): Promise<Answer> {
  for (const wait of WAITS_MS) {
    try {
      return await send()
    } catch (error) {
      if (!mayPass(error)) throw error
    }
    onBroken?.()
    await untilThen(wait, signal)
  }
  return send()
}

/** A network that is back is tried at once. Throws an `AbortError` where the person does not wait. */
function untilThen(ms: number, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const stop = () => reject(new DOMException('It is not sent.', 'AbortError'))
  const timer = setTimeout(resolve, ms)
  addEventListener('online', () => resolve(), { once: true })
  signal?.addEventListener('abort', stop, { once: true })
  if (signal?.aborted) stop()
  return promise.finally(() => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  })
}
