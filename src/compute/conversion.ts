// Documentation in another tool's layout, read for an import.
import { messageOf } from '../base/errors.ts'
import type { Arrangement, Converted, Page, Sources, Tools } from '../engines/conversion/arrangement.ts'
import { converters } from '../engines/conversion/converters.ts'
import type { Format } from '../engines/conversion/formats.ts'
import { type Range, withLineFeeds } from '../engines/conversion/lines.ts'
import { type WrittenSummary, writeSummary } from '../engines/conversion/summary.ts'
import { rewriteReferences } from '../engines/markdown/edit/edit.ts'
import { labelText, plainWords, wordsCell } from '../engines/markdown/render/render.ts'
import {
  childrenOf,
  parseFrontmatter,
  parseMarkdown,
  parseYaml,
  plainLine,
  SKIP,
  walk,
} from '../engines/markdown/syntax/syntax.ts'
import { slugify } from '../engines/names/slugs.ts'
import type { Task } from './task.ts'

/** A hundred times what people write. */
const YAML_CHARACTERS_MAX = 1_000_000

const tools: Tools = {
  parseYaml: text => parseYaml(text, { charactersMax: YAML_CHARACTERS_MAX }).value,
  parseFrontmatter,
  codeIn,
  wordlessIn,
  rewriteLinks: (text, to) => rewriteReferences(text, ({ destination }) => to(destination)),
  // In a heading, nothing at the beginning of the line makes a list or a quotation.
  plainLine: markdown => plainLine([parseMarkdown(`# ${markdown}`)]),
  writeLine: plainWords,
  writeLabel: labelText,
  writeCell: wordsCell,
  slugify,
}

function codeIn(text: string): Range[] {
  const found: Range[] = []
  walk(parseMarkdown(text), node => {
    if (node.type === 'code' || node.type === 'inlineCode') found.push(node.position)
  })
  return found
}

const WHOLE: ReadonlySet<string> = new Set([
  'code',
  'inlineCode',
  'math',
  'inlineMath',
  'image',
  'definition',
  'yaml',
  'html',
])

/** What has words within: a link has its destination around them, an element and a block their tags. */
const AROUND: ReadonlySet<string> = new Set(['link', 'element', 'tag'])

function wordlessIn(text: string): Range[] {
  const found: Range[] = []
  walk(parseMarkdown(text), node => {
    const { type, position } = node
    if (WHOLE.has(type)) {
      found.push(position)
      return SKIP
    }
    if (!AROUND.has(type)) return undefined
    const isBare = type === 'link' && text[position.start] !== '['
    const children = isBare ? [] : childrenOf(node)
    const first = children[0]
    const last = children.at(-1)
    if (first === undefined || last === undefined) {
      found.push(position)
      return SKIP
    }
    found.push({ start: position.start, end: first.position.start })
    found.push({ start: last.position.end, end: position.end })
    return undefined
  })
  return found.sort((one, other) => one.start - other.start)
}

type Layout = { readonly format: Format; readonly sources: Sources; readonly others: readonly string[] }

/** Which files are pages, where everything goes, and the table of contents. */
export const conversionLayout: Task<
  Layout,
  Pick<Arrangement, 'paths' | 'notes'> &
    WrittenSummary & {
      /** Titles in the table of contents, by new path. */
      readonly titles: ReadonlyMap<string, string>
    }
> = ({ format, sources, others }) => {
  const texts = new Map([...sources].map(([path, text]) => [path, withLineFeeds(text)]))
  const { entries, paths, notes } = converters[format].arrange(texts, others, tools)
  const taken = new Set(paths.values())
  const titles = new Map<string, string>()
  const name = (list: Arrangement['entries']): void => {
    for (const { path, title, children } of list) {
      if (path !== undefined) titles.set(path, title)
      name(children)
    }
  }
  name(entries)
  return { ...{ paths, notes, titles }, ...writeSummary(entries, tools, path => !taken.has(path)) }
}

type Pages = { readonly format: Format; readonly pages: readonly Page[] }

/** Pages as GitBook Markdown, in the given order. A page that cannot be converted says why, and keeps its text. */
export const convertedPages: Task<Pages, readonly Converted[]> = ({ format, pages }) =>
  pages.map(page => {
    try {
      return converters[format].convert({ ...page, text: withLineFeeds(page.text) }, tools)
    } catch (error) {
      return {
        text: page.text,
        notes: [
          {
            reason: 'unreadable',
            message: `It was not converted, and stays as written: ${messageOf(error)}.`,
          },
        ],
      }
    }
  })
