// The differences between two versions of a page, block by block: added and removed blocks as readers would see them,
// and modified blocks with their words.
import { type Block, type BlockChange, diffDocuments } from '../engines/content/block-diff.ts'
import { diffWords, type WordRun } from '../engines/content/word-diff.ts'
import { type HtmlOptions, toHtml } from '../engines/markdown/html/html.ts'
import { blocks } from '../engines/markdown/page/page.ts'
import { parseMarkdown, type Root } from '../engines/markdown/syntax/syntax.ts'
import { Addresses, type AddressKey, type AddressTarget, type AsksAddresses } from './addresses.ts'
import type { Task } from './task.ts'

export type PageVersion = { readonly markdown: string } & Pick<HtmlOptions, 'variables'>
type Side = 'before' | 'after'
export type PageVersions = Readonly<Record<Side, PageVersion>>
type AsksOfVersions = Pick<AsksAddresses, 'texts'> & {
  addresses(of: {
    readonly side: Side
    readonly asked: readonly AddressKey[]
  }): Promise<readonly AddressTarget[]>
}

/** A part of a page as sanitised markup, or as text if it renders to nothing. */
export type Part = { readonly html: string } | { readonly text: string }

export type Difference =
  | { readonly kind: 'equal'; readonly count: number; readonly part: Part }
  | { readonly kind: 'inserted' | 'removed' | 'moved'; readonly part: Part }
  | { readonly kind: 'modified'; readonly isMoved: boolean; readonly runs: readonly WordRun[] }

/** In the order of the newer version, with unchanged blocks in runs. `more`: the number of changes left out. */
export type PageDifferences = { readonly differences: readonly Difference[]; readonly more: number }

export const pageDifferences: Task<PageVersions, PageDifferences, AsksOfVersions> = compare

// Each is rendered separately. If more of a page was rewritten, reading the page says more.
const CHANGES_SHOWN_MAX = 300
// For all parts together.
const CHARACTERS_MAX = 5_000_000

async function compare({ before, after }: PageVersions, ask: AsksOfVersions): Promise<PageDifferences> {
  const changes = diffDocuments(before.markdown, after.markdown, blocks)
  const old = await createPainter('before', before, ask)
  const now = await createPainter('after', after, ask)
  const differences: Difference[] = []
  let shown = 0
  let characters = 0
  for (const run of runsOf(changes)) {
    if (shown >= CHANGES_SHOWN_MAX || characters >= CHARACTERS_MAX) break
    const difference = await describe(run, before.markdown, after.markdown, old, now)
    differences.push(difference)
    characters += lengthOf(difference)
    if (run[0].kind !== 'equal') shown += run.length
  }
  const all = changes.filter(({ kind }) => kind !== 'equal').length
  return { differences, more: all - shown }
}

function lengthOf(difference: Difference): number {
  if (difference.kind === 'modified') return difference.runs.reduce((sum, { text }) => sum + text.length, 0)
  return 'html' in difference.part ? difference.part.html.length : difference.part.text.length
}

type Run = [BlockChange, ...BlockChange[]]

/** Changes of one kind to consecutive blocks. A modified block is a run by itself. */
function* runsOf(changes: readonly BlockChange[]): Generator<Run> {
  let run: Run | undefined
  let end = 0
  for (const change of changes) {
    const lengthMax = change.kind === 'equal' ? changes.length : CHANGES_SHOWN_MAX
    const goesOn =
      change.kind === run?.[0].kind &&
      change.kind !== 'modified' &&
      shownOf(change).start === end &&
      run.length < lengthMax
    if (run !== undefined && goesOn) run.push(change)
    else {
      if (run !== undefined) yield run
      run = [change]
    }
    end = shownOf(change).end
  }
  if (run !== undefined) yield run
}

/** The block to show: in its current state, or, if removed, its last one. */
const shownOf = (change: BlockChange): Block => (change.kind === 'removed' ? change.before : change.after)

async function describe(
  run: Run,
  textBefore: string,
  textAfter: string,
  old: Painter,
  now: Painter,
): Promise<Difference> {
  const [first] = run
  if (first.kind === 'modified') {
    const before = textBefore.slice(first.before.start, first.before.end).trimEnd()
    const after = textAfter.slice(first.after.start, first.after.end).trimEnd()
    return { kind: 'modified', isMoved: first.isMoved, runs: diffWords(before, after) }
  }
  const painter = first.kind === 'removed' ? old : now
  const part = await painter.paint(shownOf(first).start, shownOf(run.at(-1) ?? first).end)
  return first.kind === 'equal' ? { kind: 'equal', count: run.length, part } : { kind: first.kind, part }
}

type Painter = { paint(start: number, end: number): Promise<Part> }

/** Renders parts of a page, each with its own ids. */
async function createPainter(
  side: Side,
  { markdown, variables }: PageVersion,
  ask: AsksOfVersions,
): Promise<Painter> {
  const root = parseMarkdown(markdown)
  const addresses = new Addresses({
    addresses: asked => ask.addresses({ side, asked }),
    texts: documents => ask.texts(documents),
  })
  await addresses.expect('', root)
  let next = 0
  let painted = 0
  return {
    // Parts are requested in text order, so each block is visited once.
    async paint(start, end) {
      while (next < root.children.length && (root.children[next]?.position.start ?? 0) < start) next += 1
      const first = next
      while (next < root.children.length && (root.children[next]?.position.start ?? 0) < end) next += 1
      const part: Root = { ...root, children: root.children.slice(first, next) }
      painted += 1
      const { html } = await addresses.render(() =>
        toHtml(part, {
          ...addresses.resolversOf(''),
          ...(variables === undefined ? {} : { variables }),
          idPrefix: `${side}${painted}.`,
        }),
      )
      // Frontmatter and comments render to nothing, so their source is shown.
      return html === '' ? { text: markdown.slice(start, end).trim() } : { html }
    },
  }
}
