// Changed settings in an event: their values before and after.
import { keysOf } from '../../base/objects.ts'

export type Difference<T> = { readonly before?: Partial<T>; readonly after?: Partial<T> }

/** Empty if nothing differs. Values are compared as JSON, which is what an event stores. */
export function differenceOf<T extends object>(before: T, after: T): Difference<T> {
  const names = keysOf(after).filter(name => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  // Object.fromEntries loses the names.
  const only = (from: T) => Object.fromEntries(names.map(name => [name, from[name]])) as Partial<T>
  return names.length === 0 ? {} : { before: only(before), after: only(after) }
}
