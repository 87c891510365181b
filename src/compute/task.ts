// What a task of the pool is.

/**
 * Work over values that can be copied into another thread. It does nothing but its result, so it can be carried out
 * anywhere, and again. What it asks of its caller are functions by the kind of question, of values that can be copied; it
 * asks one question at a time.
 */
export type Task<Input, Output, Asks = AsksNothing> = (input: Input, ask: Asks) => Output | Promise<Output>

export type AsksNothing = Readonly<Record<never, never>>

/** A question on its way between threads. */
export type Question = { readonly kind: string; readonly asked: unknown }

/** A task in the catalogue: what has to be known of it where it is not carried out. */
export type Entry<Input, Output, Asks = AsksNothing> = {
  /** Loads it with the engines that it needs. */
  load(): Promise<Task<Input, Output, Asks>>
  /** How much there is to do, in characters of outside text. */
  sizeOf(input: Input): number
  /** What of the input is handed over to the thread instead of copied: the caller has it no more. */
  handedOver?(input: Input): readonly ArrayBuffer[]
}
