// The state of one page while it is rendered: ids that are taken, footnotes, code to colour, bounds that are left.
import type { Element } from 'hast'
import { headingLevel, placeIds } from '../page/page.ts'
import {
  childrenOf,
  type FootnoteDefinition,
  footnotesOf,
  isInline,
  type Node,
  type Root,
  toBlocks,
} from '../syntax/syntax.ts'
import { renderBlock } from './blocks.ts'
import { type Child, el, flat, type Hast, icon, text } from './build.ts'
import type { CodeBlock, HighlightedCode } from './highlight.ts'
import { renderInline } from './inlines.ts'
import type { HtmlOptions, HtmlOutlineEntry, HtmlProblem } from './options.ts'
import type { Part, PartHole } from './parts.ts'
import type { Scope } from './scope.ts'

/** The parser nests 100 deep at most, and included content adds its own; deeper than this shows nothing. */
const DEPTH_MAX = 400

/** Nodes of one page with everything it includes. The largest page of the corpora has some 5,000. */
const NODES_MAX = 100_000

const OUTLINE_LEVEL_MAX = 3
/** Of the page's title, which the reader draws. */
const TITLE_LEVEL = 1
const INCLUDE_DEPTH_MAX = 4
const INCLUDES_MAX = 200
const PROBLEMS_MAX = 200
const FOOTNOTES_MAX = 2_000
const FOOTNOTE_USES_MAX = 100

export type PageScope = ReturnType<typeof createPageScope>

export function createPageScope(root: Root, options: HtmlOptions) {
  const taken = new Set<string>()
  const ids = placeIds(root, taken)
  const codes: { readonly block: CodeBlock; fill(code: HighlightedCode): void }[] = []
  const parts: { readonly part: Part; readonly hole: PartHole }[] = []
  const outline: HtmlOutlineEntry[] = []
  const problems: HtmlProblem[] = []
  const notes = new Map(
    footnotesOf(root)
      .reverse()
      .map(note => [note.identifier, note]),
  )
  const noteUses = new Map<string, NoteUses>()
  const including: string[] = []
  let includes = 0
  let depth = 0
  let nodes = 0
  let numbers = 0
  let titleIsDue = options.pageTitle !== undefined

  /** Every node passes here once: the bounds hold for whatever a page nests or includes. */
  const visit = (render: () => Child): Child => {
    nodes++
    if (nodes > NODES_MAX || depth >= DEPTH_MAX) return null
    depth++
    try {
      return render()
    } finally {
      depth--
    }
  }

  const report: Scope['report'] = (code, message, at) => {
    if (problems.length >= PROBLEMS_MAX) return
    problems.push(including.length > 0 ? { code, message } : { code, message, position: at.position })
  }

  /** Given once: what is shown in two places has its id in the first of them. */
  const takeId = (node: Node): string | undefined => {
    const id = ids.get(node)
    ids.delete(node)
    return id
  }

  /** Written levels of the headings that the next one may be below, outermost first. */
  const above: number[] = []
  const nextLevel = (level: number): number => {
    while ((above.at(-1) ?? 0) >= level) above.pop()
    return above.push(level) + TITLE_LEVEL
  }

  const names = new Map<string, number>()
  const uniqueName = (wanted: string): string => {
    const uses = (names.get(wanted) ?? 0) + 1
    names.set(wanted, uses)
    return uses === 1 ? wanted : uniqueName(`${wanted}, ${uses}`)
  }

  const createScope = (now: HtmlOptions): Scope => {
    const scope: Scope = {
      options: now,
      blocks: children =>
        flat(toBlocks(children).map(node => (isTitle(node) ? null : visit(() => renderBlock(node, scope))))),
      inlines: children => flat(children.map(node => visit(() => renderInLine(node, scope)))),
      lineOrBlocks: children => {
        if (children.every(isInline)) return scope.inlines(children)
        const blocks = toBlocks(children)
        const [only] = blocks
        return blocks.length === 1 && only !== undefined && isPlainParagraph(only)
          ? scope.inlines(childrenOf(only))
          : scope.blocks(blocks)
      },
      report,
      headingId: (heading, words) => {
        const id = takeId(heading) ?? `section:${++numbers}`
        const level = headingLevel(heading)
        if (level <= OUTLINE_LEVEL_MAX && words !== '') outline.push({ id, text: words, level })
        return id
      },
      takeId,
      nextLevel,
      uniqueName,
      nextNumber: () => ++numbers,
      addPart: (part, hole) => parts.push({ part, hole }) - 1,
      addCode: (block, fill) => codes.push({ block, fill }),
      useFootnote: identifier => {
        if (!notes.has(identifier)) return undefined
        const known = noteUses.get(identifier)
        if (known === undefined && noteUses.size >= FOOTNOTES_MAX) return undefined
        const note = known ?? { number: noteUses.size + 1, uses: 0 }
        noteUses.set(identifier, note)
        return { number: note.number, use: note.uses++ }
      },
      include: (destination, at) => {
        const content = now.reusable?.(destination)
        if (content === undefined) {
          report('missing_content', `There is no reusable content at ${destination.slice(0, 200)}`, at)
          return []
        }
        if (
          including.length >= INCLUDE_DEPTH_MAX ||
          including.includes(destination) ||
          ++includes > INCLUDES_MAX
        ) {
          report('nested_content', `Reusable content is nested too deep at ${destination.slice(0, 200)}`, at)
          return []
        }
        including.push(destination)
        const { resolveLink = now.resolveLink, resolveImage = now.resolveImage, source = '' } = content
        for (const [node, id] of placeIds(content.root, taken)) ids.set(node, id)
        const inner = createScope({ ...now, resolveLink, resolveImage, source })
        const blocks = inner.blocks(content.root.children)
        including.pop()
        return blocks
      },
    }
    return scope
  }

  /** The page's own title, once, before any other heading. */
  const isTitle = (node: Node): boolean => {
    if (!titleIsDue || node.type !== 'heading' || including.length > 0) return false
    titleIsDue = false
    return node.depth === 1 && sameTitle(plainText(node), options.pageTitle ?? '')
  }

  const scope = createScope(options)
  return {
    scope,
    codes,
    parts,
    outline,
    problems,
    /** The notes below the page; called once, after the body. */
    renderFootnotes: () => renderNotes(notes, noteUses, scope),
    /** Whether a bound ended the page early. */
    isCut: (): boolean => {
      if (nodes > NODES_MAX) report('too_long', 'The page is longer than the reader shows', root)
      return nodes > NODES_MAX
    },
  }
}

/** A paragraph, in Markdown or HTML, that says nothing of itself. */
const isPlainParagraph = (node: Node): boolean =>
  node.type === 'paragraph' ||
  (node.type === 'element' && node.name === 'p' && Object.keys(node.attributes).length === 0)

/** A block in a line (`<strong><div>`) is rendered in its place; nesting.ts makes it valid. */
const renderInLine = (node: Node, scope: Scope): Child =>
  isInline(node) ? renderInline(node, scope) : scope.blocks([node])

/** The number of a note, in the order of first use, and how often it is used. */
type NoteUses = { readonly number: number; uses: number }

/** Notes may use notes: each is rendered once, in the order of first use, until none is new. */
function renderNotes(
  notes: ReadonlyMap<string, FootnoteDefinition>,
  uses: ReadonlyMap<string, NoteUses>,
  scope: Scope,
): Hast[] {
  const items = new Map<Element, NoteUses>()
  for (const [identifier, use] of uses)
    items.set(el('li', { id: `fn:${use.number}` }, scope.blocks(notes.get(identifier)?.children ?? [])), use)
  if (items.size === 0) return []
  // What notes use is counted once all are rendered.
  for (const [item, { number, uses: count }] of items) appendReturns(item, number, count)
  const look = { className: 'footnotes', role: 'doc-endnotes', ariaLabel: 'Footnotes' }
  return [el('section', look, el('ol', {}, [...items.keys()]))]
}

/** One way back for every place that uses the note, at the end of its last line. */
function appendReturns(item: Element, number: number, uses: number): void {
  const last = item.children.at(-1)
  const line = last?.type === 'element' && last.tagName === 'p' ? last : item
  for (let use = 0; use < Math.min(uses, FOOTNOTE_USES_MAX); use++) {
    const suffix = use === 0 ? '' : `.${use + 1}`
    const ariaLabel = `Back to footnote ${number} in the text`
    const look = { href: `#fnref:${number}${suffix}`, className: 'footnote-back', ariaLabel }
    line.children.push(text(' '), el('a', look, icon('arrow-up')))
  }
}

function plainText(node: Node): string {
  if ('value' in node) return node.value
  return childrenOf(node).map(plainText).join('')
}

const sameTitle = (heading: string, title: string): boolean => squeeze(heading) === squeeze(title)

const squeeze = (words: string): string => words.normalize('NFC').replace(/\s+/gu, ' ').trim()
