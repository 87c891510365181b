// Describes conflicts to people, in one or two sentences.
import type { Conflict } from '../../engines/content/merge.ts'
import { keyOfConflict } from '../../engines/content/merge-frontmatter.ts'
import { splitKey } from '../../engines/content/records.ts'
import type { About, SideName } from './schema.ts'

/** The sides of a merge; `edit` is the caller's own. */
export type MessageSide = SideName | 'edit'

type Words = {
  readonly about: About | undefined
  readonly pages: readonly About[]
  readonly sides: { readonly ours: MessageSide; readonly theirs: MessageSide }
}

const SIDE_WORDS: Readonly<Record<MessageSide, string>> = {
  space: 'the space',
  'change-request': 'the change request',
  previous: 'the state before',
  edit: 'your edit',
}

export function describeConflict(conflict: Conflict, words: Words): string {
  const name = nameOf(conflict, words)
  const both = `${SIDE_WORDS[words.sides.ours]} and ${SIDE_WORDS[words.sides.theirs]}`
  switch (conflict.kind) {
    case 'field':
      return `${toSentence(both)} have another ${fieldWord(conflict.field)} for ${name}.`
    case 'block':
      return describeBlock(conflict, words, name, both)
    case 'deleted':
      return describeDeletion(conflict, words, name)
    case 'slug':
      return `${toSentence(name)} and ${titles(words.pages)} would have one address: the slug ${quote(slugOf(conflict))} is taken. Give this page another as a value.`
    case 'cycle':
      return `${toSentence(both)} moved ${name} and ${titles(words.pages)} below each other.`
    case 'tree':
      if (conflict.field === 'type')
        return `What ${both} made of ${name} cannot be combined: a link has no pages below it, and a group cannot be below a page.`
      return conflict.field === 'parent'
        ? `Where ${both} put ${name}, it would be too deep.`
        : `The pages of ${both} form no valid tree together. Take one side as a whole, or move pages apart and merge again.`
  }
}

/** The slug that both would have: the new one of theirs, or the one of ours at the place where theirs moved it. */
const slugOf = ({ base, ours, theirs }: Conflict): unknown =>
  theirs === null || (theirs === base && ours !== null) ? ours : theirs

function describeBlock(
  { block = '', base, ours, theirs }: Conflict,
  { sides }: Words,
  name: string,
  both: string,
): string {
  const key = keyOfConflict(block)
  if (key !== undefined && ours !== null && theirs !== null)
    return `${toSentence(both)} have another value for ${quote(key)} in the frontmatter of ${name}.`
  if (base === null) return `${toSentence(both)} wrote nearly the same at one place of ${name}.`
  if (ours !== null && theirs !== null) return `${toSentence(both)} changed the same lines of ${name}.`
  const [remover, changer] = ours === null ? [sides.ours, sides.theirs] : [sides.theirs, sides.ours]
  const removed = key === undefined ? `a block of ${name}` : `${quote(key)} in the frontmatter of ${name}`
  return `${toSentence(SIDE_WORDS[remover])} removed ${removed}, and ${SIDE_WORDS[changer]} changed it.`
}

function describeDeletion({ ours }: Conflict, { sides, pages }: Words, name: string): string {
  const [remover, changer] = ours === null ? [sides.ours, sides.theirs] : [sides.theirs, sides.ours]
  const below = pages.length === 0 ? 'it' : `it, or what is below it: ${titles(pages)}`
  return `${toSentence(SIDE_WORDS[remover])} deleted ${name}, and ${SIDE_WORDS[changer]} changed ${below}.`
}

const FIELD_WORDS: Readonly<Record<string, string>> = {
  blob: 'content',
  parent: 'place in the tree',
  document: 'text',
  value: 'value',
  noIndex: 'setting of "noIndex"',
  noRobotsIndex: 'setting of "noRobotsIndex"',
  file: 'path in the repository',
}

function fieldWord(field = 'value'): string {
  const [first = field, member] = field.split('.', 2)
  if (first === 'variables') return `value of the variable ${quote(field.slice('variables.'.length))}`
  if (member !== undefined) return `${first} (${member})`
  return FIELD_WORDS[field] ?? field
}

function nameOf({ key }: Conflict, { about }: Words): string {
  const [kind, id] = splitKey(key)
  switch (kind) {
    case 'page':
      return `the page ${quote(about?.title ?? id)}`
    case 'file':
      return `the file ${quote(about?.title ?? id)}`
    case 'reusable':
      return `the reusable content ${quote(about?.title ?? id)}`
    case 'variable':
      return `the variable ${quote(id)}`
    default:
      return key === 'git/summary' ? 'SUMMARY.md' : key === 'git/config' ? '.gitbook.yaml' : 'the page tree'
  }
}

const TITLES_MAX = 5

function titles(pages: readonly About[]): string {
  if (pages.length === 0) return 'another page'
  const shown = pages.slice(0, TITLES_MAX).map(({ title }) => quote(title))
  const more = pages.length - shown.length
  return more === 0 ? shown.join(', ') : `${shown.join(', ')} and ${more} more`
}

const quote = (text: unknown): string => `"${String(text)}"`
const toSentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
