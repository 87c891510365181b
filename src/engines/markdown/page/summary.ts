// SUMMARY.md: the table of contents of a repository. It is parsed as Markdown, as GitBook does: headings are groups,
// nested lists are pages below pages.
import { percentDecode } from '../../../base/percent-decode.ts'
import type { ProblemValues, SaidProblem } from '../../../base/problems.ts'
import {
  type Block,
  type Heading,
  isNamed,
  type Link,
  type ListItem,
  type Node,
  type Paragraph,
  parseWholeMarkdown,
  plainLine,
  SKIP,
  walk,
} from '../syntax/syntax.ts'
import { ownAnchor } from './places.ts'
import { splitDestination } from './resolve-path.ts'
import { lastStart } from './starts.ts'

/**
 * The lines of an entry, in UTF-16 code units; always whole lines, with their line ends. `start` to `end` are the lines
 * of the entry itself, `end` to `treeEnd` the lines of everything below it. `line` counts from 1.
 */
export type SummaryLines = {
  readonly line: number
  readonly start: number
  readonly end: number
  readonly treeEnd: number
}

type Common = {
  /** Plain text; may be empty. */
  readonly title: string
  readonly children: readonly SummaryEntry[]
  readonly lines: SummaryLines
}

/** `## Title`. `anchor` is the id that GitBook writes into the heading: `<a href="#x" id="x"></a>`. */
export type SummaryGroup = Common & { readonly type: 'group'; readonly anchor: string | null }

/**
 * `* [Title](path#anchor "Link title")`. `destination` is unescaped; `path` is the destination without anchor and
 * query, percent-decoded. `../` and a leading `/` stay. An empty path with an anchor is a place in the same file.
 */
export type SummaryPage = Common & {
  readonly type: 'page'
  readonly destination: string
  readonly path: string
  readonly anchor: string | null
  readonly linkTitle: string | null
}

/** `* [Title](https://…)`, `mailto:` and the like. */
export type SummaryLink = Common & {
  readonly type: 'link'
  readonly url: string
  readonly linkTitle: string | null
}

/** An item that is a block of YAML, which describes computed pages. Its title is ''. */
export type SummaryComputed = Common & { readonly type: 'computed'; readonly code: string }

/** `* Title`: an entry without a link. */
export type SummaryText = Common & { readonly type: 'text' }

export type SummaryEntry = SummaryGroup | SummaryPage | SummaryLink | SummaryComputed | SummaryText

/** `line` counts from 1. */
export type SummaryProblem = SaidProblem & { readonly line: number }

const ENTRIES_MAX = 50_000
const PROBLEMS_MAX = 200

/**
 * The entries of a table of contents. Entries before the first heading, or after a `---`, are in no group. Reads any
 * text; anything but an entry is a problem. A page that is listed twice is two entries and a problem.
 */
export function parseSummary(text: string): { entries: SummaryEntry[]; problems: SummaryProblem[] } {
  const parser = new SummaryParser(text)
  return { entries: parser.entries(parseWholeMarkdown(text).children), problems: parser.problems }
}

/** The text without the lines of its entries. */
export function textBetweenEntries(text: string): string {
  let [between, at] = ['', 0]
  const skip = (entries: readonly SummaryEntry[]): void => {
    for (const { lines, children } of entries) {
      if (lines.start > at) between += text.slice(at, lines.start)
      at = Math.max(at, lines.end)
      skip(children)
    }
  }
  skip(parseSummary(text).entries)
  return between + text.slice(at)
}

class SummaryParser {
  readonly problems: SummaryProblem[] = []
  readonly #text: string
  readonly #lineStarts: readonly number[]
  readonly #paths = new Set<string>()
  #count = 0

  constructor(text: string) {
    this.#text = text
    this.#lineStarts = [
      0,
      ...Array.from(text.matchAll(/\r\n?|\n/g), ({ 0: end, index }) => index + end.length),
    ]
  }

  entries(nodes: readonly Block[]): SummaryEntry[] {
    const entries: SummaryEntry[] = []
    let group: { heading: Heading; children: SummaryEntry[]; end: number } | undefined
    let hasTitle = false
    const close = () => {
      if (group) entries.push(this.#group(group.heading, group.children, group.end))
      group = undefined
    }
    for (const node of nodes) {
      if (node.type === 'heading' && node.depth === 1 && !hasTitle) hasTitle = true
      else if (node.type === 'heading') {
        close()
        group = { heading: node, children: [], end: node.position.end }
      } else if (node.type === 'thematicBreak') close()
      else if (node.type === 'list') {
        if (group) group.end = node.position.end
        const siblings = group?.children ?? entries
        for (const item of node.children) siblings.push(...this.#entry(item))
      } else this.#ignore(node)
    }
    close()
    return entries
  }

  #group(heading: Heading, children: readonly SummaryEntry[], end: number): SummaryGroup {
    const lines = this.#lines(heading.position.start, heading.position.end, end)
    return { type: 'group', title: plainLine([heading]), anchor: ownAnchor(heading) ?? null, children, lines }
  }

  #entry(item: ListItem): SummaryEntry[] {
    if (this.#count >= ENTRIES_MAX) {
      if (this.#count++ === ENTRIES_MAX)
        this.#complain('summary_too_long', `Only the first ${ENTRIES_MAX} entries are read.`, item, {
          max: ENTRIES_MAX,
        })
      return []
    }
    this.#count++
    const [head] = item.children
    const line = head?.type === 'paragraph' || head?.type === 'heading' ? head : undefined
    const code = head?.type === 'code' && /^ya?ml$/i.test(head.lang ?? '') ? head : undefined
    const children = item.children.flatMap(child => {
      if (child.type === 'list') return child.children.flatMap(below => this.#entry(below))
      if (child !== (line ?? code)) this.#ignore(child)
      return []
    })
    const lines = (end: number) => this.#lines(item.position.start, end, item.position.end)
    if (code)
      return [{ type: 'computed', title: '', code: code.value, children, lines: lines(code.position.end) }]
    if (!line) {
      this.#complain('summary_entry_empty', 'An entry without a title was left out.', item)
      return children
    }
    const common = { children, lines: lines(line.position.end) }
    const [link = unescapedLink(line), ...others] = linksIn(line)
    for (const other of others)
      this.#complain('summary_link_ignored', 'An entry has one link; this one was left out.', other)
    if (!link) return [{ type: 'text', title: plainLine([line]), ...common }]
    const target = { title: plainLine(link.children) || plainLine([line]), linkTitle: link.title }
    if (isAddress(link.url)) return [{ type: 'link', ...target, url: link.url, ...common }]
    return [{ type: 'page', ...target, ...this.#destination(link.url, item), ...common }]
  }

  #destination(destination: string, item: ListItem) {
    const { path: written, anchor } = splitDestination(destination)
    const path = percentDecode(written)
    const key = `${path}#${anchor ?? ''}`
    const name = path.slice(0, 200)
    if (this.#paths.has(key))
      this.#complain('summary_path_repeated', `${name} is listed more than once.`, item, { name })
    this.#paths.add(key)
    return { destination, path, anchor }
  }

  #lines(start: number, end: number, treeEnd: number): SummaryLines {
    const first = lastStart(this.#lineStarts, start)
    return {
      line: first + 1,
      start: this.#lineStarts[first] ?? 0,
      end: this.#lineEndAfter(end),
      treeEnd: this.#lineEndAfter(Math.max(end, treeEnd)),
    }
  }

  #lineEndAfter(offset: number): number {
    return this.#lineStarts[lastStart(this.#lineStarts, offset - 1) + 1] ?? this.#text.length
  }

  /** Complains about a node that is not an entry, unless it means nothing in a table of contents. */
  #ignore(node: Block): void {
    if (!SILENT.has(node.type))
      this.#complain('summary_text_ignored', 'This is not an entry and was left out.', node)
  }

  #complain(
    code: string,
    message: string,
    { position }: Pick<Node, 'position'>,
    values?: ProblemValues,
  ): void {
    if (this.problems.length >= PROBLEMS_MAX) return
    const line = lastStart(this.#lineStarts, position.start) + 1
    this.problems.push({ code, message, line, ...(values === undefined ? {} : { values }) })
  }
}

const SILENT: ReadonlySet<string> = new Set(['html', 'yaml', 'definition', 'thematicBreak'])

type LinkLike = Pick<Link, 'url' | 'title' | 'children' | 'position'>

/** Links of Markdown and HTML in one line, except mere anchors. */
function linksIn(line: Paragraph | Heading): LinkLike[] {
  const links: LinkLike[] = []
  walk(line, node => {
    if (node.type === 'link') links.push(node)
    else if (isNamed(node, 'a') && node.attributes.href && !node.attributes.id)
      links.push({
        url: node.attributes.href,
        title: node.attributes.title ?? null,
        children: node.children.filter(child => child.type === 'text'),
        position: node.position,
      })
    else return undefined
    return SKIP
  })
  return links
}

/** `[Title](path with spaces.md)`, which is not a link in CommonMark. */
function unescapedLink(line: Paragraph | Heading): LinkLike | undefined {
  const text = plainLine([line])
  const middle = text.lastIndexOf('](')
  if (!text.startsWith('[') || !text.endsWith(')') || middle === -1) return undefined
  const url = text.slice(middle + 2, -1).trim()
  if (url === '' || /["<>]/.test(url)) return undefined
  const title = { type: 'text', value: text.slice(1, middle), position: line.position } as const
  return { url, title: null, children: [title], position: line.position }
}

/** `https:`, `mailto:` and any other scheme, or `//host`. A single letter, as in `a:b.md`, is not a scheme. */
const isAddress = (url: string): boolean =>
  /^(?:[a-z][a-z0-9+.-]+:|\/\/)/i.test(url) && !/^[^:/?#]+:[^/]*\.md$/i.test(url)
