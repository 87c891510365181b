// What a command of the operator is given while it runs.
import { Failure } from '../base/errors.ts'
import type { Progress } from './progress.ts'

/** How a command tells how far it is, and how it learns that nobody waits for it any more. */
export type Hold = { readonly emit: (progress: Progress) => void; readonly signal: AbortSignal }

/** The operator ended it, by Ctrl-C for instance. */
export const interrupted = (cause?: unknown) =>
  new Failure('unavailable', 'interrupted', 'Interrupted before it was done.', cause)
