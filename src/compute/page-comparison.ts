// Two versions of a page side by side, block by block as readers see them, with the words that differ marked.
import { html } from '../base/html.ts'
import { type BlockChange, diffDocuments } from '../engines/content/block-diff.ts'
import { diffWords, type WordRun } from '../engines/content/word-diff.ts'
import { type ShownBlock, toHtmlBlocks, type WordRange } from '../engines/markdown/html/html.ts'
import { blocks } from '../engines/markdown/page/page.ts'
import type { AddressKey, AddressTarget, AsksAddresses } from './addresses.ts'
import { type AsksOfPage, type PageHtmlInput, renderPage } from './page-html.ts'
import type { Task } from './task.ts'

type Side = 'before' | 'after'
type Version = Pick<PageHtmlInput, 'markdown' | 'variables'>

export type ComparedVersions = Readonly<Record<Side, Version>> & {
  /** Of all blocks together, in their HTML. */
  readonly charactersMax: number
}

type AsksOfVersions = Pick<AsksAddresses, 'texts'> & {
  addresses(of: {
    readonly side: Side
    readonly asked: readonly AddressKey[]
  }): Promise<readonly AddressTarget[]>
}

/** A block that shows nothing, such as frontmatter, has its Markdown as its HTML. */
export type ComparedBlock = { readonly key: string; readonly html: string }

export type ComparedChange =
  | { readonly kind: 'unchanged' | 'moved' | 'added'; readonly after: ComparedBlock }
  | { readonly kind: 'removed'; readonly before: ComparedBlock }
  | {
      readonly kind: 'changed'
      readonly isMoved: boolean
      readonly before: ComparedBlock
      readonly after: ComparedBlock
      /** The Markdown of both, with what differs marked, as HTML. */
      readonly words: string
    }

/** In the order of the newer version. `more`: the number of changes that are left out. */
export type PageComparison = { readonly changes: readonly ComparedChange[]; readonly more: number }

export const pageComparison: Task<ComparedVersions, PageComparison, AsksOfVersions> = async (
  { before, after, charactersMax },
  ask,
) => {
  const old = { ...before, shown: await show('before', before, ask) }
  const now = { ...after, shown: await show('after', after, ask) }
  const found = diffDocuments(before.markdown, after.markdown, blocks)
  const changes: ComparedChange[] = []
  let left = charactersMax
  let described = 0
  for (const change of found) {
    const compared = compare(change, old, now)
    left -= compared === undefined ? 0 : lengthOf(compared)
    if (left < 0) break
    described++
    if (compared !== undefined) changes.push(compared)
  }
  const more = found.slice(described).filter(({ kind }) => kind !== 'equal').length
  return { changes, more }
}

const show = (side: Side, version: Version, ask: AsksOfVersions): Promise<Map<string, ShownBlock>> =>
  renderPage(
    { ...version, isColoured: false, isKeyed: true, idPrefix: `${side}.` },
    {
      addresses: asked => ask.addresses({ side, asked }),
      texts: documents => ask.texts(documents),
    } satisfies AsksAddresses as AsksOfPage,
    toHtmlBlocks,
  )

type Shown = Version & { readonly shown: ReadonlyMap<string, ShownBlock> }

/** Undefined for what is nothing to see: blank lines, and unchanged blocks that show nothing. */
function compare(change: BlockChange, old: Shown, now: Shown): ComparedChange | undefined {
  if (change.kind === 'modified') return compareWords(change, old, now)
  if (change.kind === 'removed') {
    const before = sideOf(change.before, old)
    return before === undefined ? undefined : { kind: 'removed', before }
  }
  if (change.kind === 'equal' && !now.shown.has(change.after.key)) return undefined
  const after = sideOf(change.after, now)
  if (after === undefined) return undefined
  if (change.kind === 'equal') return { kind: 'unchanged', after }
  return { kind: change.kind === 'inserted' ? 'added' : 'moved', after }
}

function compareWords(
  { before, after, isMoved }: Extract<BlockChange, { kind: 'modified' }>,
  old: Shown,
  now: Shown,
): ComparedChange | undefined {
  const one = old.shown.get(before.key)
  const other = now.shown.get(after.key)
  const runs = one === undefined || other === undefined ? [] : diffWords(one.words, other.words)
  const sides = {
    before: sideOf(before, old, 'del', rangesOf(runs, 'removed')),
    after: sideOf(after, now, 'ins', rangesOf(runs, 'inserted')),
  }
  if (sides.before === undefined || sides.after === undefined) return undefined
  const words = toHtml(diffWords(textOf(before, old), textOf(after, now)))
  return { kind: 'changed', isMoved, before: sides.before, after: sides.after, words }
}

type Span = { readonly key: string; readonly start: number; readonly end: number }

const textOf = ({ start, end }: Span, { markdown }: Shown): string => markdown.slice(start, end).trim()

function sideOf(
  block: Span,
  version: Shown,
  tag: 'ins' | 'del' = 'ins',
  ranges: readonly WordRange[] = [],
): ComparedBlock | undefined {
  const { key } = block
  const shown = version.shown.get(key)
  if (shown !== undefined) return { key, html: shown.toHtml(tag, ranges) }
  const source = textOf(block, version)
  return source === '' ? undefined : { key, html: html`<pre>${source}</pre>`.markup }
}

/** Where in its version the words are that the other one does not have. */
function rangesOf(runs: readonly WordRun[], kind: 'removed' | 'inserted'): WordRange[] {
  const ranges: WordRange[] = []
  let at = 0
  for (const run of runs) {
    if (run.kind !== 'equal' && run.kind !== kind) continue
    const end = at + run.text.length
    if (run.kind === kind) ranges.push({ start: at, end })
    at = end
  }
  return ranges
}

const toHtml = (runs: readonly WordRun[]): string =>
  html`${runs.map(({ kind, text }) => {
    if (kind === 'equal') return text
    return kind === 'inserted' ? html`<ins>${text}</ins>` : html`<del>${text}</del>`
  })}`.markup

function lengthOf(change: ComparedChange): number {
  const before = 'before' in change ? change.before.html.length : 0
  const after = 'after' in change ? change.after.html.length : 0
  return before + after + (change.kind === 'changed' ? change.words.length : 0)
}
