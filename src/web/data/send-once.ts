// What was sent may have been done although no answer came. Sent again as it was, it has the key that it had, so that the
// server does it once.
import { isReason, isStatus } from './client.ts'
import { randomKey } from './random-key.ts'

/** By what was sent. */
const unanswered = new Map<string, string>()

/** `send` with a key, which stays while what is sent is the same and no answer has come. */
export async function sendOnce<Answer>(
  sent: readonly unknown[],
  send: (key: string) => Promise<Answer>,
): Promise<Answer> {
  const name = JSON.stringify(sent)
  const key = unanswered.get(name) ?? randomKey()
  unanswered.set(name, key)
  try {
    const answer = await send(key)
    unanswered.delete(name)
    return answer
  } catch (error) {
    if (!mayPass(error)) unanswered.delete(name)
    throw error
  }
}

/** No answer, or that of a proxy or of a server that has too much to do; or an earlier try is still being carried out. */
export const mayPass = (error: unknown): boolean =>
  isStatus(error, 0, 408, 429, 502, 503, 504) || isReason(error, 'request_in_progress')
