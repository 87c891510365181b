// What a template is, ours or that of an organization: pages, and what they show, by names that hold while it is applied.

import type { LinkTarget } from '../edits/request/fields.ts'
import type { KeptFile } from '../edits/request/new-files.ts'

/** A document has `text`, a link has `target`, a group has neither. */
export type TemplatePage = {
  readonly title: string
  /** What the other texts call it: they link to `./<ref>.md`. */
  readonly ref: string
  /** Markdown; `content-ref:<name>` is for the caller who applies the template. */
  readonly text: string | null
  readonly target?: LinkTarget
  readonly pages: readonly TemplatePage[]
}

/** A text that pages include as `./<ref>.md`. */
export type TemplateReusable = { readonly title: string; readonly ref: string; readonly text: string }

export type Template = {
  readonly pages: readonly TemplatePage[]
  readonly reusables: readonly TemplateReusable[]
  /** By what the texts call them: they link to `./<ref>`. */
  readonly files: ReadonlyMap<string, KeptFile>
}

const CONTENT_REF = /content-ref:([\w-]+)/

/** The name of what somebody may give, in a line of a text or in a destination. */
export const contentRefIn = (text: string): string | undefined => CONTENT_REF.exec(text)?.[1]

/** All of these names, in the order of the pages. */
export function contentRefsOf({ pages, reusables }: Pick<Template, 'pages' | 'reusables'>): string[] {
  const names = new Set<string>()
  const read = (text: string | null): void => {
    for (const [, name] of (text ?? '').matchAll(new RegExp(CONTENT_REF, 'g'))) names.add(name as string)
  }
  const visit = (page: TemplatePage): void => {
    read(page.text)
    page.pages.forEach(visit)
  }
  pages.forEach(visit)
  for (const { text } of reusables) read(text)
  return [...names]
}
