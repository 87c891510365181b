// The first message of a new thread.
import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'

/** @throws the error that ended the thread, or that it ended without a message. */
export async function firstMessage(worker: Worker): Promise<unknown> {
  const heard = new AbortController()
  const { signal } = heard
  const ended = once(worker, 'exit', { signal }).then(([code]) => {
    throw new Error(`the thread ended (${code}) before it said anything`)
  })
  try {
    const [message]: unknown[] = await Promise.race([once(worker, 'message', { signal }), ended])
    return message
  } finally {
    ended.catch(() => {})
    heard.abort()
  }
}
