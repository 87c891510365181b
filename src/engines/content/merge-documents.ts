// Three-way merge of two versions of a document: over its blocks, which block-diff.ts identifies, then over the lines
// of a block that both changed. So a section that one side moved takes along what the other wrote in it, and adjacent
// paragraphs do not conflict. merge-clashes.ts finds what must not be merged silently.

import type { SplitBlocks } from './block-diff.ts'
import { type Block, withoutMargins } from './block-pairs.ts'
import { BASE, FRONTMATTER, type Pieces, readPieces, readSide } from './document-pieces.ts'
import { type Budget, inHalves, newDocumentBudget } from './merge-budget.ts'
import { type Clash, findClashes } from './merge-clashes.ts'
import type { SettleBlock } from './merge-conflicts.ts'
import { withMergedFrontmatter } from './merge-frontmatter.ts'
import type { SideName } from './merge-gaps.ts'
import { hasStrayLines, mergeChanged, mergeInPlace } from './merge-line-places.ts'
import { type Merged, mergeLists } from './merge-lists.ts'
import { mergeMargin } from './merge-margins.ts'
import { withMovedSections } from './merge-moves.ts'
import { findStrays } from './merge-places.ts'
import { findStretches, type Members } from './merge-stretches.ts'
import { mergeApart } from './merge-text.ts'
import type { Placed } from './outline.ts'
import { withoutFrames } from './text-frames.ts'
import { mapVersions, type Versions } from './versions.ts'

/**
 * The merged document. Insertions of both sides at one place are both kept, in an order that does not depend on the
 * side, and equal ones once. Blocks keep the bytes between them; blocks that were not adjacent in any version are
 * separated by a blank line.
 */
export function mergeDocuments(
  versions: Versions,
  split: SplitBlocks,
  settle: SettleBlock,
  budget: Budget = newDocumentBudget(),
): string {
  const { versions: unframed, restore } = withoutFrames(versions)
  const oneSided = textOfOneSide(unframed)
  if (oneSided !== undefined) return restore(oneSided)
  const blocks = splitOnce(split)
  const texts = withMergedFrontmatter(unframed, blocks, settle, budget)
  // Changes separated by a line that both sides kept merge by lines as they would by blocks.
  const apart = mergeApart(texts, budget)
  const isPlaced = apart !== undefined && !hasStrayLines(texts, apart.parts, blocks)
  if (isPlaced && apart.isSure) return restore(apart.text)
  const { merge, isAmbiguous } = mergeBlocks(readVersions(texts, blocks, budget), budget)
  // Blocks may take repeated text for moved text; then lines can merge what blocks cannot.
  if (isPlaced && merge.hasConflicts && !isAmbiguous) return restore(apart.text)
  merge.settle(settle)
  return restore(merge.toText())
}

function textOfOneSide({ base, ours, theirs }: Versions): string | undefined {
  if (ours === theirs || theirs === base) return ours
  return ours === base ? theirs : undefined
}

/** Caches the blocks of each text. */
function splitOnce(split: SplitBlocks): SplitBlocks {
  const known = new Map<string, readonly Block[]>()
  return text => {
    const found = known.get(text) ?? split(text)
    known.set(text, found)
    return found
  }
}

function readVersions(texts: Versions, blocks: SplitBlocks, budget: Budget): Versions<Pieces> {
  const base = readPieces(BASE, texts.base, blocks)
  const [ours, theirs] = inHalves(budget, (half, other) => [
    readSide('o', { base: texts.base, side: texts.ours }, blocks, half),
    readSide('t', { base: texts.base, side: texts.theirs }, blocks, other),
  ])
  return { base, ours, theirs }
}

// Each round may widen a conflict or find another. After this many, the document is one conflict as a whole.
const ROUNDS_MAX = 4

/** Merges blocks. What belongs to an insertion that has no place in the result is one block, and so a conflict. */
function mergeBlocks(
  versions: Versions<Pieces>,
  budget: Budget,
): { readonly merge: BlockMerge; readonly isAmbiguous: boolean } {
  let stretches: readonly Members[] = []
  let isAmbiguous = false
  for (let round = 1; ; round++) {
    const merge = new BlockMerge(versions, stretches, budget)
    if (round > ROUNDS_MAX) return { merge, isAmbiguous }
    const found = findStrays(versions, side => merge.placedBy(side))
    const strays = [...found.strays, ...found.ambiguous]
    if (strays.length === 0) return { merge, isAmbiguous }
    isAmbiguous ||= found.ambiguous.length > 0
    const known = stretches.map(({ base, ours, theirs }) => [...base, ...ours, ...theirs])
    const wider = round < ROUNDS_MAX ? findStretches(versions, [...known, ...strays]) : undefined
    const isWhole = wider === undefined || wider.some(({ base }) => base.length === 0)
    stretches = isWhole ? [wholeOf(versions)] : wider
  }
}

const wholeOf = (versions: Versions<Pieces>): Members =>
  mapVersions(versions, ({ ids }) => ids.filter(id => id !== FRONTMATTER))

const stretchId = (at: number): string => `s${at}`

function joinAll(versions: Versions<Pieces>, stretches: readonly Members[]): Versions<Pieces> {
  const groups = (side: keyof Versions) =>
    stretches.map((members, at) => ({ id: stretchId(at), members: members[side] }))
  return {
    base: versions.base.join(groups('base')),
    ours: versions.ours.join(groups('ours')),
    theirs: versions.theirs.join(groups('theirs')),
  }
}

/** Three versions as pieces, and the result for each piece. */
class BlockMerge {
  #pieces: Versions<Pieces>
  readonly #budget: Budget
  /** The merged texts of blocks of the base and of clashes. */
  readonly #texts = new Map<string, string>()
  readonly #disputed = new Set<string>()
  readonly #clashes = new Set<string>()
  /** Stretches that are not merged within. */
  readonly #whole: ReadonlySet<string>
  /** Conflicts. */
  readonly #open: { readonly id: string; readonly key: string; readonly runs: Runs }[] = []

  constructor(versions: Versions<Pieces>, stretches: readonly Members[], budget: Budget) {
    this.#pieces = withMovedSections(joinAll(versions, stretches))
    this.#whole = new Set(stretches.map((_, at) => stretchId(at)))
    this.#budget = budget
    for (const id of this.#pieces.base.ids) this.#mergeKept(id)
    const { clashes, pieces } = findClashes(
      this.#pieces,
      { disputed: this.#disputed, whole: this.#whole },
      budget,
    )
    this.#pieces = pieces
    for (const id of pieces.base.ids) {
      if (pieces.ours.has(id) && pieces.theirs.has(id)) continue
      this.#texts.delete(id)
      this.#disputed.delete(id)
    }
    for (const at of clashes.keys()) this.#clashes.add(clashId(at))
    this.#join(clashes)
  }

  #mergeKept(id: string): void {
    const { base, ours, theirs } = this.#pieces
    const [b, o, t] = [base.get(id).bare, ours.piece(id)?.bare, theirs.piece(id)?.bare]
    if (o === undefined || t === undefined) return
    const isOneSided = o === t || o === b || t === b
    const text =
      this.#whole.has(id) && !isOneSided
        ? undefined
        : mergeChanged({ base: b, ours: o, theirs: t }, this.#budget)
    if (text === undefined) this.#disputed.add(id)
    else this.#texts.set(id, text)
  }

  get hasConflicts(): boolean {
    return this.#open.length > 0
  }

  settle(settle: SettleBlock): void {
    for (const { id, key, runs } of this.#open) this.#decide(id, settled(key, runs, settle))
  }

  /** Joins each clash into one piece, and merges it by lines if possible. */
  #join(clashes: readonly Clash[]): void {
    const { base, ours, theirs } = this.#pieces
    const groups = (side: keyof Versions) =>
      clashes.map(({ runs }, at) => ({ id: clashId(at), members: runs[side] }))
    this.#pieces = {
      base: base.join(groups('base')),
      ours: ours.join(groups('ours')),
      theirs: theirs.join(groups('theirs')),
    }
    for (const [at, { key, runs: members, isForLines }] of clashes.entries()) {
      const id = clashId(at)
      const runs = runsOf(this.#pieces, id)
      const text = isForLines ? mergeRuns(runs, this.#budget) : undefined
      if (text === undefined) this.#open.push({ id, key, runs })
      else this.#decide(id, text)
      for (const member of members.base) {
        this.#texts.delete(member)
        this.#disputed.delete(member)
      }
    }
    // Blocks that one side moved and both changed.
    for (const id of this.#disputed)
      this.#open.push({ id, key: base.get(id).key, runs: runsOf(this.#pieces, id) })
  }

  #decide(id: string, text: string | null): void {
    if (text !== null) this.#texts.set(id, text)
  }

  toText(): string {
    return join(this.#order(new Set()), this.#texts, this.#pieces)
  }

  /** The blocks of the result, in terms of one side. */
  placedBy(side: SideName): Placed {
    const { base, ours, theirs } = this.#pieces
    const [own, other] = side === 'ours' ? [ours, theirs] : [theirs, ours]
    const membersOf = ({ id }: Merged): readonly string[] => {
      const [mine, others, before] = [own.piece(id), other.piece(id), base.piece(id)]
      // What the other side wrote behind a block that was moved goes with it.
      if (mine?.members.length === 1 && before?.members[0] === id) return (others ?? mine).members
      return (mine ?? others ?? before)?.members ?? []
    }
    // A twin may be a block of the base that one side moved, and that the other has as well, elsewhere.
    const membersIn = (name: SideName, { id, twin = id }: Merged): readonly string[] =>
      (name === 'ours' ? ours.piece(id) : theirs.piece(twin))?.members ?? []
    const open = this.#open.map(({ id }) => id)
    const order = this.#order(new Set(open))
    const twins = new Map<string, string>()
    for (const one of order) {
      if (one.twin === undefined) continue
      const [mine, others] = [membersIn(side, one), membersIn(side === 'ours' ? 'theirs' : 'ours', one)]
      if (mine.length !== others.length) continue
      for (const [at, member] of mine.entries()) twins.set(member, others[at] ?? member)
    }
    return {
      order: order.flatMap(one => (one.twin === undefined ? membersOf(one) : membersIn(side, one))),
      open: new Set(open.flatMap(id => membersOf({ id }))),
      twins,
    }
  }

  #order(open: ReadonlySet<string>): Merged[] {
    const { base, ours, theirs } = this.#pieces
    return mergeLists({
      base: base.ids,
      ours: ours.ids,
      theirs: theirs.ids,
      isKept: id => this.#texts.has(id) || open.has(id) || (!base.has(id) && !this.#clashes.has(id)),
      rankOf: id => this.#rankOf(id),
      levelOf: id => (ours.piece(id) ?? theirs.piece(id) ?? base.get(id)).level,
      budget: this.#budget,
    })
  }

  #rankOf(id: string): string {
    const { base, ours, theirs } = this.#pieces
    const piece = ours.piece(id) ?? theirs.piece(id) ?? base.get(id)
    // Frontmatter has to come first.
    return (piece.type === FRONTMATTER ? '0' : '1') + (this.#texts.get(id) ?? piece.bare)
  }
}

const clashId = (at: number): string => `c${at}`

type Runs = Versions<string | null>

const runsOf = ({ base, ours, theirs }: Versions<Pieces>, id: string): Runs => ({
  base: base.piece(id)?.bare ?? null,
  ours: ours.piece(id)?.bare ?? null,
  theirs: theirs.piece(id)?.bare ?? null,
})

/** Merges whole runs by lines, null for an empty result; undefined if both changed adjacent lines. */
function mergeRuns({ base, ours, theirs }: Runs, budget: Budget): string | null | undefined {
  const lines = (run: string | null): string => (run === null ? '' : `${run}\n`)
  const text = mergeInPlace({ base: lines(base), ours: lines(ours), theirs: lines(theirs) }, budget)
  if (text === undefined) return undefined
  const bare = withoutMargins(text)
  return bare === '' ? null : bare
}

function settled(key: string, runs: Runs, settle: SettleBlock): string | null {
  const text = settle({ block: key, ...runs })
  if (text === undefined) return runs.ours
  // The blank lines around it are those of its place.
  const bare = withoutMargins(text ?? '')
  return bare === '' ? null : bare
}

function join(
  order: readonly Merged[],
  texts: ReadonlyMap<string, string>,
  sources: Versions<Pieces>,
): string {
  const parts: string[] = []
  for (const [i, { id, twin = id }] of order.entries()) {
    const margins = marginsOf(sources, id, twin)
    const bare = texts.get(id) ?? (sources.ours.piece(id) ?? sources.theirs.get(id)).bare
    const next = order[i + 1]
    if (next === undefined) {
      parts.push(margins.before, bare, endOf(sources, id, twin))
      break
    }
    parts.push(margins.before, bare, margins.after)
    if (isParted(sources, { id, twin }, next, margins.after)) continue
    const gap = margins.after + marginsOf(sources, next.id, next.twin ?? next.id).before
    parts.push('\n'.repeat(Math.max(0, 2 - countLineEnds(gap))))
  }
  return parts.join('')
}
/** Whether the two are adjacent on a side, with the same white space between them. */
function isParted(
  { base, ours, theirs }: Versions<Pieces>,
  { id, twin = id }: Merged,
  { id: next, twin: nextTwin = next }: Merged,
  after: string,
): boolean {
  return [base, ours, theirs].some(pieces =>
    [id, twin].some(
      one =>
        pieces.piece(one)?.after === after &&
        [next, nextTwin].some(follower => pieces.nextOf(one) === follower),
    ),
  )
}

function marginsOf({ base, ours, theirs }: Versions<Pieces>, id: string, twin: string) {
  const b = base.piece(id) ?? base.piece(twin)
  const o = ours.piece(id) ?? ours.piece(twin)
  const t = theirs.piece(twin) ?? theirs.piece(id)
  return {
    before: mergeMargin(b?.before, o?.before, t?.before),
    after: mergeMargin(b?.after, o?.after, t?.after),
  }
}

/**
 * The end of the document, whose last block is this. The white space between two blocks is never its end; nor is that
 * after a block which only one side still has.
 */
function endOf({ base, ours, theirs }: Versions<Pieces>, id: string, twin: string): string {
  const endsIn = ({ ids }: Pieces) => ids.at(-1) === id || ids.at(-1) === twin
  const [isOurs, isTheirs] = [endsIn(ours), endsIn(theirs)]
  if (isOurs !== isTheirs) return (isOurs ? ours : theirs).lastMargin ?? ''
  return mergeMargin(base.lastMargin, ours.lastMargin, theirs.lastMargin)
}

function countLineEnds(text: string): number {
  let count = 0
  for (const sign of text) if (sign === '\n') count++
  return count
}
