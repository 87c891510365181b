// Why something cannot be undone as a whole: what came later, in the words of a writer.
import type { Model } from '../data/client.ts'
import { isolated, t } from '../messages/messages.ts'

type Conflict = Model<'MergeConflict'>

/** In a rollback `ours` is the space now, and `theirs` what was there before. */
export function sayUndoConflict(conflict: Conflict): string {
  const where = isolated(whereOf(conflict))
  if (!Object.hasOwn(SENTENCES, conflict.kind)) return conflict.message
  return SENTENCES[conflict.kind](where, conflict)
}

type Sentence = (where: string, conflict: Conflict) => string

const sayLost: Sentence = (where, { ours }) =>
  t(ours === null ? 'undoConflict.removedLater' : 'undoConflict.changedLater', { where })

const SENTENCES: Readonly<Record<Conflict['kind'], Sentence>> = {
  field: (where, { field }) => t('undoConflict.field', { where, part: partOf(field) }),
  block: (where, conflict) =>
    conflict.base !== null && (conflict.ours === null || conflict.theirs === null)
      ? sayLost(where, conflict)
      : t('undoConflict.block', { where }),
  deleted: sayLost,
  slug: where => t('undoConflict.slug', { where }),
  cycle: where => t('undoConflict.cycle', { where }),
  tree: where => t('undoConflict.tree', { where }),
}

function whereOf({ about, variable, key }: Conflict): string {
  if (about !== undefined) return about.title === '' ? t('conflicts.untitled') : about.title
  if (variable !== undefined) return t('conflicts.variable', { name: variable })
  if (key === 'git/summary') return 'SUMMARY.md'
  return key === 'git/config' ? '.gitbook.yaml' : t('conflicts.tree')
}

const PARTS = {
  title: 'review.field.title',
  description: 'review.field.description',
  slug: 'review.field.slug',
  emoji: 'review.field.emoji',
  icon: 'review.field.icon',
  hidden: 'review.field.hidden',
  noIndex: 'review.field.noIndex',
  noRobotsIndex: 'review.field.noRobotsIndex',
  name: 'review.field.name',
  parent: 'review.field.position',
  children: 'review.field.position',
  document: 'conflicts.part.text',
  value: 'review.after',
} as const

function partOf(field = ''): string {
  const [name = ''] = field.split('.', 1)
  if (name === 'variables' || name === 'layout') return t(`review.field.${name}`)
  return t(Object.hasOwn(PARTS, name) ? PARTS[name as keyof typeof PARTS] : 'undoConflict.setting')
}
