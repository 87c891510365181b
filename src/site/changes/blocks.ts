// What differs between two texts of a page, block by block: blocks that came or went as readers would see them, and
// those that were rewritten with their words.
import { type Block, type BlockChange, diffDocuments } from '../../engines/content/block-diff.ts'
import { diffWords } from '../../engines/content/word-diff.ts'
import type { Root } from '../../engines/markdown/ast.ts'
import { blocks } from '../../engines/markdown/blocks.ts'
import type { HtmlOptions } from '../../engines/markdown/html/options.ts'
import { toHtml } from '../../engines/markdown/html.ts'
import { parseMarkdown } from '../../engines/markdown/parse.ts'
import { html } from '../html.ts'
import type { BlockView } from './view.ts'

/** One version of the page, and how its addresses are resolved. */
export type Version = { readonly text: string; readonly options: HtmlOptions }

// Each is rendered by itself; whoever rewrote more of one page reads the page instead.
const CHANGES_SHOWN_MAX = 300

/** The blocks in the order of the newer version, those that stayed in runs; and how many changes are not shown. */
export async function toBlockViews(
  before: Version,
  after: Version,
): Promise<{ blocks: BlockView[]; more: number }> {
  const changes = diffDocuments(before.text, after.text, blocks)
  const old = createPainter(before, 'before')
  const now = createPainter(after, 'after')
  const views: BlockView[] = []
  let shown = 0
  for (let at = 0; at < changes.length && shown < CHANGES_SHOWN_MAX; ) {
    const run = runFrom(changes, at)
    views.push(await toView(run, before.text, after.text, old, now))
    if (run[0]?.kind !== 'equal') shown += run.length
    at += run.length
  }
  const all = changes.filter(({ kind }) => kind !== 'equal').length
  return { blocks: views, more: all - shown }
}

/** Changes of one kind whose blocks follow each other; one that was rewritten stands by itself. */
function runFrom(changes: readonly BlockChange[], from: number): BlockChange[] {
  const first = changes[from] as BlockChange
  const run = [first]
  if (first.kind === 'modified') return run
  const lengthMax = first.kind === 'equal' ? changes.length : CHANGES_SHOWN_MAX
  for (let at = from + 1; at < changes.length && run.length < lengthMax; at += 1) {
    const next = changes[at] as BlockChange
    const last = run.at(-1) as BlockChange
    if (next.kind !== first.kind || shownOf(next).start !== shownOf(last).end) break
    run.push(next)
  }
  return run
}

/** The block that is shown: as it is now, or as it was where it went. */
const shownOf = (change: BlockChange): Block => (change.kind === 'removed' ? change.before : change.after)

async function toView(
  run: readonly BlockChange[],
  textBefore: string,
  textAfter: string,
  old: Painter,
  now: Painter,
): Promise<BlockView> {
  const first = run[0] as BlockChange
  if (first.kind === 'modified') {
    const before = textBefore.slice(first.before.start, first.before.end).trimEnd()
    const after = textAfter.slice(first.after.start, first.after.end).trimEnd()
    return { kind: 'modified', isMoved: first.isMoved, runs: diffWords(before, after) }
  }
  const painter = first.kind === 'removed' ? old : now
  const html = await painter.paint(shownOf(first).start, shownOf(run.at(-1) as BlockChange).end)
  return first.kind === 'equal' ? { kind: 'equal', count: run.length, html } : { kind: first.kind, html }
}

type Painter = { paint(start: number, end: number): Promise<string> }

/** Renders parts of a page, each with ids of its own. */
function createPainter({ text, options }: Version, name: string): Painter {
  const root = parseMarkdown(text)
  let next = 0
  let painted = 0
  return {
    // Parts are asked for in the order of the text, so each block is looked at once.
    async paint(start, end) {
      while (next < root.children.length && (root.children[next]?.position.start ?? 0) < start) next += 1
      const first = next
      while (next < root.children.length && (root.children[next]?.position.start ?? 0) < end) next += 1
      const part: Root = { ...root, children: root.children.slice(first, next) }
      painted += 1
      const rendered = await toHtml(part, { ...options, idPrefix: `${name}${painted}.` })
      // Frontmatter and comments have nothing to show but themselves.
      return rendered.html === '' ? html`<pre>${text.slice(start, end).trim()}</pre>`.markup : rendered.html
    },
  }
}
