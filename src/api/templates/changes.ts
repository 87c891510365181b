// A template as changes to a content: pages that are inserted, with their links to one another and to what the caller
// named.
import { newId } from '../../base/ids.ts'
import { rewriteReferences } from '../../engines/markdown/edit.ts'
import type { Urls } from '../../http/urls.ts'
import type { Change, LinkTarget } from '../edits/schema.ts'
import type { Template, TemplatePage } from './library.ts'

export type ContentRefs = Readonly<Record<string, LinkTarget>>

const CONTENT_REF = /content-ref:([\w-]+)/
const PAGE_LINK = /^([\w-]+)\.md(#.*)?$/

/** Adds all pages of the template after those that are there. Names of pages hold for these changes only. */
export function toChanges(template: Template, contentRefs: ContentRefs, urls: Urls): Change[] {
  // Unlike any path or name that the content may have.
  const prefix = `template-${newId()}.`
  const changes: Change[] = []
  const insert = (page: TemplatePage, at: number, into: string | null): void => {
    const ref = page.text === null ? `${prefix}group-${at}` : prefix + page.name
    const place = {
      operation: 'insert_page',
      title: page.title,
      ref,
      ...(into === null ? {} : { into }),
    } as const
    changes.push(
      page.text === null
        ? { ...place, type: 'group' }
        : { ...place, document: { markdown: toText(page.text, prefix, contentRefs, urls) } },
    )
    for (const [index, child] of page.pages.entries()) insert(child, index, ref)
  }
  for (const [index, page] of template.pages.entries()) insert(page, index, null)
  return changes
}

/** The names of what the caller may give, in the order of the pages. */
export function contentRefsOf(template: Template): string[] {
  const names = new Set<string>()
  const visit = ({ text, pages }: TemplatePage): void => {
    for (const [, name] of (text ?? '').matchAll(new RegExp(CONTENT_REF, 'g'))) names.add(name as string)
    for (const page of pages) visit(page)
  }
  for (const page of template.pages) visit(page)
  return [...names]
}

/** A line with a link that was not given is left out; the blank line after it goes along. */
function toText(text: string, prefix: string, contentRefs: ContentRefs, urls: Urls): string {
  const lines = text.split('\n')
  const shown = lines.filter(
    (line, at) => !isMissing(line, contentRefs) && !isLeftOver(lines, at, contentRefs),
  )
  return rewriteReferences(shown.join('\n'), ({ destination }) => {
    const [, name] = CONTENT_REF.exec(destination) ?? []
    const given = name === undefined ? undefined : contentRefs[name]
    if (given !== undefined) return toAddress(given, urls)
    const [, page, anchor = ''] = PAGE_LINK.exec(destination) ?? []
    return page === undefined ? undefined : `./${prefix}${page}.md${anchor}`
  })
}

function isMissing(line: string, contentRefs: ContentRefs): boolean {
  const [, name] = CONTENT_REF.exec(line) ?? []
  return name !== undefined && contentRefs[name] === undefined
}

const isLeftOver = (lines: readonly string[], at: number, contentRefs: ContentRefs): boolean =>
  lines[at] === '' && at > 0 && isMissing(lines[at - 1] ?? '', contentRefs)

/** As texts that are sent name things (api-facts §6.4). */
function toAddress(target: LinkTarget, urls: Urls): string {
  switch (target.kind) {
    case 'url':
      return target.url
    case 'page':
      return `/pages/${target.page}`
    case 'anchor':
      return `/pages/${target.page}#${target.anchor}`
    case 'file':
      return `/files/${target.file}`
    case 'space':
      return urls.space(target.space)
  }
}
