// The built-in templates: each a folder of Markdown with a table of contents, as in a repository. Each is read once, on
// first use.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { assert } from '../../base/assert.ts'
import { rewriteReferences } from '../../engines/markdown/edit/edit.ts'
import { parseSummary, type SummaryEntry } from '../../engines/markdown/page/page.ts'
import type { Template, TemplatePage } from './template.ts'

export const TEMPLATE_IDS = ['blank', 'product-docs', 'api-reference', 'help-center'] as const
export type TemplateId = (typeof TEMPLATE_IDS)[number]

/** Prefix of the refs of library pages. */
export const LIBRARY_PREFIX = 'template.'

const kept = new Map<TemplateId, Template>()

export function findLibraryTemplate(id: string): Template | undefined {
  const known = TEMPLATE_IDS.find(one => one === id)
  if (known === undefined) return undefined
  const found = kept.get(known) ?? readTemplate(known)
  kept.set(known, found)
  return found
}

const LIBRARY = join(import.meta.dirname, 'library')
const PAGE_LINK = /^([\w-]+)\.md(#.*)?$/

function readTemplate(id: TemplateId): Template {
  const read = (file: string): string => readFileSync(join(LIBRARY, id, file), 'utf8')
  const toText = (file: string): string =>
    rewriteReferences(read(file), ({ destination }) => {
      const [, page, anchor = ''] = PAGE_LINK.exec(destination) ?? []
      return page === undefined ? undefined : `./${LIBRARY_PREFIX}${page}.md${anchor}`
    })
  let groups = 0
  const toPage = (entry: SummaryEntry): TemplatePage => {
    const pages = entry.children.map(toPage)
    if (entry.type === 'group') {
      groups += 1
      return { title: entry.title, ref: `${LIBRARY_PREFIX}group-${groups}`, text: null, pages }
    }
    assert(entry.type === 'page', `every entry of the template ${id} is a group or a page`)
    const ref = LIBRARY_PREFIX + entry.path.replace(/\.md$/, '')
    return { title: entry.title, ref, text: toText(entry.path), pages }
  }
  const pages = parseSummary(read('SUMMARY.md')).entries.map(toPage)
  return { pages, reusables: [], files: new Map() }
}
