// Rows in portions that one statement takes: enough that a whole import is a few of them, few enough that no message to
// the database is ever huge.

/** Portions of at most `countMax` values and, where `sizeOf` is given, of about `sizeMax` altogether. */
export function* batchesOf<T>(
  values: Iterable<T>,
  countMax: number,
  sizeMax = Number.POSITIVE_INFINITY,
  sizeOf: (value: T) => number = () => 0,
): Generator<T[]> {
  let batch: T[] = []
  let size = 0
  for (const value of values) {
    if (batch.length === countMax || (batch.length > 0 && size + sizeOf(value) > sizeMax)) {
      yield batch
      batch = []
      size = 0
    }
    batch.push(value)
    size += sizeOf(value)
  }
  if (batch.length > 0) yield batch
}
