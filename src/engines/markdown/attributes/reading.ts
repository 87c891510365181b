// Reads and writes the attributes of one tag by the table of its block.
import { type Defined, defined } from '../../../base/objects.ts'
import type { Attribute, Written } from './kinds.ts'

/** Attributes of any types; each takes to write what it reads. */
type AttributeTable = {
  readonly [name: string]: Pick<Attribute<never>, 'write' | 'names'> & {
    readonly read: (written: Written) => unknown
    readonly absent?: unknown
  }
}

type ValueOf<A> = A extends { read: (written: Written) => infer V } ? V : never
export type AttributesOf<Table extends AttributeTable> = Defined<{
  [K in keyof Table]: Table[K] extends { absent: unknown }
    ? NonNullable<ValueOf<Table[K]>>
    : ValueOf<Table[K]>
}>

/**
 * Names are compared without case and hyphens: `lineNumbers`, `linenumbers` and `line-numbers` are one. If an attribute
 * is written several times, the first that means something counts.
 */
export function readAttributes<Table extends AttributeTable>(
  attributes: Readonly<Record<string, Written>>,
  table: Table,
): AttributesOf<Table> {
  const written = Map.groupBy(Object.entries(attributes), ([name]) => plainName(name))
  const read = Object.entries(table).map(([key, attribute]): [string, unknown] => {
    for (const name of attribute.names ?? [key])
      for (const [, value] of written.get(plainName(name)) ?? []) {
        const meant: unknown = attribute.read(value)
        if (meant !== undefined) return [key, meant]
      }
    return [key, attribute.absent]
  })
  // Each attribute is read by the function that `AttributesOf` takes its type from.
  return defined(Object.fromEntries(read)) as AttributesOf<Table>
}

/** A name in the form in which names are compared. */
export const plainName = (name: string): string => name.toLowerCase().replaceAll('-', '')

/** In the order in which they are written. */
export function writeAttributes(
  table: AttributeTable,
  data: Readonly<Record<string, unknown>> = {},
): Record<string, string | undefined> {
  const written = Object.entries(table).map(([key, { write, names: [name = key] = [] }]) => {
    // The caller's data has the type that the attribute reads.
    return [name, data[key] === undefined ? undefined : write(data[key] as never)]
  })
  return Object.fromEntries(written)
}
