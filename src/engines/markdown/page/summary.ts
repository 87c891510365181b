// SUMMARY.md: the table of contents of a repository. It is read as the Markdown it is, so what GitBook shows is what
// is found: headings are groups, nested lists are pages below pages.
import {
  type Block,
  type Code,
  childrenOf,
  type Heading,
  type Link,
  type List,
  type ListItem,
  type Node,
  type Paragraph,
  parseWholeMarkdown,
  plainLine,
} from '../syntax/syntax.ts'
import { ownAnchor } from './anchors.ts'

/**
 * Where an entry is written, in UTF-16 code units; always whole lines, with their line ends. `start` to `end` are the
 * lines of the entry itself, `end` to `treeEnd` those of everything below it. `line` counts from 1.
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

/** `## Title`. `anchor` is the id that GitBook keeps in the heading: `<a href="#x" id="x"></a>`. */
export type SummaryGroup = Common & { readonly type: 'group'; readonly anchor: string | null }

/**
 * `* [Title](path#anchor "Link title")`. `destination` is what the brackets hold, its escapes undone; `path` is that
 * without anchor and query and with `%20` and the like decoded. `../` and a leading `/` stay: the reader of the
 * repository decides what they mean. An empty path with an anchor is one into the same file.
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

/** An item that is a block of YAML: pages that are computed. `code` is what the block says. Its title is ''. */
export type SummaryComputed = Common & { readonly type: 'computed'; readonly code: string }

/** `* Title`: an entry that leads nowhere. */
export type SummaryText = Common & { readonly type: 'text' }

export type SummaryEntry = SummaryGroup | SummaryPage | SummaryLink | SummaryComputed | SummaryText

/** `line` counts from 1. */
export type SummaryProblem = { readonly code: string; readonly message: string; readonly line: number }

const ENTRIES_MAX = 50_000
const PROBLEMS_MAX = 200

/**
 * The entries of a table of contents. Entries before the first heading, or after a `---`, stand beside the groups. Reads
 * any text; what is no entry is a problem. A page that is listed twice is kept twice, with a problem.
 */
export function parseSummary(text: string): { entries: SummaryEntry[]; problems: SummaryProblem[] } {
  const reading = new SummaryReading(text)
  return { entries: reading.outline(parseWholeMarkdown(text).children), problems: reading.problems }
}

type Open = { heading: Heading; children: SummaryEntry[]; end: number }

class SummaryReading {
  readonly problems: SummaryProblem[] = []
  readonly #text: string
  readonly #lineStarts: readonly number[]
  readonly #paths = new Set<string>()
  #count = 0

  constructor(text: string) {
    this.#text = text
    this.#lineStarts = lineStartsOf(text)
  }

  outline(nodes: readonly Block[]): SummaryEntry[] {
    const entries: SummaryEntry[] = []
    let group: Open | undefined
    let hasTitle = false
    const close = () => {
      if (group) entries.push(this.#group(group))
      group = undefined
    }
    for (const node of nodes) {
      if (node.type === 'heading' && node.depth === 1 && !hasTitle) hasTitle = true
      else if (node.type === 'heading') {
        close()
        group = { heading: node, children: [], end: node.position.end }
      } else if (node.type === 'thematicBreak') close()
      else if (node.type === 'list') {
        const items = this.#items(node)
        if (group) {
          group.children.push(...items)
          group.end = node.position.end
        } else entries.push(...items)
      } else if (!isSilent(node))
        this.#complain('summary_text_ignored', 'This is no entry and was left out.', node)
    }
    close()
    return entries
  }

  #group({ heading, children, end }: Open): SummaryGroup {
    return {
      type: 'group',
      title: plainLine([heading]),
      anchor: ownAnchor(heading) ?? null,
      children,
      lines: this.#lines(heading.position.start, heading.position.end, end),
    }
  }

  #items(list: List): SummaryEntry[] {
    return list.children.flatMap(item => this.#entry(item))
  }

  #entry(item: ListItem): SummaryEntry[] {
    if (this.#count >= ENTRIES_MAX) {
      if (this.#count++ === ENTRIES_MAX)
        this.#complain('summary_too_long', `Only the first ${ENTRIES_MAX} entries are read.`, item)
      return []
    }
    this.#count++
    const head = item.children[0]
    const line = head?.type === 'paragraph' || head?.type === 'heading' ? head : undefined
    const code = head?.type === 'code' && isYaml(head) ? head : undefined
    const children: SummaryEntry[] = []
    for (const child of item.children) {
      if (child.type === 'list') children.push(...this.#items(child))
      else if (child !== (line ?? code) && !isSilent(child))
        this.#complain('summary_text_ignored', 'This is no entry and was left out.', child)
    }
    if (code) {
      const lines = this.#lines(item.position.start, code.position.end, item.position.end)
      return [{ type: 'computed', title: '', code: code.value, children, lines }]
    }
    if (!line) {
      this.#complain('summary_entry_empty', 'An entry without a title was left out.', item)
      return children
    }
    const common = {
      children,
      lines: this.#lines(item.position.start, line.position.end, item.position.end),
    }
    const links = linksIn(line)
    for (const link of links.slice(1))
      this.#complain('summary_link_ignored', 'An entry has one link; this one was left out.', link)
    const link = links[0] ?? unescapedLink(line)
    if (!link) return [{ type: 'text', title: plainLine([line]), ...common }]
    const target = { title: plainLine(link.children) || plainLine([line]), linkTitle: link.title }
    if (isAddress(link.url)) return [{ type: 'link', ...target, url: link.url, ...common }]
    return [{ type: 'page', ...target, ...this.#destination(link, item), ...common }]
  }

  #destination(link: LinkLike, item: ListItem): { destination: string; path: string; anchor: string | null } {
    const hash = link.url.indexOf('#')
    const beforeHash = hash === -1 ? link.url : link.url.slice(0, hash)
    const query = beforeHash.indexOf('?')
    const path = decodePercent(query === -1 ? beforeHash : beforeHash.slice(0, query))
    const anchor = hash === -1 ? null : decodePercent(link.url.slice(hash + 1))
    const key = `${path}#${anchor ?? ''}`
    if (this.#paths.has(key))
      this.#complain('summary_path_repeated', `${path.slice(0, 200)} is listed more than once.`, item)
    this.#paths.add(key)
    return { destination: link.url, path, anchor }
  }

  #lines(start: number, end: number, treeEnd: number): SummaryLines {
    const first = this.#lineAt(start)
    return {
      line: first + 1,
      start: this.#lineStarts[first]!,
      end: this.#lineEndAfter(end),
      treeEnd: this.#lineEndAfter(Math.max(end, treeEnd)),
    }
  }

  #lineEndAfter(offset: number): number {
    return this.#lineStarts[this.#lineAt(Math.max(0, offset - 1)) + 1] ?? this.#text.length
  }

  #lineAt(offset: number): number {
    let low = 0
    let high = this.#lineStarts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#lineStarts[middle]! <= offset) low = middle
      else high = middle - 1
    }
    return low
  }

  #complain(code: string, message: string, { position }: Pick<Node, 'position'>): void {
    if (this.problems.length < PROBLEMS_MAX)
      this.problems.push({ code, message, line: this.#lineAt(position.start) + 1 })
  }
}

type LinkLike = Pick<Link, 'url' | 'title' | 'children' | 'position'>

const isYaml = ({ lang }: Code): boolean => /^ya?ml$/i.test(lang ?? '')

/** Nodes that say nothing in a table of contents, and rightly so. */
const isSilent = (node: Block): boolean =>
  node.type === 'html' || node.type === 'yaml' || node.type === 'definition' || node.type === 'thematicBreak'

/** Links of Markdown and of HTML in one line, not those that are mere anchors. */
function linksIn(line: Paragraph | Heading): LinkLike[] {
  const links: LinkLike[] = []
  const visit = (node: Node) => {
    if (node.type === 'link') links.push(node)
    else if (node.type === 'element' && node.name === 'a' && node.attributes.href && !node.attributes.id)
      links.push({
        url: node.attributes.href,
        title: node.attributes.title ?? null,
        children: node.children.filter(child => child.type === 'text'),
        position: node.position,
      })
    else for (const child of childrenOf(node)) visit(child)
  }
  visit(line)
  return links
}

/** `[Title](path with spaces.md)`, which is no link to CommonMark but clear to anybody. */
function unescapedLink(line: Paragraph | Heading): LinkLike | undefined {
  const text = plainLine([line])
  const middle = text.lastIndexOf('](')
  if (!text.startsWith('[') || !text.endsWith(')') || middle === -1) return undefined
  const url = text.slice(middle + 2, -1).trim()
  if (url === '' || /["<>]/.test(url)) return undefined
  const title = { type: 'text', value: text.slice(1, middle), position: line.position } as const
  return { url, title: null, children: [title], position: line.position }
}

/** `https:`, `mailto:` and any other scheme, or `//host`. A drive letter or `a:b.md` is no scheme of two letters. */
const isAddress = (url: string): boolean =>
  /^(?:[a-z][a-z0-9+.-]+:|\/\/)/i.test(url) && !/^[^:/?#]+:[^/]*\.md$/i.test(url)

/** Undoes `%20`; text that is not well encoded stays as it is. */
function decodePercent(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function lineStartsOf(text: string): number[] {
  const starts = [0]
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '\n' || (char === '\r' && text[at + 1] !== '\n')) starts.push(at + 1)
  }
  return starts
}
