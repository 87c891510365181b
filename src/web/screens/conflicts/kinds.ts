// How the versions of a conflict are shown, and whether another can be written.
import { type Conflict, isOfFrontmatter } from '../../data/conflicts.ts'

/**
 * `text` is Markdown, `plain` any other text; `file` and `page` are there or not; of all else there is a fact, such as a
 * name or a place.
 */
export type Shape = 'text' | 'plain' | 'file' | 'page' | 'fact'

export function shapeOf(conflict: Conflict): Shape {
  const { kind, field, file, page, key } = conflict
  if (kind === 'block') return isOfFrontmatter(conflict) || key !== undefined ? 'plain' : 'text'
  if (field === 'document') return 'plain'
  if (field === 'blob' || (field === 'existence' && file !== undefined)) return 'file'
  if (field === 'existence' && page !== undefined) return 'page'
  return 'fact'
}

/** What may be written instead: several lines of Markdown, one line, or nothing. */
export function writableOf(conflict: Conflict): 'markdown' | 'line' | undefined {
  if (conflict.isCut) return undefined
  if (conflict.kind === 'block') return 'markdown'
  if (conflict.kind === 'slug') return 'line'
  if (conflict.kind !== 'field') return undefined
  return isNameable(conflict) ? 'line' : undefined
}

function isNameable({ page, file, reusableContent, variable, field = '', versions }: Conflict): boolean {
  const { space, changeRequest } = versions
  if (typeof (changeRequest ?? space) !== 'string') return false
  if (page !== undefined) return PAGE_FIELDS.includes(field) || field.startsWith('variables.')
  if (reusableContent !== undefined) return field === 'title'
  return file !== undefined ? field === 'name' : variable !== undefined
}

const PAGE_FIELDS = ['title', 'slug', 'description', 'emoji', 'icon']
