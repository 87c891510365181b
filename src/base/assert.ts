/** Throws a plain Error when one of our own assumptions is false. Never for what a caller can cause. */
export function assert(condition: unknown, why: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${why}`)
}

/** A value that our own code has put there; throws as `assert` does where it has not. */
export function assertDefined<T>(value: T | undefined, why: string): T {
  if (value === undefined) throw new Error(`assertion failed: ${why}`)
  return value
}
