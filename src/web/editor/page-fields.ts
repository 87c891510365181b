// The fields of a page, each by itself, as a writer and others change them.
import type { PageFields } from '../data/page-text.ts'

type Layout = PageFields['layout']
export type FieldName = Exclude<keyof PageFields, 'layout'> | `layout.${keyof Layout}`
export type FieldValue = string | boolean | PageFields['cover']

/** A field that the writer and others changed. */
export type ClashingField = {
  readonly name: FieldName
  readonly theirs: FieldValue
  readonly mine: FieldValue
}

type Values = Readonly<Record<FieldName, FieldValue>>

export function valuesOf({ layout, ...others }: PageFields): Values {
  const ofLayout = Object.entries(layout).map(([name, value]) => [`layout.${name}`, value])
  return { ...others, ...Object.fromEntries(ofLayout) }
}

export function withValue(fields: PageFields, name: FieldName, value: FieldValue): PageFields {
  const [within, part] = name.split('.')
  return part === undefined
    ? { ...fields, [name]: value }
    : { ...fields, [within ?? '']: { ...fields.layout, [part]: value } }
}

/** A cover is read anew each time. */
export const isSameValue = (one: FieldValue, other: FieldValue): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

const namesIn = (values: Values) => Object.keys(values) as FieldName[]

/** Each field as the writer has it, if the writer changed it; else as it is now. */
export function mergeFields(before: PageFields, mine: PageFields, now: PageFields): PageFields {
  const [old, own] = [valuesOf(before), valuesOf(mine)]
  return namesIn(own)
    .filter(name => !isSameValue(own[name], old[name]))
    .reduce((merged, name) => withValue(merged, name, own[name]), now)
}

export function clashingFields(before: PageFields, mine: PageFields, now: PageFields): ClashingField[] {
  const [old, own, others] = [valuesOf(before), valuesOf(mine), valuesOf(now)]
  return namesIn(own)
    .filter(name => !isSameValue(own[name], old[name]))
    .filter(name => ![old[name], own[name]].some(value => isSameValue(others[name], value)))
    .map(name => ({ name, theirs: others[name], mine: own[name] }))
}

/**
 * As the API takes them: those that are others than before, the layout as a whole. A page keeps its title until it has
 * another, and a blank at an end is one before the next word.
 */
export function changedFields(
  { title, description, ...others }: PageFields,
  before: PageFields,
): Partial<PageFields> {
  const fields = { ...others, title: title.trim() || before.title, description: description.trim() }
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof PageFields]),
    ),
  )
}
