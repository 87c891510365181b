// A change that cannot be carried out: the message names the change and the field, and says what to do.
import { type Failure, invalid } from '../../../base/errors.ts'

/** `field` is a path below the change at `index`; `why` is a sentence. Nothing of the request is applied. */
export const refuse = (index: number, field: string, why: string, cause?: unknown): Failure =>
  invalid('change_invalid', `body.changes.${index}.${field}: ${why}`, cause)
