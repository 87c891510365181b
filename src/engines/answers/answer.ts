// An answer made of whole quotations: which sections answer a question, and which parts of them are quoted. It adds no
// words of its own, and there is none if the documentation does not say.
import type { Analyse, Question } from './question.ts'
import { type Rated, ratePieces } from './rating.ts'
import type { Block, QuotablePiece, Section } from './sections.ts'

/** The quotation of one section, as Markdown. */
export type Part = { readonly section: number; readonly markdown: string }

export type Answer = {
  readonly parts: readonly Part[]
  /** How much of the question the answer covers, 0 to 1. */
  readonly coverage: number
}

const CHARACTERS_MAX = 2_400
const PARTS_MAX = 3
const SHARE_OF_NEXT_SECTION_MIN = 0.72
/** Below this the documentation does not say. */
const COVERAGE_MIN = 0.65

/** Undefined if the documentation does not say. */
export function answer(
  question: Question,
  sections: readonly Section[],
  analyse: Analyse,
): Answer | undefined {
  const rated = ratePieces(question, sections, analyse)
  const best = rated[0]
  if (best === undefined || best.coverage < COVERAGE_MIN) return undefined
  const parts: Part[] = []
  let room = CHARACTERS_MAX
  for (const [place, one] of sectionsOf(rated).entries()) {
    if (parts.length === PARTS_MAX || room <= 0) break
    if (place > 0 && one.score < SHARE_OF_NEXT_SECTION_MIN * best.score) break
    const section = sections[one.section]
    const markdown = section === undefined ? '' : quote(section, one, rated, question, room)
    if (markdown === '' || parts.some(part => part.markdown === markdown)) continue
    parts.push({ section: one.section, markdown })
    room -= markdown.length
  }
  return { parts, coverage: best.coverage }
}

/** The best piece of each section. */
function sectionsOf(rated: readonly Rated[]): Rated[] {
  const seen = new Set<number>()
  return rated.filter(({ section }) => !seen.has(section) && seen.add(section))
}

type Chosen = Map<number, Set<number>>

const PIECES_OF_SECTION_MAX = 8
// A piece that covers less than this share of what the best one covers is not quoted.
const SHARE_MIN = 0.5
// A shorter paragraph is quoted whole: its sentences explain each other.
const PARAGRAPH_CHARACTERS_MAX = 500

/** The most relevant pieces of a section, with what they need to be understood, in the order of the page. */
function quote(
  section: Section,
  best: Rated,
  rated: readonly Rated[],
  question: Question,
  room: number,
): string {
  const chosen: Chosen = new Map()
  let left = room
  const choose = (block: number, piece: number): void => {
    const places = chosen.get(block) ?? new Set()
    if (places.has(piece)) return
    const { markdown = '' } = section.blocks[block]?.pieces[piece] ?? {}
    if (markdown === '' || (markdown.length > left && chosen.size > 0)) return
    chosen.set(block, places.add(piece))
    left -= markdown.length
  }
  const good = rated.filter(one => one.section === best.section && one.score >= SHARE_MIN * best.score)
  for (const { block, piece } of good.slice(0, PIECES_OF_SECTION_MAX)) {
    choose(block, piece)
    const { kind, pieces = [] } = section.blocks[block] ?? {}
    const said = pieces[piece]
    if (said === undefined) continue
    if (kind === 'prose' && lengthOf(pieces) <= PARAGRAPH_CHARACTERS_MAX) chooseWhole(section, block, choose)
    if (kind === 'prose' && piece > 0 && leansOnPrevious(said)) choose(block, piece - 1)
    if (announcesNext(said) && piece === pieces.length - 1) chooseWhole(section, block + 1, choose)
    else if (question.kind === 'how' && section.blocks[block + 1]?.kind === 'code') choose(block + 1, 0)
    if (kind === 'code' || kind === 'steps' || kind === 'list') chooseLast(section, block - 1, choose)
  }
  return section.blocks
    .flatMap((block, at) => {
      const places = chosen.get(at)
      return places === undefined ? [] : write(block, places)
    })
    .join('\n\n')
}

const LIST_ITEMS_MAX = 12

function chooseWhole(section: Section, block: number, choose: (block: number, piece: number) => void): void {
  const pieces = section.blocks[block]?.pieces ?? []
  for (let piece = 0; piece < Math.min(pieces.length, LIST_ITEMS_MAX); piece++) choose(block, piece)
}

/** The sentence that introduces code, steps or a list. */
function chooseLast(section: Section, block: number, choose: (block: number, piece: number) => void): void {
  const before = section.blocks[block]
  if (before?.kind === 'prose') choose(block, before.pieces.length - 1)
}

const lengthOf = (pieces: readonly QuotablePiece[]): number =>
  pieces.reduce((sum, { text }) => sum + text.length, 0)

const announcesNext = ({ text }: QuotablePiece): boolean => /[:：]$/.test(text)

const leansOnPrevious = ({ text }: QuotablePiece): boolean =>
  /^(?:this|these|that|those|it|they|he|she|such|then|also|however|therefore|dies|diese|dann|cela|ceci|esto|это|这|它|该|此)(?!\p{L})/iu.test(
    text,
  )

function write({ kind, head, pieces }: Block, places: ReadonlySet<number>): string {
  const written = [...places].sort((a, b) => a - b).map(place => pieces[place]?.markdown ?? '')
  if (kind === 'prose') return written.join(' ')
  return [...(head === undefined ? [] : [head]), ...written].join('\n')
}
