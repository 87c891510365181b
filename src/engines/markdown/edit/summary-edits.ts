// Writes a table of contents over the one that is there: an entry that says what its line says keeps that line, byte for
// byte, and what stands between entries stays as its author wrote it.
import { stringify } from 'yaml'
import { parseSummary, type SummaryEntry, type SummaryLines } from '../page/page.ts'
import { escapeLabel } from '../render/render.ts'

/** An entry that is wanted. Parents come before their children, siblings in their order. */
export type ListedEntry = {
  /** What tells it from the others, in the text and in what is wanted. */
  readonly key: string
  /** The index of the entry above, or null at the top. Groups are at the top. */
  readonly parent: number | null
  readonly kind: 'group' | 'page' | 'link' | 'computed'
  readonly title: string
  /** Where a page or a link leads, as a link of this file says it; absent for an entry that leads nowhere. */
  readonly destination?: string
  readonly linkTitle?: string
  /** The source of pages that are computed, which a block of YAML says. */
  readonly source?: object
  /** Of a group whose address is not made of its title. */
  readonly anchor?: string
  /** Its line says all of this already. */
  readonly isWritten: boolean
}

/** An entry of the text, in the order of the text. */
export type WrittenEntry = {
  readonly key: string
  readonly parent: number | null
  readonly kind: ListedEntry['kind']
  readonly lines: SummaryLines
}

const HEADING = '# Table of contents'

/**
 * The text with the entries of `wanted`. Lines of entries that are not wanted go; new ones are written in the style of
 * their neighbours. Where what comes out would not be read as it is wanted, the whole text is written anew.
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

/** A table of contents of its own. */
export const writeSummary = (wanted: readonly ListedEntry[], lineEnd = '\n'): string =>
  new SummaryEdit(`${HEADING}${lineEnd}${lineEnd}`, [], wanted).run()

const lineEndOf = (text: string): string => (/\r\n/.test(text) ? '\r\n' : '\n')

/** How the lines of a level begin: `gap` stands between the marker and what it marks. */
type LineStyle = { readonly indent: string; readonly marker: string; readonly gap: string }

class SummaryEdit {
  readonly #text: string
  readonly #lineEnd: string
  readonly #written: readonly WrittenEntry[]
  readonly #wanted: readonly ListedEntry[]
  readonly #levels: readonly number[]
  /** The line that an entry has in the text. */
  readonly #lineOf: ReadonlyMap<string, WrittenEntry>
  /** By entry that is wanted: the place among the written ones that it keeps. */
  readonly #kept: ReadonlyMap<number, number>
  readonly #unit: string
  #out = ''
  /** So much of the text is written, or left out. */
  #cursor = 0
  #nextWritten = 0
  /** How the latest line of each level began. */
  #styles: LineStyle[] = []
  /** The entry of the group that lines are read into at the end of what is written; null at the top. */
  #group: string | null = null

  constructor(text: string, written: readonly WrittenEntry[], wanted: readonly ListedEntry[]) {
    this.#text = text
    this.#lineEnd = lineEndOf(text)
    this.#written = written
    this.#wanted = wanted
    this.#levels = levelsOf(wanted)
    this.#lineOf = new Map(written.map(entry => [entry.key, entry]))
    this.#kept = longestInOrder(written, levelsOf(written), wanted, this.#levels)
    this.#unit = this.#readUnit(levelsOf(written))
  }

  run(): string {
    // A title, and what its author says below it, stay above whatever comes first.
    this.#copy(this.#written[0]?.lines.start ?? this.#text.length)
    this.#wanted.forEach((entry, at) => {
      const kept = this.#kept.get(at)
      if (kept !== undefined) this.#keep(entry, at, kept)
      else if (entry.kind === 'group') this.#insertGroup(entry)
      else this.#insertLine(entry, at)
    })
    this.#copyUpTo(this.#text.length, this.#written.length)
    return this.#out
  }

  #keep(entry: ListedEntry, at: number, kept: number): void {
    const { lines } = this.#written[kept]!
    this.#copyUpTo(lines.start, kept)
    if (entry.kind !== 'group' && this.#group !== null && this.#groupOf(at) === null) this.#writeBreak()
    const line = this.#text.slice(lines.start, lines.end)
    const style = styleOf(line)
    if (entry.kind === 'group') this.#enterGroup(entry.key)
    else this.#remember(this.#levels[at]!, style)
    if (entry.isWritten) this.#out += line
    else if (entry.kind === 'group') this.#out += headingOf(entry) + this.#lineEnd
    else this.#out += startOf(style) + this.#entryText(entry, style) + this.#lineEnd
    this.#cursor = lines.end
    this.#nextWritten = kept + 1
  }

  /** A heading keeps its distance from what is above and below it. */
  #insertGroup(entry: ListedEntry): void {
    this.#copy(this.#endOfBlank(this.#cursor))
    this.#endLine()
    const line = this.#lineOf.get(entry.key)
    const heading =
      entry.isWritten && line !== undefined
        ? this.#text.slice(line.lines.start, line.lines.end).trimEnd()
        : headingOf(entry)
    const blank = this.#out === '' || this.#endsBlank() ? '' : this.#lineEnd
    this.#out += `${blank}${heading}${this.#lineEnd}${this.#lineEnd}`
    this.#enterGroup(entry.key)
  }

  #enterGroup(key: string | null): void {
    this.#group = key
    this.#styles = []
  }

  #insertLine(entry: ListedEntry, at: number): void {
    const group = this.#groupOf(at)
    const isFirst = at === 0 || this.#wanted[at - 1]!.kind === 'group'
    if (isFirst) this.#copyToFirstOf(at, group)
    this.#endLine()
    if (group === null && this.#group !== null) this.#leaveGroup()
    else if (isFirst && this.#out !== '' && !this.#endsBlank() && !this.#endsInList())
      this.#out += this.#lineEnd
    const level = this.#levels[at]!
    const style = this.#styleFor(level, at)
    this.#out += startOf(style) + this.#lineText(entry, style) + this.#lineEnd
    this.#remember(level, style)
  }

  /** The first entry of a group stands where the first one stood, behind what its author wrote above it. */
  #copyToFirstOf(at: number, group: string | null): void {
    for (let next = at + 1; next < this.#wanted.length; next++) {
      const entry = this.#wanted[next]!
      const kept = this.#kept.get(next)
      if (entry.kind === 'group' || this.#groupOf(next) !== group) break
      if (kept === undefined) continue
      if (this.#written[kept]!.lines.start > this.#cursor)
        this.#copyUpTo(this.#written[kept]!.lines.start, kept)
      return
    }
    // Nothing follows that is there: a title and its distance stay above.
    if (at === 0 && this.#kept.size === 0)
      this.#copyUpTo(this.#written[0]?.lines.start ?? this.#text.length, 0)
  }

  /** What is between the cursor and `end`, without the lines of entries before `before` that are not kept here. */
  #copyUpTo(end: number, before: number): void {
    for (; this.#nextWritten < before; this.#nextWritten++) {
      const { lines, kind } = this.#written[this.#nextWritten]!
      if (lines.start < this.#cursor) continue
      this.#copy(lines.start)
      this.#cursor = kind === 'group' ? this.#endOfBlank(lines.end) : lines.end
    }
    if (end > this.#cursor) this.#copy(end)
  }

  #copy(end: number): void {
    const piece = this.#text.slice(this.#cursor, end)
    if (BREAK.test(piece)) this.#group = null
    this.#out += piece
    this.#cursor = Math.max(this.#cursor, end)
  }

  #endOfBlank(at: number): number {
    const blank = /[ \t\r\n]*\n/y
    blank.lastIndex = at
    return blank.test(this.#text) ? blank.lastIndex : at
  }

  /** What follows stands beside the groups again. */
  #leaveGroup(): void {
    const next = this.#written[this.#nextWritten]?.lines.start ?? this.#text.length
    const between = this.#text.slice(this.#cursor, next)
    const end = BREAK.exec(between)
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
    const line = this.#lineOf.get(entry.key)
    if (!entry.isWritten || line === undefined || line.kind === 'group') return this.#entryText(entry, style)
    const text = this.#text.slice(line.lines.start, line.lines.end).trimEnd()
    if (entry.kind !== 'computed') return text.replace(LINE_START, '')
    // The lines below the first one are indented as what the first one marks.
    const { length } = startOf(styleOf(text))
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

  /** As the sibling above or below it, as the list that it is in, or as lists are written here. */
  #styleFor(level: number, at: number): LineStyle {
    const sibling = this.#styles[level] ?? this.#styleBelow(at)
    if (sibling !== undefined) return sibling
    const above = level === 0 ? undefined : this.#styles[level - 1]
    if (above === undefined) return this.#firstStyle()
    const width = above.marker.length + above.gap.length
    const unit = this.#unit.includes('\t') || this.#unit.length >= width ? this.#unit : ' '.repeat(width)
    return { ...above, indent: above.indent + unit, marker: /^\d/.test(above.marker) ? '*' : above.marker }
  }

  #styleBelow(at: number): LineStyle | undefined {
    const { parent } = this.#wanted[at]!
    for (let next = at + 1; next < this.#wanted.length; next++) {
      const below = this.#wanted[next]!
      if ((below.parent ?? -1) < (parent ?? -1)) return undefined
      const kept = this.#kept.get(next)
      if (below.parent === parent && below.kind === 'group') return undefined
      if (below.parent === parent && kept !== undefined) return this.#styleOfLine(this.#written[kept]!)
    }
    return undefined
  }

  #styleOfLine({ lines }: WrittenEntry): LineStyle {
    return styleOf(this.#text.slice(lines.start, lines.end))
  }

  #firstStyle(): LineStyle {
    const first = this.#written.find(({ kind }) => kind !== 'group')
    const style = first && this.#styleOfLine(first)
    return { marker: '*', gap: ' ', ...style, indent: '' }
  }

  /** How much deeper a list is written than the one above it. */
  #readUnit(levels: readonly number[]): string {
    const nested = levels.indexOf(1)
    if (nested < 1) return '  '
    const indentAt = (at: number) => this.#styleOfLine(this.#written[at]!).indent
    const [above, below] = [indentAt(this.#written[nested]!.parent ?? nested), indentAt(nested)]
    return below.length > above.length && below.startsWith(above) ? below.slice(above.length) : '  '
  }

  #remember(level: number, style: LineStyle): void {
    this.#styles = [...this.#styles.slice(0, level), style]
  }

  #groupOf(at: number): string | null {
    let entry = this.#wanted[at]!
    while (entry.parent !== null) entry = this.#wanted[entry.parent]!
    return entry.kind === 'group' ? entry.key : null
  }

  #endLine(): void {
    if (this.#out !== '' && !this.#out.endsWith('\n')) this.#out += this.#lineEnd
  }

  #endsBlank = (): boolean => /(?:^|\n)[ \t]*\r?\n$/.test(this.#out.slice(-200))

  #endsInList = (): boolean =>
    LINE_START.test(this.#out.slice(this.#out.lastIndexOf('\n', this.#out.length - 2) + 1))
}

/** A line that ends a group: what follows stands beside the groups. */
const BREAK = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*\r?$/m

const LINE_START = /^([ \t]*)([-*+]|\d{1,9}[.)])([ \t]+)/

const styleOf = (line: string): LineStyle => {
  const [, indent = '', marker = '*', gap = ' '] = LINE_START.exec(line) ?? []
  return { indent, marker, gap }
}

const startOf = ({ indent, marker, gap }: LineStyle): string => indent + marker + gap

/** How many lists an entry is in, its own not counted. A group is no list. */
function levelsOf(
  entries: readonly { readonly parent: number | null; readonly kind: ListedEntry['kind'] }[],
): number[] {
  const levels: number[] = []
  for (const { parent } of entries) {
    const above = parent === null ? undefined : entries[parent]
    levels.push(above === undefined || above.kind === 'group' ? 0 : levels[parent as number]! + 1)
  }
  return levels
}

/** The most written entries that can keep their lines where they are: the longest row that ascends in the text. */
function longestInOrder(
  written: readonly WrittenEntry[],
  writtenLevels: readonly number[],
  wanted: readonly ListedEntry[],
  levels: readonly number[],
): Map<number, number> {
  const places = new Map(written.map(({ key }, at) => [key, at]))
  const candidates: { readonly at: number; readonly place: number; readonly before: number }[] = []
  /** By length of a row, less one: the candidate that ends it at the least place. */
  const ends: number[] = []
  wanted.forEach(({ key, kind }, at) => {
    const place = places.get(key)
    if (place === undefined) return
    if (kind !== written[place]!.kind || levels[at] !== writtenLevels[place]) return
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (candidates[ends[middle]!]!.place < place) low = middle + 1
      else high = middle
    }
    ends[low] = candidates.push({ at, place, before: low === 0 ? -1 : ends[low - 1]! }) - 1
  })
  const kept = new Map<number, number>()
  for (let next = ends.at(-1) ?? -1; next !== -1; next = candidates[next]!.before)
    kept.set(candidates[next]!.at, candidates[next]!.place)
  return kept
}

const headingOf = ({ title, anchor }: ListedEntry): string =>
  `## ${escapeTitle(title)}${anchor === undefined ? '' : ` <a href="#${anchor}" id="${anchor}"></a>`}`

function linkOf({ title, destination, linkTitle }: ListedEntry): string {
  if (destination === undefined) return escapeLabel(title, 'paragraph')
  const name = linkTitle === undefined ? '' : ` "${linkTitle.replace(/["\\]/g, '\\$&')}"`
  return `[${escapeTitle(title)}](${bracketed(destination)}${name})`
}

/** So that Markdown reads the words as words, also within the brackets of a link. */
const escapeTitle = (title: string): string =>
  escapeLabel(title, 'heading').replace(/(\\.)|[\]\\]/gs, (sign, escaped) => escaped ?? `\\${sign}`)

const bracketed = (destination: string): string =>
  destination === '' || /[\s()<>]/.test(destination)
    ? `<${destination.replace(/[<>\\]/g, '\\$&')}>`
    : destination.replace(/\\/g, '\\\\')

type Reading = { readonly parent: number | null; readonly entry: SummaryEntry }

/** The entries of a text, in its order. */
function readEntries(text: string): Reading[] {
  const read: Reading[] = []
  const visit = (entries: readonly SummaryEntry[], parent: number | null) => {
    for (const entry of entries) visit(entry.children, read.push({ parent, entry }) - 1)
  }
  visit(parseSummary(text).entries, null)
  return read
}

/**
 * Whether a text is read as these entries: their places, titles and destinations. A line that is kept has to say what it
 * said: beside other lines it may be read as another.
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
    read.every(({ parent, entry }, at) => {
      const one = wanted[at]!
      if (parent !== one.parent || (entry.type === 'group') !== (one.kind === 'group')) return false
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

/** Where an entry leads, as its line says it. */
const ledTo = (entry: SummaryEntry): string | undefined =>
  entry.type === 'page' ? entry.destination : entry.type === 'link' ? entry.url : undefined
