// Runs an import or an export to its end.
import { Failure } from '../../base/errors.ts'
import type { Services } from '../../http/context.ts'
import { awaitTurn, turnOfSpace } from '../../platform/turns.ts'
import { whileHeadMoves } from '../heads/overtaken.ts'
import { INTERRUPTED, type RunningOperation } from './operation.ts'

/**
 * Runs an operation in its turn and records how it ended; rejects with the reason of a failure. Operations of one space
 * take turns, because they share the cache of its repository and would only overtake each other.
 */
export const runOperation = <Outcome>(
  services: Services,
  spaceId: string,
  operation: RunningOperation,
  run: (signal: AbortSignal) => Promise<Outcome>,
  abort?: AbortSignal,
): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    services.tasks.start(`git:${spaceId}`, async stop => {
      const signal = abort === undefined ? stop : AbortSignal.any([stop, abort])
      try {
        signal.throwIfAborted()
        const outcome = await run(signal)
        await operation.stopReporting()
        resolve(outcome)
      } catch (error) {
        await operation.stopReporting()
        const failure = toFailure(services, error, operation.id, signal)
        try {
          await operation.recordFailure(failure)
        } finally {
          reject(failure)
        }
      }
    })
  })

function toFailure(services: Services, error: unknown, operation: string, signal: AbortSignal): Failure {
  if (signal.aborted) return new Failure('unavailable', 'interrupted', INTERRUPTED, error)
  if (error instanceof Failure) {
    services.log.info({ operation, code: error.code, err: error.cause }, 'an operation of git failed')
    return error
  }
  services.log.error({ err: error, operation }, 'bug')
  const message = 'Something went wrong on our side. The space is as it was; the log of the server has more.'
  return new Failure('unavailable', 'internal', message, error)
}

// After three lost races, the space is most likely edited continuously.
const ATTEMPTS_MAX = 3

/**
 * Runs `publish`, which reads the head and publishes on top of it, until nobody else moves the head in between. Reading
 * a commit takes long, so after losing once it takes turns with the writers of this process; otherwise live edits would
 * always win.
 */
export const publishOnHead = <Outcome>(spaceId: string, publish: () => Promise<Outcome>): Promise<Outcome> =>
  whileHeadMoves(count => (count === 1 ? publish() : awaitTurn(turnOfSpace(spaceId), publish)), {
    attemptsMax: ATTEMPTS_MAX,
    message: 'The space kept changing in the meantime. Try again.',
  })
