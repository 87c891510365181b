// Writes a table of contents over the existing one: an unchanged entry keeps its line, byte for byte, and text between
// entries stays as its author wrote it.
import { stringify } from 'yaml'
import { parseSummary, type SummaryEntry } from '../page/page.ts'
import { matchAt } from '../syntax/syntax.ts'
import { headingOf, linkOf } from './summary-entry.ts'
import {
  type Item,
  itemsOf,
  keepInOrder,
  LINE_START,
  type Line,
  type LineStyle,
  type ListedEntry,
  linesOf,
  startOf,
  unitOf,
  type WrittenEntry,
} from './summary-lines.ts'

const HEADING = '# Table of contents'

/**
 * The text with the entries of `wanted`. Lines of other entries are removed; new ones are written in the style of their
 * neighbours. If the result would not be read as wanted, the whole text is rewritten.
 */
export function editSummary(
  text: string,
  written: readonly WrittenEntry[],
  wanted: readonly ListedEntry[],
): string {
  const edited = new SummaryEdit(text, written, wanted).run()
  const before = readEntries(text)
  const readings = new Map(written.map(({ key }, at) => [key, before[at]?.entry]))
  return isReadAs(edited, wanted, readings) ? edited : writeSummary(wanted, lineEndOf(text))
}

/** A new table of contents. */
export const writeSummary = (wanted: readonly ListedEntry[], lineEnd = '\n'): string =>
  new SummaryEdit(`${HEADING}${lineEnd}${lineEnd}`, [], wanted).run()

const lineEndOf = (text: string): string => (/\r\n/.test(text) ? '\r\n' : '\n')

class SummaryEdit {
  readonly #text: string
  readonly #lineEnd: string
  readonly #lines: readonly Line[]
  readonly #items: readonly Item[]
  /** The line of each entry in the text. */
  readonly #lineOf: ReadonlyMap<string, Line>
  readonly #unit: string
  #out = ''
  /** How much of the text is written or left out. */
  #cursor = 0
  #nextLine = 0
  /** How the latest line of each level began. */
  #styles: LineStyle[] = []
  /** The entry of the group that lines are read into at the end of what is written; null at the top. */
  #group: string | null = null

  constructor(text: string, written: readonly WrittenEntry[], wanted: readonly ListedEntry[]) {
    this.#text = text
    this.#lineEnd = lineEndOf(text)
    this.#lines = linesOf(text, written)
    this.#items = itemsOf(wanted)
    this.#lineOf = new Map(this.#lines.map(line => [line.entry.key, line]))
    keepInOrder(this.#items, this.#lineOf)
    this.#unit = unitOf(this.#lines)
  }

  run(): string {
    // A title, and the author's text below it, stay above whatever comes first.
    this.#copy(this.#lines[0]?.start ?? this.#text.length)
    for (const item of this.#items) {
      if (item.kept !== undefined) this.#keep(item, item.kept)
      else if (item.entry.kind === 'group') this.#insertGroup(item.entry)
      else this.#insertLine(item)
    }
    this.#copyUpTo(this.#text.length, this.#lines.length)
    return this.#out
  }

  #keep({ entry, level, group }: Item, { index, start, end, text, style }: Line): void {
    this.#copyUpTo(start, index)
    if (entry.kind !== 'group' && this.#group !== null && group === null) this.#writeBreak()
    if (entry.kind === 'group') this.#enterGroup(entry.key)
    else this.#remember(level, style)
    if (entry.isWritten) this.#out += text
    else if (entry.kind === 'group') this.#out += headingOf(entry) + this.#lineEnd
    else this.#out += startOf(style) + this.#entryText(entry, style) + this.#lineEnd
    this.#cursor = end
    this.#nextLine = index + 1
  }

  /** A heading keeps its distance from what is above and below it. */
  #insertGroup(entry: ListedEntry): void {
    this.#copy(this.#endOfBlank(this.#cursor))
    this.#endLine()
    const line = entry.isWritten ? this.#lineOf.get(entry.key) : undefined
    const heading = line?.text.trimEnd() ?? headingOf(entry)
    const blank = this.#out === '' || this.#endsBlank() ? '' : this.#lineEnd
    this.#out += `${blank}${heading}${this.#lineEnd}${this.#lineEnd}`
    this.#enterGroup(entry.key)
  }

  #enterGroup(key: string | null): void {
    this.#group = key
    this.#styles = []
  }

  #insertLine(item: Item): void {
    const { index, entry, group, level } = item
    const isFirst = index === 0 || this.#items[index - 1]?.entry.kind === 'group'
    if (isFirst) this.#copyToFirstOf(item)
    this.#endLine()
    if (group === null && this.#group !== null) this.#leaveGroup()
    else if (isFirst && this.#out !== '' && !this.#endsBlank() && !this.#endsInList())
      this.#out += this.#lineEnd
    const style = this.#styleFor(item)
    this.#out += startOf(style) + this.#lineText(entry, style) + this.#lineEnd
    this.#remember(level, style)
  }

  /** The first entry of a group goes where the first one was, after the author's text above it. */
  #copyToFirstOf({ index, group }: Item): void {
    for (let at = index + 1, next = this.#items[at]; next !== undefined; next = this.#items[++at]) {
      if (next.entry.kind === 'group' || next.group !== group) break
      if (next.kept === undefined) continue
      if (next.kept.start > this.#cursor) this.#copyUpTo(next.kept.start, next.kept.index)
      return
    }
    // No existing entry follows: a title and the blank lines after it stay above.
    if (index === 0 && this.#items.every(item => item.kept === undefined))
      this.#copyUpTo(this.#lines[0]?.start ?? this.#text.length, 0)
  }

  /** Copies what is between the cursor and `end`, without the lines before `before` that are not kept here. */
  #copyUpTo(end: number, before: number): void {
    for (const line of this.#lines.slice(this.#nextLine, before)) {
      if (line.start < this.#cursor) continue
      this.#copy(line.start)
      this.#cursor = line.entry.kind === 'group' ? this.#endOfBlank(line.end) : line.end
    }
    this.#nextLine = Math.max(this.#nextLine, before)
    if (end > this.#cursor) this.#copy(end)
  }

  #copy(end: number): void {
    const piece = this.#text.slice(this.#cursor, end)
    if (BREAK.test(piece)) this.#group = null
    this.#out += piece
    this.#cursor = Math.max(this.#cursor, end)
  }

  #endOfBlank(at: number): number {
    return at + (matchAt(BLANK, this.#text, at)?.[0].length ?? 0)
  }

  /** What follows is outside the groups again. */
  #leaveGroup(): void {
    const next = this.#lines[this.#nextLine]?.start ?? this.#text.length
    const end = BREAK.exec(this.#text.slice(this.#cursor, next))
    this.#copy(this.#endOfBlank(this.#cursor + (end === null ? 0 : end.index + end[0].length)))
    if (this.#group !== null) this.#writeBreak()
    this.#enterGroup(null)
  }

  #writeBreak(): void {
    this.#endLine()
    const blank = this.#endsBlank() ? '' : this.#lineEnd
    this.#out += `${blank}---${this.#lineEnd}${this.#lineEnd}`
    this.#enterGroup(null)
  }

  #lineText(entry: ListedEntry, style: LineStyle): string {
    const line = entry.isWritten ? this.#lineOf.get(entry.key) : undefined
    if (line === undefined || line.entry.kind === 'group') return this.#entryText(entry, style)
    const text = line.text.trimEnd()
    if (entry.kind !== 'computed') return text.replace(LINE_START, '')
    // The lines below the first one are indented like its content.
    const { length } = startOf(line.style)
    const [first = '', ...more] = text.split(/\r?\n/)
    const below = more.map(each => each.slice(Math.min(length, each.length - each.trimStart().length)))
    return this.#indented([first.replace(LINE_START, ''), ...below], style)
  }

  #entryText(entry: ListedEntry, style: LineStyle): string {
    if (entry.source === undefined) return linkOf(entry)
    const yaml = stringify(entry.source, { lineWidth: 0, aliasDuplicateObjects: false }).trimEnd()
    return this.#indented(['```yaml', ...yaml.split('\n'), '```'], style)
  }

  #indented([first = '', ...below]: readonly string[], { indent, marker, gap }: LineStyle): string {
    const margin = indent + ' '.repeat(marker.length + gap.length)
    return [first, ...below.map(line => (line === '' ? '' : margin + line))].join(this.#lineEnd)
  }

  /** The style of the sibling above or below it, of its list, or of lists in this text. */
  #styleFor(item: Item): LineStyle {
    const sibling = this.#styles[item.level] ?? this.#styleBelow(item)
    if (sibling !== undefined) return sibling
    const above = this.#styles[item.level - 1]
    if (above === undefined) return this.#firstStyle()
    const width = above.marker.length + above.gap.length
    const unit = this.#unit.includes('\t') || this.#unit.length >= width ? this.#unit : ' '.repeat(width)
    return { ...above, indent: above.indent + unit, marker: /^\d/.test(above.marker) ? '*' : above.marker }
  }

  #styleBelow({ index, parent }: Item): LineStyle | undefined {
    const depth = parent?.index ?? -1
    for (let at = index + 1, below = this.#items[at]; below !== undefined; below = this.#items[++at]) {
      if ((below.parent?.index ?? -1) < depth) return undefined
      if (below.parent !== parent) continue
      if (below.entry.kind === 'group') return undefined
      if (below.kept !== undefined) return below.kept.style
    }
    return undefined
  }

  #firstStyle(): LineStyle {
    const first = this.#lines.find(({ entry }) => entry.kind !== 'group')
    return { ...(first?.style ?? { marker: '*', gap: ' ' }), indent: '' }
  }

  #remember(level: number, style: LineStyle): void {
    this.#styles = [...this.#styles.slice(0, level), style]
  }

  #endLine(): void {
    if (this.#out !== '' && !this.#out.endsWith('\n')) this.#out += this.#lineEnd
  }

  #endsBlank = (): boolean => /(?:^|\n)[ \t]*\r?\n$/.test(this.#out.slice(-200))

  #endsInList = (): boolean =>
    LINE_START.test(this.#out.slice(this.#out.lastIndexOf('\n', this.#out.length - 2) + 1))
}

const BLANK = /[ \t\r\n]*\n/y

/** A line that ends a group: what follows is outside the groups. */
const BREAK = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*\r?$/m

type ReadEntry = { readonly parent: number | null; readonly entry: SummaryEntry }

/** The entries of a text, in order. */
function readEntries(text: string): ReadEntry[] {
  const read: ReadEntry[] = []
  const visit = (entries: readonly SummaryEntry[], parent: number | null) => {
    for (const entry of entries) visit(entry.children, read.push({ parent, entry }) - 1)
  }
  visit(parseSummary(text).entries, null)
  return read
}

/**
 * Whether a text is read as these entries: their places, titles and destinations. A kept line has to say what it said
 * before: among other lines it may be read differently.
 *
 * @param before what the lines of the text were read as
 */
function isReadAs(
  text: string,
  wanted: readonly ListedEntry[],
  before: ReadonlyMap<string, SummaryEntry | undefined>,
): boolean {
  const read = readEntries(text)
  return (
    read.length === wanted.length &&
    wanted.every((one, at) => {
      const { parent, entry } = read[at] ?? {}
      if (entry === undefined || parent !== one.parent) return false
      if ((entry.type === 'group') !== (one.kind === 'group')) return false
      if ((entry.type === 'computed') !== (one.kind === 'computed')) return false
      if (one.kind === 'computed') return true
      if (!one.isWritten) return entry.title === one.title && isLedTo(entry, one)
      const was = before.get(one.key)
      return was === undefined || (entry.title === was.title && ledTo(entry) === ledTo(was))
    })
  )
}

const isLedTo = (entry: SummaryEntry, { kind, destination }: ListedEntry): boolean =>
  kind === 'group' || destination === ledTo(entry)

/** Where an entry leads, as its line says. */
const ledTo = (entry: SummaryEntry): string | undefined =>
  entry.type === 'page' ? entry.destination : entry.type === 'link' ? entry.url : undefined
