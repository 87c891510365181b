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

/** What the log may hold: the library's errors contain the request and its headers. */
export function publicReason(reason: unknown): string {
  // Fields that the library adds to its errors.
  const { name = 'Error', statusCode } = (reason ?? {}) as { name?: string; statusCode?: number }
  return statusCode === undefined ? `failed with ${name}` : `answered with status ${statusCode}`
}
