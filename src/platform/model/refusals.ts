// Why a model is not asked, or has not answered.
import { unavailable } from '../../base/errors.ts'

export const modelOff = () => unavailable('model_off', 'This organization has turned the language model off.')

export const tokensSpent = () =>
  unavailable(
    'model_spent',
    'This organization has asked as much of the language model as it may in an hour.',
  )

export const failed = (how: string) =>
  unavailable('model_failed', 'The language model could not be asked.', new Error(`the model ${how}`))

/** What the log may hold: errors of the library carry what was sent, and headers. */
export function publicReason(reason: unknown): string {
  // What the library adds to its errors.
  const { name = 'Error', statusCode } = (reason ?? {}) as { name?: string; statusCode?: number }
  return statusCode === undefined ? `failed with ${name}` : `answered with status ${statusCode}`
}
