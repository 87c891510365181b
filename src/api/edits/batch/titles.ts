// The title of a page: from its text or from the `title` field.
import { toLine } from '../../../engines/names/titles.ts'
import { TITLE_CHARACTERS_MAX } from '../../content/bounds.ts'
import { readDocumentMetadata } from '../../content/document-metadata.ts'
import { type ChangeOf, refuse } from '../request/schema.ts'

const FALLBACK = 'Untitled'

/**
 * For a new page: from its frontmatter, its first heading, the field, or a default. A heading below the first level
 * usually begins a part rather than naming the page, so it only counts if there is nothing else. `heading`: from
 * a rich document.
 */
export function titleOfNew(
  index: number,
  { title, type, document }: ChangeOf<'insert_page'>,
  heading: string | undefined,
): string {
  const field = title === undefined ? undefined : readTitle(index, title)
  if (type === 'group' || type === 'link') {
    if (field === undefined) throw refuse(index, 'title', `a ${type} needs one.`)
    return field
  }
  if (document?.markdown === undefined)
    return field ?? (heading === undefined ? undefined : toLine(heading, TITLE_CHARACTERS_MAX)) ?? FALLBACK
  const metadata = metadataOf(document.markdown)
  return metadata.title ?? metadata.heading(1) ?? field ?? metadata.heading() ?? FALLBACK
}

/** The new title of an updated page; undefined keeps it. A heading does not rename a page that has a title. */
export function titleOfUpdate(
  index: number,
  { title, document }: Pick<ChangeOf<'update_page'>, 'title' | 'document'>,
): string | undefined {
  const said = document?.markdown === undefined ? undefined : metadataOf(document.markdown).title
  return said ?? (title === undefined ? undefined : readTitle(index, title))
}

export function readTitle(index: number, text: string): string {
  const title = toLine(text, TITLE_CHARACTERS_MAX)
  if (title === undefined) throw refuse(index, 'title', 'a title has at least one character that is seen.')
  return title
}

const metadataOf = (markdown: string) => readDocumentMetadata(Buffer.from(markdown), () => {})
