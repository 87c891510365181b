// The fields of a page that differ, with names for people who do not know the records.
import type { AttributeChange, PageChange } from '../../engines/content/diff.ts'
import type { PageRecord } from '../../engines/content/records.ts'
import type { ChangeWord, MetadataView } from './view.ts'

/** Labels of fields; fields without one are not shown. */
const NAMES: Readonly<Record<string, string>> = {
  title: 'Title',
  linkTitle: 'Title in the navigation',
  slug: 'Address',
  description: 'Description',
  emoji: 'Emoji',
  icon: 'Icon',
  type: 'Kind',
  target: 'Target',
  cover: 'Cover',
  layout: 'Layout',
  variables: 'Variables',
  hidden: 'Hidden',
  noIndex: 'Left out of search',
  noRobotsIndex: 'Left out of search engines',
}

const VALUE_CHARACTERS_MAX = 300

export function toWords(change: PageChange): ChangeWord[] {
  if (change.kind === 'created') return ['Added']
  if (change.kind === 'deleted') return ['Removed']
  const words: ChangeWord[] = []
  if (change.isEdited) words.push('Edited')
  if (change.isRenamed) words.push('Renamed')
  if (change.move !== null)
    words.push(change.move.before.parent === change.move.after.parent ? 'Reordered' : 'Moved')
  if (change.attributes.some(isSetting)) words.push('Settings changed')
  return words
}

const isSetting = ({ name }: AttributeChange): boolean =>
  name !== 'title' && name !== 'slug' && NAMES[name] !== undefined

/** `pageBefore` and `pageAfter` find its parent before and after. */
export function toFacts(
  change: PageChange,
  pageBefore: (id: string) => PageRecord | undefined,
  pageAfter: (id: string) => PageRecord | undefined,
): MetadataView[] {
  const facts = change.attributes.flatMap(({ name, before, after }): MetadataView[] => {
    const shown = NAMES[name]
    return shown === undefined ? [] : [{ name: shown, before: toText(before), after: toText(after) }]
  })
  if (change.move === null) return facts
  const { before, after } = change.move
  if (before.parent === after.parent)
    facts.push({ name: 'Position', before: String(before.index + 1), after: String(after.index + 1) })
  else
    facts.push({
      name: 'Below',
      before: titleOf(before.parent, pageBefore),
      after: titleOf(after.parent, pageAfter),
    })
  return facts
}

const titleOf = (id: string | null, page: (id: string) => PageRecord | undefined): string =>
  id === null ? 'the top of the space' : (page(id)?.title ?? '')

/** A value as text; null for an absent one. */
export function toText(value: unknown): string | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > VALUE_CHARACTERS_MAX ? `${text.slice(0, VALUE_CHARACTERS_MAX)}…` : text
}
