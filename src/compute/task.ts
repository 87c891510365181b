// What a task of the pool is.

/** Puts a question to the caller of the task; one at a time. */
export type Ask<Question, Answer> = (question: Question) => Promise<Answer>

/**
 * Work over values that can be copied into another thread. It does nothing but its result, so it can be carried out
 * anywhere, and again.
 */
export type Task<Input, Output, Question = never, Answer = never> = (
  input: Input,
  ask: Ask<Question, Answer>,
) => Output | Promise<Output>

/** A task in the catalogue: what has to be known of it where it is not carried out. */
export type Entry<Input, Output, Question = never, Answer = never> = {
  /** Loads it with the engines that it needs. */
  load(): Promise<Task<Input, Output, Question, Answer>>
  /** How much there is to do, in characters of outside text. */
  sizeOf(input: Input): number
  /** What of the input is handed over to the thread instead of copied: the caller has it no more. */
  handedOver?(input: Input): readonly ArrayBuffer[]
}
