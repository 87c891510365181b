// How much of the question a piece of a section covers: first by its own words, then by those of its neighbours and the
// headings above it.
import { type Matched, matcher } from './matching.ts'
import type { Analyse, Question } from './question.ts'
import type { Block, Section } from './sections.ts'

export type Rated = {
  readonly section: number
  readonly block: number
  readonly piece: number
  readonly score: number
  /** 0 to 1. */
  readonly coverage: number
}

// The weight of a word that is in a heading above a piece, or next to the piece, but not in the piece itself.
const NEARBY = { heading: 0.85, title: 0.6, neighbour: 0.5 } as const
// A question for a number needs a number, and code contains words that it does not explain.
const UNLIKELY = { withoutAmount: 0.75, inCode: 0.75 } as const
// The bonuses of a piece that has every word: for the rank of its section, for its own words, and for its kind.
const BONUS = { rank: 0.8, ownWords: 0.3, kind: 0.15 } as const

type Read = {
  readonly block: number
  readonly piece: number
  readonly kind: Block['kind']
  readonly text: string
  readonly matched: Matched
}

/** Every piece that has any of the words, best first. */
export function ratePieces(question: Question, sections: readonly Section[], analyse: Analyse): Rated[] {
  // With square roots, the rarest of several words does not decide alone.
  const terms = question.terms.map(({ weight }) => Math.sqrt(weight))
  const total = sum(terms)
  if (total === 0) return []
  const match = matcher(question, analyse)
  const bestScore = Math.max(...sections.map(({ score }) => score), Number.MIN_VALUE)
  return sections
    .flatMap(({ title, heading, language, score, blocks }, section) => {
      const inTitle = match(title, language)
      const inHeading = match(heading, language)
      const pieces = blocks.flatMap((block, place) =>
        block.pieces.map(
          ({ text }, index): Read => ({
            ...{ block: place, piece: index, kind: block.kind, text },
            matched: match(text, language),
          }),
        ),
      )
      return pieces.map(({ block, piece, kind, matched, text }, at) => {
        const [before, after] = [pieces[at - 1]?.matched, pieces[at + 1]?.matched]
        let covered = 0
        let own = 0
        for (const [place, weight] of terms.entries()) {
          const here = matched.get(place) ?? 0
          own += weight * here
          const best = Math.max(
            here,
            NEARBY.heading * (inHeading.get(place) ?? 0),
            NEARBY.title * (inTitle.get(place) ?? 0),
            NEARBY.neighbour * (before?.get(place) ?? 0),
            NEARBY.neighbour * (after?.get(place) ?? 0),
          )
          covered += weight * best
        }
        const coverage = (covered / total) * shareOf(question, kind, text)
        const fit = fits(question, kind, text, inHeading, matched) ? BONUS.kind : 0
        return {
          ...{ section, block, piece, coverage },
          score: coverage * (1 + (BONUS.rank * score) / bestScore) + (BONUS.ownWords * own) / total + fit,
        }
      })
    })
    .filter(({ coverage }) => coverage > 0)
    .sort((a, b) => b.score - a.score || a.section - b.section || a.block - b.block || a.piece - b.piece)
}

const DEFINES =
  /(?<!\p{L})(?:is|are|means|refers to|allows?|lets|enables?|ist|sind|bedeutet|est|sont|es|son|è|sono|é|são|är|это)(?!\p{L})|是|指|用于/iu
const PLACE =
  /(?<!\p{L})(?:in|under|at|from|navigate|menu|tab|page|panel|settings|click|unter|dans|en|in|в)(?!\p{L})|在|点击|页面/iu
const AMOUNT =
  /\d|(?<!\p{L})(?:one|two|three|four|five|six|seven|eight|nine|ten|hundreds?|thousands?|millions?|half|once|twice|zwei|drei|vier|deux|trois|dos|tres|due|tre|dois|twee|drie|два|три|unlimited|no limit|never|always|immediately|instantly|daily|weekly|monthly|yearly|(?:every|each|per) (?:second|minute|hour|day|week|month|year|time)|täglich|sofort|immédiatement|inmediatamente)(?!\p{L})|[两三四五六七八九十百千万半]|一[天周年次个]|每[天周月年次]|无限|不限|立即|马上|从不/iu

/** Less than 1 for a piece of a kind that hardly ever answers such a question. */
const shareOf = (question: Question, kind: Block['kind'], text: string): number =>
  (question.kind === 'amount' && !AMOUNT.test(text) ? UNLIKELY.withoutAmount : 1) *
  (question.kind !== 'how' && kind === 'code' ? UNLIKELY.inCode : 1)

/** Whether a piece is of a kind that answers a question of this kind. */
function fits(
  question: Question,
  kind: Block['kind'],
  text: string,
  inHeading: Matched,
  matched: Matched,
): boolean {
  if (matched.size === 0) return false
  switch (question.kind) {
    case 'how':
      return kind === 'steps' || (kind === 'code' && inHeading.size > 0)
    case 'what':
      return kind === 'prose' && DEFINES.test(text)
    case 'where':
      return PLACE.test(text)
    case 'amount':
      return kind !== 'code' && AMOUNT.test(text)
    case 'other':
      return false
  }
}

const sum = (values: Iterable<number>): number => {
  let all = 0
  for (const value of values) all += value
  return all
}
