// A write that was overtaken: its base is not the head any more.
import { conflict, Failure } from '../../base/errors.ts'

export const headMoved = (noun: 'space' | 'change request') =>
  conflict('head_moved', `The ${noun} was changed in the meantime. Read it again and repeat the change.`)

/** Not the refusal of an If-Match, which is a failed precondition. */
const isHeadMoved = (error: unknown): error is Failure =>
  error instanceof Failure && error.kind === 'conflict' && error.code === 'head_moved'

/**
 * Runs `attempt` until it is not overtaken, at most `attemptsMax` times; the last failure is thrown, with `message` if
 * given. `attempt` counts from 1.
 */
export async function whileHeadMoves<T>(
  attempt: (count: number) => Promise<T>,
  { attemptsMax, message }: { readonly attemptsMax: number; readonly message?: string },
): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt(count)
    } catch (error) {
      if (!isHeadMoved(error)) throw error
      if (count < attemptsMax) continue
      throw message === undefined ? error : conflict('head_moved', message, error)
    }
  }
}
