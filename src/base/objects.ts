// Objects: reading those of unknown shape, such as parsed JSON, and leaving out members that are undefined.

export type Fields = { readonly [name: string]: unknown }

/** Whether a value is an object and not an array. */
export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The elements of an array; empty for any other value. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The members of an object with their names; empty for any other value. */
export const entriesOf = (value: unknown): [string, unknown][] =>
  isObject(value) ? Object.entries(value) : []

/** A string; '' for any other value. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The names of the members. Only for objects that have no members beyond those of their type. */
export const keysOf = <T extends object>(members: T) => Object.keys(members) as (keyof T & string)[]

/** Whether a name is an own member. */
export const isNameOf = <T extends object>(members: T, name: PropertyKey): name is keyof T =>
  Object.hasOwn(members, name)

/** The own member of an object or array; undefined if there is none. */
export const ownMember = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined

export type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** A copy without undefined members. */
export const defined = <T extends object>(members: T): Defined<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>
