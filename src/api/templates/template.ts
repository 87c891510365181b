// A template, of the library or of an organization: pages with the files and texts that they include.
import type { LinkTarget } from '../edits/request/fields.ts'
import type { StoredFile } from '../edits/request/new-files.ts'

/** A document has `text`, a link has `target`, a group has neither. */
export type TemplatePage = {
  readonly title: string
  /** Texts link to it as `./<ref>.md`. */
  readonly ref: string
  /** Markdown; the caller who applies the template gives the targets of `content-ref:<name>`. */
  readonly text: string | null
  readonly target?: LinkTarget
  readonly pages: readonly TemplatePage[]
}

/** A text that pages include as `./<ref>.md`. */
export type TemplateReusable = { readonly title: string; readonly ref: string; readonly text: string }

export type Template = {
  readonly pages: readonly TemplatePage[]
  readonly reusables: readonly TemplateReusable[]
  /** By ref: texts link to `./<ref>`. */
  readonly files: ReadonlyMap<string, StoredFile>
}

const CONTENT_REF = /content-ref:([\w-]+)/
const CONTENT_REFS = new RegExp(CONTENT_REF, 'g')

/** The name in a line of a text, or in a destination. */
export const contentRefIn = (text: string): string | undefined => CONTENT_REF.exec(text)?.[1]

/** All of these names, in the order of the pages. */
export function contentRefsOf({ pages, reusables }: Pick<Template, 'pages' | 'reusables'>): string[] {
  const names = new Set<string>()
  const read = (text: string | null): void => {
    for (const [, name = ''] of (text ?? '').matchAll(CONTENT_REFS)) names.add(name)
  }
  const visit = (page: TemplatePage): void => {
    read(page.text)
    page.pages.forEach(visit)
  }
  pages.forEach(visit)
  for (const { text } of reusables) read(text)
  return [...names]
}
