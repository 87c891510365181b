// Tasks of the pool.

/**
 * Work on values that can be copied into another thread. It has no effect but its result, so it can run anywhere, and
 * again. Its questions to the caller are functions, by kind, on values that can be copied; it asks one question at a
 * time.
 */
export type Task<Input, Output, Asks = AsksNothing> = (input: Input, ask: Asks) => Output | Promise<Output>

export type AsksNothing = Readonly<Record<never, never>>

/** A question on its way between threads. */
export type Question = { readonly kind: string; readonly asked: unknown }

/** A task in the catalogue: what is known about it where it does not run. */
export type Entry<Input, Output, Asks = AsksNothing> = {
  /** Loads it with the engines that it needs. */
  load(): Promise<Task<Input, Output, Asks>>
  /** The amount of work, in characters of outside text. */
  sizeOf(input: Input): number
  /** Buffers of the input to transfer instead of copy: the caller loses them. */
  handedOver?(input: Input): readonly ArrayBuffer[]
}
