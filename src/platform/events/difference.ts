// Changed settings in an event: their values before and after.

export type Difference<T> = { readonly before?: Partial<T>; readonly after?: Partial<T> }

/** Nothing at all where nothing is different. Compared as JSON, which is what an event keeps. */
export function differenceOf<T extends object>(before: T, after: T): Difference<T> {
  const names = (Object.keys(after) as (keyof T)[]).filter(
    name => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  const only = (from: T) => Object.fromEntries(names.map(name => [name, from[name]])) as Partial<T>
  return names.length === 0 ? {} : { before: only(before), after: only(after) }
}
