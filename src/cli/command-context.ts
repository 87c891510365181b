// What a running command is given.
import { Failure } from '../base/errors.ts'
import type { Progress } from './progress.ts'

/** `emit` reports progress; `signal` is aborted when the caller no longer waits. */
export type CommandContext = { readonly emit: (progress: Progress) => void; readonly signal: AbortSignal }

/** The operator interrupted it, for example with Ctrl-C. */
export const interrupted = (cause?: unknown) =>
  new Failure('unavailable', 'interrupted', 'Interrupted before it was done.', cause)
