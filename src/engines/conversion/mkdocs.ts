// MkDocs (https://www.mkdocs.org/user-guide/configuration/), with the extensions of Material: admonitions, details and
// tabs.
import { ownMember } from '../../base/objects.ts'
import { joinPath, resolvePath } from '../../base/paths.ts'
import {
  type Arrangement,
  type Converter,
  type Entry,
  followLink,
  type Note,
  type Sources,
  type Tools,
  titleOfName,
  titleOfPage,
} from './arrangement.ts'
import { entriesOfFolder, movedEntries, pathsBelow } from './folders.ts'
import { wordsOfLine } from './html.ts'
import { htmlWords, indentOf, openHint, quoted, styleOf, textLines } from './lines.ts'
import { convertMarks } from './mkdocs-marks.ts'

const CONFIGURATIONS = ['mkdocs.yml', 'mkdocs.yaml']
const DEPTH_MAX = 50
/** Items of `nav`, including those that aliases repeat: in YAML a list may hold itself, twice at each level. */
const ITEMS_MAX = 20_000

function arrange(sources: Sources, others: readonly string[], tools: Tools): Arrangement {
  const name = CONFIGURATIONS.find(one => sources.has(one)) ?? 'mkdocs.yml'
  const notes: Note[] = []
  const configuration = tools.parseYaml(sources.get(name) ?? '')
  if (configuration === undefined)
    notes.push({
      file: name,
      reason: 'configuration',
      message: 'It cannot be read, so pages are in the order of their names.',
    })
  const folder = resolvePath('', String(ownMember(configuration, 'docs_dir') ?? 'docs')) ?? 'docs'
  const paths = pathsBelow(folder, [...sources.keys(), ...others])
  for (const [from, to] of paths)
    if (to === 'index.md' && !sources.has(joinPath(folder, 'README.md'))) paths.set(from, 'README.md')
  const isPage = (path: string) => /\.md$/i.test(path) && paths.has(path)
  const titleOf = (path: string) =>
    titleOfPage(sources.get(path) ?? '', tools, wordsOfLine) ?? titleOfName(path)
  const nav = ownMember(configuration, 'nav')
  const pages = [...sources.keys()].filter(isPage).map(path => ({ path, title: titleOf(path) }))
  if (!Array.isArray(nav)) {
    return { entries: movedEntries(entriesOfFolder(folder, pages), paths), paths, notes }
  }
  const note = (one: Note) => notes.push({ ...one, file: name })
  const room = { left: ITEMS_MAX }
  const listed = readNav(nav, folder, isPage, titleOf, note, room)
  if (room.left < 0)
    note({
      reason: 'nav_too_long',
      max: ITEMS_MAX,
      message: `“nav” has more than ${ITEMS_MAX} items; the others are left out.`,
    })
  // They are pages of the site nevertheless.
  const known = new Set(pathsOf(listed))
  const unlisted = pages.filter(({ path }) => !known.has(path)).map(page => ({ ...page, children: [] }))
  const entries = unlisted.length === 0 ? listed : [...listed, { title: 'More pages', children: unlisted }]
  return { entries: movedEntries(entries, paths), paths, notes }
}

const pathsOf = (entries: readonly Entry[]): (string | undefined)[] =>
  entries.flatMap(({ path, children }) => [path, ...pathsOf(children)])

function readNav(
  items: readonly unknown[],
  folder: string,
  isPage: (path: string) => boolean,
  titleOf: (path: string) => string,
  note: (one: Note) => void,
  room: { left: number },
  depth = 0,
): Entry[] {
  if (depth > DEPTH_MAX || room.left < 0) return []
  return items.flatMap((item): Entry[] => {
    room.left -= 1
    if (room.left < 0) return []
    const [[written, value] = []] =
      typeof item === 'string' ? [[undefined, item]] : Object.entries(item ?? {})
    // The themes of MkDocs print a title as HTML.
    const title = written === undefined ? undefined : wordsOfLine(written)
    if (Array.isArray(value)) {
      const children = readNav(value, folder, isPage, titleOf, note, room, depth + 1)
      // The index of a section is its page.
      const [first, ...rest] = children
      const own = /(?:^|\/)(?:index|README)\.md$/.exec(first?.path ?? '')?.input
      return [
        own === undefined
          ? { title: String(title), children }
          : { title: String(title), path: own, children: rest },
      ]
    }
    if (typeof value !== 'string') return []
    if (/^[a-z][a-z0-9+.-]*:/i.test(value)) return [{ title: title ?? value, url: value, children: [] }]
    const path = resolvePath(folder, value)
    if (path !== undefined && isPage(path)) return [{ title: title ?? titleOf(path), path, children: [] }]
    note({ reason: 'nav_no_page', name: value, message: `“${value}” is in “nav” but is not a page.` })
    return []
  })
}

const BLOCK = /^([ \t]*)(!!!|\?\?\?\+?|===[!+]?)[ \t](.*)$/
const INDENT = 4

type Open = { readonly indent: number; readonly close: string; readonly isTab: boolean }

/**
 * Turns blocks with indented content into tags around it. A tab follows another if only blank lines are between them.
 */
function convertBlocks(text: string): string {
  const lines: string[] = []
  const open: Open[] = []
  let blank = 0
  const space = (depth: number) => ' '.repeat(depth)
  const shift = () => open.length * INDENT
  const write = (line: string) => lines.push(line)
  const closeTo = (indent: number, next: 'tab' | 'other') => {
    for (let last = open.at(-1); last !== undefined && indent <= last.indent; last = open.at(-1)) {
      open.pop()
      const goesOn = last.isTab && next === 'tab' && indent === last.indent
      write(
        goesOn
          ? `${space(last.indent - shift())}{% endtab %}`
          : `${space(last.indent - shift())}${last.close}`,
      )
      if (goesOn) return true
    }
    return false
  }
  const flush = () => {
    for (; blank > 0; blank--) write('')
  }
  const step = (line: string): void => {
    if (line.trim() === '') {
      blank += 1
      return
    }
    const indent = indentOf(line)
    const [, , mark = '', rest = ''] = BLOCK.exec(line) ?? []
    const isTab = mark.startsWith('===')
    const goesOn = closeTo(indent, isTab ? 'tab' : 'other')
    flush()
    const inner = line.trimStart()
    const at = space(Math.max(0, indent - shift()))
    if (mark === '') return void write(at + inner)
    const [, kind = '', title] = /^([\w-]*)[^"]*(?:"([^"]*)")?/.exec(rest.trim()) ?? []
    if (isTab) {
      if (!goesOn) write(`${at}{% tabs %}`)
      write(`${at}{% tab title=${quoted(title ?? kind)} %}`)
      open.push({ indent, close: `{% endtab %}\n${at}{% endtabs %}`, isTab })
      return
    }
    if (mark === '!!!') {
      write(openHint(styleOf(kind) ?? 'info', title ?? '', at))
      open.push({ indent, close: '{% endhint %}', isTab })
      return
    }
    const heading = title ?? `${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}`
    write(
      `${at}<details${mark.endsWith('+') ? ' open' : ''}>\n${at}<summary>${htmlWords(heading)}</summary>\n`,
    )
    open.push({ indent, close: '</details>', isTab })
  }
  // Code is indented with the block around it.
  for (const { line, isCode, beginsCode } of textLines(text)) {
    if (!isCode || beginsCode) step(line)
    else write(line.trim() === '' ? '' : space(Math.max(0, indentOf(line) - shift())) + line.trimStart())
  }
  closeTo(-1, 'other')
  flush()
  return lines.join('\n')
}

export const mkdocs: Converter = {
  arrange,
  convert: (page, tools) => {
    const { text, notes } = convertMarks(convertBlocks(page.text), tools)
    const linked = tools.rewriteLinks(text, destination =>
      followLink(page, destination, path => [path, `${path}.md`, `${path}/index.md`]),
    )
    return { text: linked, notes }
  },
}
