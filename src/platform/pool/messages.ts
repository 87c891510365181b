// The messages between a pool thread and the process.

/** A task as a worker runs it. `ask` puts a question to the task's caller; one at a time. */
export type TaskFunction = (input: never, ask: (question: unknown) => Promise<never>) => unknown

export type ToWorker =
  | { readonly kind: 'task'; readonly task: string; readonly input: unknown }
  | { readonly kind: 'answer'; readonly answer: unknown }
  /** The question cannot be answered: the task has to end. */
  | { readonly kind: 'refusal' }

/**
 * `processorMs`: the thread's total processor time. It comes with the result because asking for it costs as much as a
 * small task.
 */
export type FromWorker =
  | { readonly kind: 'ready'; readonly processorMs: number }
  | { readonly kind: 'question'; readonly question: unknown }
  | { readonly kind: 'done'; readonly value: unknown; readonly processorMs: number }
  | { readonly kind: 'failed'; readonly message: string; readonly processorMs: number }
