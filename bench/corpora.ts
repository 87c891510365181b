// The documentation that the quality of search and of answers is measured on, read as an import reads it: the pages
// that SUMMARY.md lists, under its titles, cut into the sections that are stored.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMarkdown } from '../src/base/paths.ts'
import { type PageSection, pageProjection } from '../src/compute/page-projection.ts'
import { pageMetadata, parseSummary, type SummaryEntry } from '../src/engines/markdown/page/page.ts'
import { parseFrontmatter } from '../src/engines/markdown/syntax/syntax.ts'
import { ROOT } from './measure.ts'

export type CorpusName = 'beefree-sdk-docs' | 'dify-docs-zh'

export type CorpusPage = {
  /** Its path in the repository. */
  readonly id: string
  readonly title: string
  readonly description: string
  readonly sections: readonly Pick<PageSection, 'anchor' | 'heading' | 'body'>[]
}

export const CORPORA: readonly { readonly name: CorpusName; readonly language: string }[] = [
  { name: 'beefree-sdk-docs', language: 'en' },
  { name: 'dify-docs-zh', language: 'zh' },
]

const FOLDER = join(ROOT, '../shared/corpus')

export async function readCorpus(name: CorpusName): Promise<CorpusPage[]> {
  const folder = join(FOLDER, name)
  const pages: CorpusPage[] = []
  for (const [path, title] of listed(
    parseSummary(readFileSync(join(folder, 'SUMMARY.md'), 'utf8')).entries,
  )) {
    if (!existsSync(join(folder, path))) continue
    const markdown = readFileSync(join(folder, path), 'utf8')
    const { description = '' } = pageMetadata(parseFrontmatter(markdown).data).metadata
    const { sections } = await pageProjection({ markdown }, neverAsked)
    pages.push({
      id: path,
      title,
      description,
      sections: sections.map(({ anchor, heading, body }) => ({ anchor, heading, body })),
    })
  }
  return pages
}

/** The first entry of a page is the page, as in an import. */
function listed(entries: readonly SummaryEntry[], found = new Map<string, string>()): Map<string, string> {
  for (const entry of entries) {
    if (entry.type === 'page' && isMarkdown(entry.path) && !found.has(entry.path))
      found.set(entry.path, entry.title)
    listed(entry.children, found)
  }
  return found
}

const neverAsked = () => Promise.reject(new Error('the facts of a page ask nothing'))
