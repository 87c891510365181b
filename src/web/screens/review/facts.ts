// The fields of a page, a file or variables that differ, in words.
import type { Change } from '../../data/change-request.ts'
import { t } from '../../messages/messages.ts'

export type Fact = {
  readonly name: string
  /** Undefined on a side that has none. */
  readonly before: string | undefined
  readonly after: string | undefined
}

/** Fields with a name for people; others are of programs. */
const NAMED = [
  'title',
  'description',
  'slug',
  'emoji',
  'icon',
  'type',
  'target',
  'cover',
  'layout',
  'variables',
  'hidden',
  'noIndex',
  'noRobotsIndex',
  'name',
  'size',
  'contentType',
] as const

type Sides = { readonly before?: unknown; readonly after?: unknown }

export function factsOf(change: Change): Fact[] {
  if (change.type === 'page_moved') return [moveOf(change)]
  if (change.type === 'variables_edited')
    return Object.entries(change.variables).map(([name, sides]) => toFact(name, sides))
  if (!('attributes' in change)) return []
  const attributes: Readonly<Record<string, Sides | undefined>> = change.attributes
  return NAMED.flatMap(name => {
    const sides = attributes[name]
    return sides === undefined ? [] : [toFact(t(`review.field.${name}`), sides)]
  })
}

const toFact = (name: string, { before, after }: Sides): Fact => ({
  name,
  before: sayValue(before),
  after: sayValue(after),
})

function sayValue(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'boolean') return t(value ? 'review.yes' : 'review.no')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

type Moved = Extract<Change, { readonly type: 'page_moved' }>

function moveOf({ parent, position }: Moved): Fact {
  if (parent.before?.id === parent.after?.id)
    return {
      name: t('review.field.position'),
      before: String(position.before + 1),
      after: String(position.after + 1),
    }
  const sayParent = (page: Moved['parent']['before']) => page?.title ?? t('review.top')
  return { name: t('review.field.below'), before: sayParent(parent.before), after: sayParent(parent.after) }
}
