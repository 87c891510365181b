// A template as changes to a content: inserts its files, reusable contents and pages, with links between them and to
// the targets that the caller gave.
import type { Services } from '../../http/context.ts'
import type { Urls } from '../../http/urls.ts'
import type { LinkTarget } from '../edits/request/fields.ts'
import type { Change } from '../edits/request/schema.ts'
import { contentRefIn, type Template, type TemplatePage } from './template.ts'

export type ContentRefs = Readonly<Record<string, LinkTarget>>

type TemplateContext = Pick<Services, 'compute'> & {
  readonly spaceId: string
  readonly urls: Urls
  readonly contentRefs: ContentRefs
}

/** Adds all pages of the template after the existing ones. */
export async function toChanges(template: Template, context: TemplateContext): Promise<Change[]> {
  const changes: Change[] = []
  const files = [...template.files].map(([ref, { name }]) => ({ ref, name }))
  if (files.length > 0) changes.push({ operation: 'insert_files', files })
  for (const { title, ref, text } of template.reusables) {
    const markdown = await toText(text, context)
    changes.push({ operation: 'insert_reusable_content', title, ref, document: { markdown } })
  }
  const insert = async (page: TemplatePage, into: string | null): Promise<void> => {
    changes.push(await toInsertion(page, into, context))
    for (const child of page.pages) await insert(child, page.ref)
  }
  for (const page of template.pages) await insert(page, null)
  return changes
}

async function toInsertion(
  { title, ref, text, target }: TemplatePage,
  into: string | null,
  context: TemplateContext,
): Promise<Change> {
  const place = { operation: 'insert_page', title, ref, ...(into === null ? {} : { into }) } as const
  if (target !== undefined) return { ...place, type: 'link', target }
  return text === null
    ? { ...place, type: 'group' }
    : { ...place, document: { markdown: await toText(text, context) } }
}

/** Drops lines with a link that was not given, and the blank line after them. */
async function toText(
  text: string,
  { compute, spaceId, urls, contentRefs }: TemplateContext,
): Promise<string> {
  if (contentRefIn(text) === undefined) return text
  const lines = text.split('\n')
  const isMissing = (line: string | undefined): boolean => {
    const name = line === undefined ? undefined : contentRefIn(line)
    return name !== undefined && contentRefs[name] === undefined
  }
  const markdown = lines
    .filter((line, at) => !isMissing(line) && !(line === '' && isMissing(lines[at - 1])))
    .join('\n')
  const named = await compute.run('destinations', spaceId, { markdown })
  if (named.kind !== 'done') return markdown
  const rewritten = new Map<string, string>()
  for (const { destination } of named.value) {
    const given = contentRefs[contentRefIn(destination) ?? '']
    if (given !== undefined) rewritten.set(destination, toAddress(given, urls))
  }
  if (rewritten.size === 0) return markdown
  const written = await compute.run('rewriteLinks', spaceId, { markdown, rewritten })
  return written.kind === 'done' ? written.value : markdown
}

/** In the format of sent texts. */
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
