// Reading values of unknown shape, such as parsed JSON.

export type Fields = { readonly [name: string]: unknown }

/** Whether a value is an object and no array. */
export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The own member of an object or array; undefined if there is none. */
export const ownMember = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined
