/** Throws a plain Error when one of our own assumptions is false. Never for what a caller can cause. */
export function assert(condition: unknown, why: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${why}`)
}

/** A value that our own code has set; throws like `assert` if it has not. */
export function assertDefined<T>(value: T | undefined, why: string): T {
  if (value === undefined) throw new Error(`assertion failed: ${why}`)
  return value
}
