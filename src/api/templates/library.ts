// The templates that there are: each a folder of Markdown with a table of contents, as a repository would have it. They
// are read once, when the first is asked for.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { assert } from '../../base/assert.ts'
import { parseSummary, type SummaryEntry } from '../../engines/markdown/summary.ts'

export const TEMPLATE_IDS = ['blank', 'product-docs', 'api-reference', 'help-center'] as const
export type TemplateId = (typeof TEMPLATE_IDS)[number]

/** A page of a template: a group has no `text`. */
export type TemplatePage = {
  readonly title: string
  /** Its file without the ending: what the other texts call it. Of a group, its title. */
  readonly name: string
  /** Markdown; links to other pages are their files, `content-ref:<name>` is for whoever applies the template. */
  readonly text: string | null
  readonly pages: readonly TemplatePage[]
}

export type Template = { readonly id: TemplateId; readonly pages: readonly TemplatePage[] }

const kept = new Map<TemplateId, Template>()

export function findTemplate(id: string): Template | undefined {
  const known = TEMPLATE_IDS.find(one => one === id)
  if (known === undefined) return undefined
  const found = kept.get(known) ?? readTemplate(known)
  kept.set(known, found)
  return found
}

const LIBRARY = join(import.meta.dirname, 'library')

function readTemplate(id: TemplateId): Template {
  const read = (file: string): string => readFileSync(join(LIBRARY, id, file), 'utf8')
  const toPage = (entry: SummaryEntry): TemplatePage => {
    const pages = entry.children.map(toPage)
    if (entry.type === 'group') return { title: entry.title, name: entry.title, text: null, pages }
    assert(entry.type === 'page', `every entry of the template ${id} is a group or a page`)
    return { title: entry.title, name: entry.path.replace(/\.md$/, ''), text: read(entry.path), pages }
  }
  return { id, pages: parseSummary(read('SUMMARY.md')).entries.map(toPage) }
}
