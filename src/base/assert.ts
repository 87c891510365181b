/** Throws a plain Error when one of our own assumptions is false. Never for what a caller can cause. */
export function assert(condition: unknown, why: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${why}`)
}
