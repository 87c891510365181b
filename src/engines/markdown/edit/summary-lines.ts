// The lines of a table of contents, the entries that are wanted in it, and which of these keep their lines.
import { longestAscending } from '../../../base/longest-ascending.ts'
import type { SummaryLines } from '../page/page.ts'

/** A wanted entry. Parents come before their children, siblings in order. */
export type ListedEntry = {
  /** Identifies it, both in the text and among the wanted entries. */
  readonly key: string
  /** The index of the entry above, or null at the top. Groups are at the top. */
  readonly parent: number | null
  readonly kind: 'group' | 'page' | 'link' | 'computed'
  readonly title: string
  /** Where a page or a link leads, as a link in this file; absent for an entry that leads nowhere. */
  readonly destination?: string
  readonly linkTitle?: string
  /** The source of computed pages, written as a block of YAML. */
  readonly source?: object
  /** Of a group whose address does not follow from its title. */
  readonly anchor?: string
  /** Whether its line already says all of this. */
  readonly isWritten: boolean
}

/** An entry of the text, in the order of the text. */
export type WrittenEntry = {
  readonly key: string
  readonly parent: number | null
  readonly kind: ListedEntry['kind']
  readonly lines: SummaryLines
}

/** How the lines of a level begin: `gap` is between the marker and what it marks. */
export type LineStyle = { readonly indent: string; readonly marker: string; readonly gap: string }

/** An entry of the text with its line. */
export type Line = {
  readonly index: number
  readonly entry: WrittenEntry
  readonly parent: Line | undefined
  /** How many lists it is in, not counting its own. A group is not a list. */
  readonly level: number
  readonly start: number
  readonly end: number
  readonly text: string
  readonly style: LineStyle
}

/** A wanted entry; `kept` is the line that it keeps in place. */
export type Item = {
  readonly index: number
  readonly entry: ListedEntry
  readonly parent: Item | undefined
  readonly level: number
  /** The key of the group that it is or is in; null at the top. */
  readonly group: string | null
  kept?: Line
}

export const LINE_START = /^([ \t]*)([-*+]|\d{1,9}[.)])([ \t]+)/

const styleOf = (line: string): LineStyle => {
  const [, indent = '', marker = '*', gap = ' '] = LINE_START.exec(line) ?? []
  return { indent, marker, gap }
}

export const startOf = ({ indent, marker, gap }: LineStyle): string => indent + marker + gap

/** The level of an entry below another one. */
const levelBelow = (
  parent: { readonly level: number; readonly entry: Pick<ListedEntry, 'kind'> } | undefined,
): number => (parent === undefined || parent.entry.kind === 'group' ? 0 : parent.level + 1)

export function linesOf(text: string, written: readonly WrittenEntry[]): Line[] {
  const lines: Line[] = []
  for (const [index, entry] of written.entries()) {
    const parent = entry.parent === null ? undefined : lines[entry.parent]
    const { start, end } = entry.lines
    const line = text.slice(start, end)
    const level = levelBelow(parent)
    lines.push({ index, entry, parent, level, start, end, text: line, style: styleOf(line) })
  }
  return lines
}

export function itemsOf(wanted: readonly ListedEntry[]): Item[] {
  const items: Item[] = []
  for (const [index, entry] of wanted.entries()) {
    const parent = entry.parent === null ? undefined : items[entry.parent]
    const group = parent !== undefined ? parent.group : entry.kind === 'group' ? entry.key : null
    items.push({ index, entry, parent, level: levelBelow(parent), group })
  }
  return items
}

/** The indentation of a list relative to the one above it. */
export function unitOf(lines: readonly Line[]): string {
  const nested = lines.find(line => line.level === 1)
  if (nested === undefined) return '  '
  const above = (nested.parent ?? nested).style.indent
  const below = nested.style.indent
  return below.length > above.length && below.startsWith(above) ? below.slice(above.length) : '  '
}

/** Lets as many items as possible keep their lines in place: the longest sequence that ascends in the text. */
export function keepInOrder(items: readonly Item[], lineOf: ReadonlyMap<string, Line>): void {
  const candidates = items.flatMap(item => {
    const line = lineOf.get(item.entry.key)
    const isSame = line !== undefined && item.entry.kind === line.entry.kind && item.level === line.level
    return isSame ? [{ item, line }] : []
  })
  for (const { item, line } of longestAscending(candidates, ({ line }) => line.index)) item.kept = line
}
