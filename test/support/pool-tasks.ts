// Tasks for the tests of the pool.

export const tasks = {
  echo: (input: unknown) => input,
  spin() {
    for (;;);
  },
  fill() {
    const kept: unknown[] = []
    for (;;) kept.push(Array.from({ length: 1_000 }, () => ({})))
  },
  /** One array that is copied whenever it grows, which V8 cannot refuse. */
  swell() {
    const swollen: number[] = []
    for (;;) swollen.push(swollen.length + 0.5)
  },
  async add(numbers: readonly number[], ask: (question: unknown) => Promise<number>) {
    let sum = 0
    for (const number of numbers) sum += await ask(number)
    return sum
  },
  bytes: (length: number) => new Uint8Array(length).fill(7),
  /** Ends its thread once it has answered. */
  leave() {
    setTimeout(() => process.exit(), 20)
  },
  fail() {
    throw new Error('a defect of the task')
  },
}
