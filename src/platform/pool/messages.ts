// What a thread of the pool and the process say to each other.

/** What a worker carries out. `ask` puts a question to the caller of the task; one at a time. */
export type TaskFunction = (input: never, ask: (question: unknown) => Promise<never>) => unknown

export type ToWorker =
  | { readonly kind: 'task'; readonly task: string; readonly input: unknown }
  | { readonly kind: 'answer'; readonly answer: unknown }
  /** The question cannot be answered: the task is to end. */
  | { readonly kind: 'refusal' }

export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'question'; readonly question: unknown }
  | { readonly kind: 'done'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly message: string }
