// The lines of a table of contents and the entries that are wanted in it, and which of these keep their lines.
import { longestAscending } from '../../../base/longest-ascending.ts'
import type { SummaryLines } from '../page/page.ts'

/** An entry that is wanted. Parents come before their children, siblings in their order. */
export type ListedEntry = {
  /** What identifies it, in the text and in what is wanted. */
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

/** How the lines of a level begin: `gap` is between the marker and what it marks. */
export type LineStyle = { readonly indent: string; readonly marker: string; readonly gap: string }

/** An entry of the text with its line. */
export type Line = {
  readonly index: number
  readonly entry: WrittenEntry
  readonly parent: Line | undefined
  /** How many lists it is in, its own not counted. A group is no list. */
  readonly level: number
  readonly start: number
  readonly end: number
  readonly text: string
  readonly style: LineStyle
}

/** An entry that is wanted; `kept` is the line that it keeps in its place. */
export type Item = {
  readonly index: number
  readonly entry: ListedEntry
  readonly parent: Item | undefined
  readonly level: number
  /** The key of the group that it is in, or is itself; null at the top. */
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

/** How much deeper a list is written than the one above it. */
export function unitOf(lines: readonly Line[]): string {
  const nested = lines.find(line => line.level === 1)
  if (nested === undefined) return '  '
  const above = (nested.parent ?? nested).style.indent
  const below = nested.style.indent
  return below.length > above.length && below.startsWith(above) ? below.slice(above.length) : '  '
}

/** Lets as many items as possible keep their lines where they are: the longest row that ascends in the text. */
export function keepInOrder(items: readonly Item[], lineOf: ReadonlyMap<string, Line>): void {
  const candidates = items.flatMap(item => {
    const line = lineOf.get(item.entry.key)
    const isSame = line !== undefined && item.entry.kind === line.entry.kind && item.level === line.level
    return isSame ? [{ item, line }] : []
  })
  for (const { item, line } of longestAscending(candidates, ({ line }) => line.index)) item.kept = line
}
