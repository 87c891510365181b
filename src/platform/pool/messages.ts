// What a thread of the pool and the process say to each other.

/** What a worker carries out. `ask` puts a question to the caller of the task; one at a time. */
export type TaskFunction = (input: never, ask: (question: unknown) => Promise<never>) => unknown

export type ToWorker =
  | { readonly kind: 'task'; readonly task: string; readonly input: unknown }
  | { readonly kind: 'answer'; readonly answer: unknown }
  /** The question cannot be answered: the task is to end. */
  | { readonly kind: 'refusal' }

/** `processorMs`: what the thread has worked in all. It is told at the end of a task because asking costs as much as a small one. */
export type FromWorker =
  | { readonly kind: 'ready'; readonly processorMs: number }
  | { readonly kind: 'question'; readonly question: unknown }
  | { readonly kind: 'done'; readonly value: unknown; readonly processorMs: number }
  | { readonly kind: 'failed'; readonly message: string; readonly processorMs: number }
