// What a running command gets.
import { Failure } from '../base/errors.ts'
import type { Progress } from './progress.ts'

/** `emit` reports progress; `signal` is aborted when the caller stops waiting. */
export type CommandContext = { readonly emit: (progress: Progress) => void; readonly signal: AbortSignal }

/** The operator interrupted the command, for example with Ctrl-C. */
export const interrupted = (cause?: unknown) =>
  new Failure('unavailable', 'interrupted', 'Interrupted before it was done.', cause)
