// mdBook (https://rust-lang.github.io/mdBook/format/summary.html): a SUMMARY.md much like GitBook's, below `src`.
import { joinPath, resolvePath } from '../../base/paths.ts'
import { percentDecode } from '../../base/percent-decode.ts'
import type { Arrangement, Converted, Converter, Entry, Note, Page, Sources, Tools } from './arrangement.ts'
import { followLink } from './arrangement.ts'
import { indentOf, leaveOut } from './lines.ts'

const ENTRY = /^\s*(?:[-*][ \t]+)?\[((?:\\.|[^[\]\\]|\[(?:\\.|[^[\]\\])*\])*)\]\(([^)]*)\)\s*$/
const PART = /^#[ \t](.*)$/

/** `src = "…"` in the table `[book]`. */
function sourceFolder(book: string): string {
  const [, folder = 'src'] = /^[ \t]*src[ \t]*=[ \t]*["']([^"'\n]*)["']/m.exec(book) ?? []
  return resolvePath('', folder) ?? 'src'
}

type OpenChapter = { title: string; path?: string; children: OpenChapter[] }

function arrange(sources: Sources, others: readonly string[], { plainLine }: Tools): Arrangement {
  const folder = sourceFolder(sources.get('book.toml') ?? '')
  const inBook = (path: string): string | undefined =>
    folder === '' ? path : path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : undefined
  const paths = new Map<string, string>()
  for (const path of [...sources.keys(), ...others]) {
    const to = inBook(path)
    if (to !== undefined && to !== 'SUMMARY.md') paths.set(path, to)
  }
  const notes: Note[] = []
  const file = joinPath(folder, 'SUMMARY.md')
  const has = (path: string): boolean => {
    if (sources.has(joinPath(folder, path))) return true
    notes.push({
      file,
      reason: 'not_in_book',
      name: path,
      message: `“${path}” is in the table of contents but not in the book.`,
    })
    return false
  }
  const entries = readSummary(sources.get(file) ?? '', plainLine, has)
  return { entries, paths, notes }
}

function readSummary(text: string, plainLine: Tools['plainLine'], has: (path: string) => boolean): Entry[] {
  const top: OpenChapter[] = []
  let list = top
  let open: { depth: number; children: OpenChapter[] }[] = []
  const lines = text.split('\n')
  const begin = lines.findIndex(line => line.trim() !== '')
  for (const [at, line] of lines.entries()) {
    const [, part] = PART.exec(line) ?? []
    // The first heading is the title of the list itself.
    if (part !== undefined && at > begin) {
      const group: OpenChapter = { title: plainLine(part), children: [] }
      top.push(group)
      list = group.children
      open = []
      continue
    }
    const [, title = '', destination = ''] = ENTRY.exec(line) ?? []
    if (title === '') continue
    const depth = /^\s*[-*]/.test(line) ? indentOf(line) : -1
    open = open.filter(one => one.depth < depth)
    const path = resolvePath('', percentDecode(destination.trim()))
    const isThere = path !== undefined && path !== '' && has(path)
    const entry: OpenChapter = {
      title: plainLine(title),
      ...(isThere ? { path } : {}),
      children: [],
    }
    const siblings = open.at(-1)?.children ?? list
    siblings.push(entry)
    // Entries outside the list have nothing below them.
    if (depth >= 0) open.push({ depth, children: entry.children })
  }
  return top
}

const TITLE = /\{\{#title[^{}\n]*\}\}/g
const DIRECTIVE = /\{\{#(\w+)(?:[^\w{}\n][^{}\n]*)?\}\}/g

function convert(page: Page, { codeIn, rewriteLinks }: Tools): Converted {
  const found = new Set<string>()
  // A title directive needs no note: the title is in the table of contents.
  for (const [, name = ''] of page.text.matchAll(DIRECTIVE)) if (name !== 'title') found.add(name)
  const text = leaveOut(page.text, TITLE, () => codeIn(page.text))
  const notes = [...found].map(name => ({
    reason: 'directive',
    name,
    message: `{{#${name} …}} is not supported and stays as written.`,
  }))
  const linked = rewriteLinks(text, destination =>
    followLink(page, destination, path => [
      ...[path, path.replace(/\.html$/, '.md')],
      ...[path.replace(/(?:^|(?<=\/))index\.html$/, 'README.md'), `${path}/README.md`],
    ]),
  )
  return { text: linked, notes }
}

export const mdbook: Converter = { arrange, convert }
