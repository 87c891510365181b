// A Notion export, as Markdown and CSV or as HTML. The name of each file ends in its id, and the pages below a page are
// in a folder of its name.
import type { Element } from 'hast'
import { addUnder } from '../../base/lists.ts'
import { folderOf, joinPath, nameOf, resolvePath } from '../../base/paths.ts'
import { percentDecode } from '../../base/percent-decode.ts'
import type { Arrangement, Converted, Converter, Entry, Note, Page, Sources, Tools } from './arrangement.ts'
import { firstHeading, followLink, Paths } from './arrangement.ts'
import { readCsv } from './csv.ts'
import {
  changeElements,
  checkbox,
  classesOf,
  codeBlock,
  embedOf,
  FRAMES_LEFT_OUT,
  findElement,
  hasClass,
  hasLostFrame,
  isElement,
  parseHtml,
  rawLine,
  rawWords,
  textOf,
  writeMarkdown,
} from './html.ts'
import { changeLines, htmlWords } from './lines.ts'

const ID = /[ ]?[0-9a-f]{32}$/
const PAGE = /\.(?:md|html)$/
const TABLE = /\.csv$/
const ROWS_MAX = 500

/** A path without its ending: the folder of the pages below it. */
const folderBelow = (path: string): string => path.replace(/\.(?:md|html|csv)$/, '')

/** The same without ids: some exports leave them out of folder names. A name that is only an id stays. */
const placeOf = (path: string): string =>
  folderBelow(path)
    .split('/')
    .map(name => name.replace(ID, '') || name)
    .join('/')

/** The words in a file's name; empty if it is only an id. */
const wordsInName = (path: string): string => nameOf(folderBelow(path)).replace(ID, '').trim()

function arrange(sources: Sources, others: readonly string[], tools: Tools): Arrangement {
  const notes: Note[] = []
  // Beside “Tasks.csv”, “Tasks_all.csv” also has the rows that a view hides.
  const isTable = (path: string) => TABLE.test(path) && !/_all\.csv$/.test(path)
  const pages = [...sources.keys()].filter(
    path => (PAGE.test(path) && !/^(?:.*\/)?index\.html$/.test(path)) || isTable(path),
  )
  const parents = parentsOf(pages, sources)
  const below = new Map<string, string[]>()
  for (const path of pages) addUnder(below, parents(path), path)
  const paths = new Paths()
  const titleOf = (path: string) => titleOfExport(path, sources.get(path) ?? '', tools)
  const build = (path: string, folder: string): Entry => {
    const title = titleOf(path)
    const slug = tools.slugify(title) || 'page'
    const own = inOrder(path, below.get(path) ?? [], sources)
    const numbered = (count: number) => (count === 1 ? slug : `${slug}-${count}`)
    const to = paths.claim(path, count =>
      own.length > 0
        ? joinPath(folder, `${numbered(count)}/README.md`)
        : joinPath(folder, `${numbered(count)}.md`),
    )
    const children = own.map(child => build(child, folderOf(to)))
    return { title, path: to, children }
  }
  const top = below.get('') ?? []
  const entries = top.toSorted((one, other) => (one < other ? -1 : 1)).map(path => build(path, ''))
  for (const path of others)
    paths.claim(path, count => {
      const name = nameOf(path).replaceAll(/[^\w.-]+/g, '-')
      return `.gitbook/assets/${count === 1 ? name : `${count}-${name}`}`
    })
  return { entries, paths: paths.given, notes }
}

const titleOfExport = (path: string, text: string, tools: Tools): string =>
  ((path.endsWith('.md') ? firstHeading(text, tools) : undefined) ?? wordsInName(path)) || 'Untitled'

/** The page that a page is below; '' at the top. */
function parentsOf(pages: readonly string[], sources: Sources): (path: string) => string {
  const byFolder = new Map<string, string>()
  const byPlace = new Map<string, string[]>()
  // The page of a database is its table if there is no other.
  for (const path of [...pages.filter(path => PAGE.test(path)), ...pages.filter(path => TABLE.test(path))]) {
    if (!byFolder.has(folderBelow(path))) byFolder.set(folderBelow(path), path)
    addUnder(byPlace, placeOf(path), path)
  }
  // Of several pages with the same name, the one that links to a page is above it.
  const linking = new Map<string, string>()
  for (const same of byPlace.values())
    for (const page of same.length > 1 ? same : [])
      for (const path of linksOf(page, sources)) if (!linking.has(path)) linking.set(path, page)
  return path => {
    for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) {
      const place = placeOf(folder)
      const linked = linking.get(path)
      const found =
        byFolder.get(folder) ??
        (linked !== undefined && placeOf(linked) === place ? linked : byPlace.get(place)?.[0])
      if (found !== undefined) return found
    }
    return ''
  }
}

/** Paths that a page links to, in order. */
function* linksOf(page: string, sources: Sources): Generator<string> {
  const text = sources.get(page) ?? ''
  for (const [, written = ''] of text.matchAll(/(?:\]\(|href=")([^()"\n]*)[)"]/g)) {
    const path = resolvePath(folderOf(page), percentDecode(written))
    if (path !== undefined) yield path
  }
}

/** In the order in which their parent links to them, then by name. */
function inOrder(parent: string, children: readonly string[], sources: Sources): readonly string[] {
  const linked = new Map<string, number>()
  for (const path of linksOf(parent, sources)) if (!linked.has(path)) linked.set(path, linked.size)
  const at = (path: string) => linked.get(path) ?? Number.MAX_SAFE_INTEGER
  return children.toSorted((one, other) => at(one) - at(other) || (one < other ? -1 : 1))
}

function convert(page: Page, tools: Tools): Converted {
  const to = (destination: string) => followLink(page, destination, path => [path])
  const title = tools.writeLine(page.title ?? (wordsInName(page.path) || 'Untitled'))
  if (TABLE.test(page.path)) return tableOf(page, title, tools)
  const { text, notes } = page.path.endsWith('.html')
    ? fromPageHtml(page.text, title)
    : { text: asidesToHints(page.text), notes: [] }
  return { text: tools.rewriteLinks(text, to), notes }
}

// A callout: an emoji, and words.
const ASIDE = /^[ \t]*<(\/?)aside>[ \t]*$/

const asidesToHints = (text: string): string =>
  changeLines(text, line => {
    const [found, slash] = ASIDE.exec(line) ?? []
    if (found === undefined) return line
    return slash === '' ? '{% hint style="info" %}' : '{% endhint %}'
  })

/** `title` as Markdown. */
function fromPageHtml(text: string, title: string): Converted {
  const tree = parseHtml(text)
  const body =
    findElement(tree, element => hasClass(element, 'page-body')) ??
    findElement(tree, ({ tagName }) => tagName === 'body')
  if (body === undefined) return { text: '', notes: [] }
  const notes = hasLostFrame(body) ? [FRAMES_LEFT_OUT] : []
  changeElements(body, element => {
    if (element.tagName === 'figure' && hasClass(element, 'callout')) {
      const [, words] = element.children.filter(isElement)
      return [
        rawLine('{% hint style="info" %}'),
        ...(words === undefined ? element.children : words.children),
        rawLine('{% endhint %}'),
      ]
    }
    if (element.tagName === 'pre') return [codeBlock(languageOf(element), textOf(element).replace(/\n$/, ''))]
    if (hasClass(element, 'checkbox')) return [checkbox(hasClass(element, 'checkbox-on'))]
    if (hasClass(element, 'katex')) return formulaOf(element)
    if (element.tagName === 'iframe') return embedOf(element)
    if (element.tagName === 'details') {
      const summary = element.children.filter(isElement).find(({ tagName }) => tagName === 'summary')
      const heading = summary === undefined ? '' : textOf(summary)
      return [
        rawLine(`<details>\n<summary>${htmlWords(heading)}</summary>`),
        ...element.children.filter(child => child !== summary),
        rawLine('</details>'),
      ]
    }
    return element.tagName === 'style' || element.tagName === 'script' ? [] : undefined
  })
  return { text: `# ${title}\n\n${writeMarkdown(body)}`, notes }
}

/** `class="language-JavaScript"` on the code within. */
function languageOf(pre: Element): string {
  const code = findElement(pre, ({ tagName }) => tagName === 'code')
  const name = code && classesOf(code).find(one => one.startsWith('language-'))
  return name === undefined ? '' : name.slice('language-'.length).toLowerCase()
}

/** A formula as it was typed, which the export keeps beside its drawing. */
function formulaOf(element: Element): readonly Element[] | undefined {
  const typed = findElement(element, ({ tagName }) => tagName === 'annotation')
  return typed && [rawWords(`$$${textOf(typed).replaceAll(/\s+/g, ' ').trim()}$$`)]
}

function tableOf({ path, text, to }: Page, title: string, { writeCell }: Tools): Converted {
  const rows = readCsv(text, ROWS_MAX + 2)
  const [head = [], ...all] = rows
  const shown = all.slice(0, ROWS_MAX)
  const folder = folderBelow(path)
  const folders = [folder, joinPath(folderOf(folder), nameOf(placeOf(path)))]
  // A row links to its page if it is imported and no other page has its name.
  const pages = Map.groupBy(
    [...to.keys()].filter(one => PAGE.test(one) && folders.includes(folderOf(one))),
    wordsInName,
  )
  const cell = (words: string, address?: string) => writeCell(words.trim().split('\n'), address)
  const first = (words: string) => {
    const [found = '', ...others] = pages.get(words.trim()) ?? []
    const address =
      others.length === 0 ? followLink({ path, to }, `/${encodeURI(found)}`, one => [one]) : undefined
    return cell(words, address)
  }
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const table = [
    line(head.map(words => cell(words))),
    line(head.map(() => '---')),
    ...shown.map(row => line(head.map((_, at) => (at === 0 ? first(row[at] ?? '') : cell(row[at] ?? ''))))),
  ]
  const message = `Of its rows, the first ${ROWS_MAX} are on the page.`
  const notes = all.length > ROWS_MAX ? [{ reason: 'rows', message, max: ROWS_MAX }] : []
  return { text: `# ${title}\n\n${table.join('\n')}\n`, notes }
}

export const notion: Converter = { arrange, convert }
