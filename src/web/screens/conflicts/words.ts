// What a conflict is about, in the words of a writer.
import { type Conflict, FRONTMATTER, isOfFrontmatter } from '../../data/conflicts.ts'
import { t } from '../../messages/messages.ts'

/** What happened on both sides, as a heading. */
export function sayKind(conflict: Conflict): string {
  const { kind, versions } = conflict
  const { base, space, changeRequest } = versions
  switch (kind) {
    case 'block':
    case 'deleted':
      if (space === null) return t('conflicts.kind.deletedInSpace')
      if (changeRequest === null) return t('conflicts.kind.deletedInChangeRequest')
      return t(base === null ? 'conflicts.kind.written' : 'conflicts.kind.changed')
    case 'field':
      return t(find(FIELD_KINDS, conflict.field) ?? 'conflicts.kind.changed')
    case 'slug':
      return t('conflicts.kind.slug')
    case 'cycle':
      return t('conflicts.kind.cycle')
    case 'tree':
      return t('conflicts.kind.tree')
  }
}

const FIELD_KINDS = {
  title: 'conflicts.kind.renamed',
  name: 'conflicts.kind.renamed',
  slug: 'conflicts.kind.address',
  file: 'conflicts.kind.path',
  parent: 'conflicts.kind.moved',
  children: 'conflicts.kind.order',
  blob: 'conflicts.kind.replaced',
} as const

/** The page, the file or whatever it is in. */
export function sayWhere({ about, variable, key }: Conflict): string {
  if (about !== undefined) return about.title === '' ? t('conflicts.untitled') : about.title
  if (variable !== undefined) return t('conflicts.variable', { name: variable })
  if (key === 'git/summary') return SUMMARY_FILE
  return key === 'git/config' ? CONFIG_FILE : t('conflicts.tree')
}

const SUMMARY_FILE = 'SUMMARY.md'
const CONFIG_FILE = '.gitbook.yaml'

/** Which part of it; nothing for one of its blocks. */
export function sayPart(conflict: Conflict): string | undefined {
  const { block, field = '' } = conflict
  if (isOfFrontmatter(conflict))
    return t('conflicts.part.frontmatter', { name: block?.slice(FRONTMATTER.length) })
  if (field.startsWith(VARIABLES)) return t('conflicts.variable', { name: field.slice(VARIABLES.length) })
  if (field.startsWith(LAYOUT)) return t('conflicts.part.layout', { name: field.slice(LAYOUT.length) })
  const part = find(FIELD_PARTS, field)
  return part === undefined ? undefined : t(part)
}

/** How a block begins that both sides changed, without the marks of Markdown: it tells apart those of one page. */
export function sayBeginning({ kind, versions }: Conflict): string | undefined {
  const { space, changeRequest } = versions
  if (kind !== 'block' || typeof space !== 'string' || typeof changeRequest !== 'string') return undefined
  const words = space
    .slice(0, BEGINNING_CHARACTERS)
    .replace(/[#>*_`|~[\]{}%\\-]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return words === '' ? undefined : words
}

const BEGINNING_CHARACTERS = 80

const VARIABLES = 'variables.'
const LAYOUT = 'layout.'

const FIELD_PARTS = {
  description: 'conflicts.part.description',
  emoji: 'conflicts.part.emoji',
  icon: 'conflicts.part.icon',
  hidden: 'conflicts.part.hidden',
  noIndex: 'conflicts.part.noIndex',
  noRobotsIndex: 'conflicts.part.noRobotsIndex',
  document: 'conflicts.part.text',
} as const

const find = <Found>(table: Readonly<Record<string, Found>>, name = ''): Found | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

/** What comes of a choice, where the versions do not say it. */
export function sayHint(conflict: Conflict): string | undefined {
  const { kind, pages = [] } = conflict
  const [other] = pages
  const names = { title: sayWhere(conflict), other: other?.title ?? t('conflicts.untitled') }
  if (kind === 'slug') return t('conflicts.hint.slug', names)
  if (kind === 'cycle') return t('conflicts.hint.cycle', names)
  if (kind === 'tree') return t('conflicts.hint.tree')
  if (kind !== 'deleted' || other === undefined) return undefined
  return t('conflicts.hint.deleted', { titles: pages.map(({ title }) => title).join(', ') })
}
