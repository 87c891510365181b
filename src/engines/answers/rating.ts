// How much of what was asked for a piece of a section has: its own words first, then those of its neighbours and of the
// headings that it stands below.
import type { Block, Section, Weights } from './answer.ts'
import type { Analyse, Question } from './question.ts'

export type Piece = { readonly text: string; readonly markdown: string }

export type Rated = {
  readonly section: number
  readonly block: number
  readonly piece: number
  readonly score: number
  /** 0 to 1. */
  readonly coverage: number
}

// What a word counts that stands in a heading above a piece, or beside it, and not in the piece itself.
const IN_HEADING = 0.85
const IN_TITLE = 0.7
const BESIDE = 0.6
// Words of a long piece that stand far apart say little together: it is read in stretches of so many words.
const STRETCH_WORDS = 40
// What the place of its section among those that were found adds to a piece that has every word.
const FOUND = 0.5
const OWN = 0.5
const KIND_FITS = 0.15

type Read = { readonly block: number; readonly piece: number; readonly text: string; readonly words: Words }
/** Those of the question that stand in a text. */
type Words = ReadonlySet<string>

/** Every piece that has any of the words, best first. */
export function ratePieces(
  question: Question,
  weights: Weights,
  sections: readonly Section[],
  analyse: Analyse,
): Rated[] {
  const wanted = new Map(question.terms.map(({ word }) => [word, weights.get(word) ?? 0]))
  const wordOf = new Map(question.terms.flatMap(({ word, keys }) => Array.from(keys, key => [key, word])))
  const total = sum(wanted.values())
  if (total === 0) return []
  const weigh = (words: Iterable<string>) => sum([...words].map(word => wanted.get(word) ?? 0))
  const wordsIn = (text: string, language: string | null): Words => {
    const found: { word: string; at: number }[] = []
    let count = 0
    for (const { key } of analyse(text, language)) {
      count += 1
      const word = wordOf.get(key)
      if (word !== undefined) found.push({ word, at: count })
    }
    return count <= STRETCH_WORDS ? new Set(found.map(({ word }) => word)) : bestStretch(found, weigh)
  }
  const bestScore = Math.max(...sections.map(({ score }) => score), Number.MIN_VALUE)
  return sections
    .flatMap(({ title, heading, language, score, blocks }, section) => {
      const inTitle = wordsIn(title, language)
      const inHeading = wordsIn(heading, language)
      const pieces = blocks.flatMap((block, place) =>
        block.pieces.map(
          ({ text }, index): Read => ({
            block: place,
            piece: index,
            text,
            words: wordsIn(text, language),
          }),
        ),
      )
      return pieces.map(({ block, piece, words, text }, at) => {
        const isBeside = (word: string) => pieces[at - 1]?.words.has(word) || pieces[at + 1]?.words.has(word)
        let covered = 0
        for (const [word, weight] of wanted) {
          if (words.has(word)) covered += weight
          else if (inHeading.has(word)) covered += IN_HEADING * weight
          else if (inTitle.has(word)) covered += IN_TITLE * weight
          else if (isBeside(word)) covered += BESIDE * weight
        }
        const coverage = covered / total
        const fit = fits(question, blocks[block] as Block, text, inHeading, words) ? KIND_FITS : 0
        const own = (OWN * weigh(words)) / total
        return {
          ...{ section, block, piece, coverage },
          score: coverage * (1 + (FOUND * score) / bestScore) + own + fit,
        }
      })
    })
    .filter(({ coverage }) => coverage > 0)
    .sort((a, b) => b.score - a.score || a.section - b.section || a.block - b.block || a.piece - b.piece)
}

/** The words that stand together in the stretch with most of what is asked for. */
function bestStretch(
  found: readonly { readonly word: string; readonly at: number }[],
  weigh: (words: Iterable<string>) => number,
): Words {
  const inside = new Map<string, number>()
  let best: Words = new Set()
  let most = 0
  let first = 0
  for (const { word, at } of found) {
    inside.set(word, (inside.get(word) ?? 0) + 1)
    for (; (found[first]?.at ?? at) <= at - STRETCH_WORDS; first++) {
      const left = found[first]?.word ?? ''
      const count = (inside.get(left) ?? 1) - 1
      if (count === 0) inside.delete(left)
      else inside.set(left, count)
    }
    const weight = weigh(inside.keys())
    if (weight <= most) continue
    most = weight
    best = new Set(inside.keys())
  }
  return best
}

const DEFINES =
  /(?<!\p{L})(?:is|are|means|refers to|allows?|lets|enables?|ist|sind|bedeutet|est|sont|es|son|è|sono|é|são|är|это)(?!\p{L})|是|指|用于/iu
const PLACE =
  /(?<!\p{L})(?:in|under|at|from|navigate|menu|tab|page|panel|settings|click|unter|dans|en|in|в)(?!\p{L})|在|点击|页面/iu
const AMOUNT =
  /\d|(?<!\p{L})(?:one|two|three|four|five|six|seven|eight|nine|ten|zwei|drei|vier|deux|trois|dos|tres|due|tre|dois|twee|drie|два|три|unlimited|no limit|never|always)(?!\p{L})|[两三四五六七八九十]|无限|不限/iu

/** Whether a piece is of the kind that a question of this kind is answered with. */
function fits({ kind }: Question, block: Block, text: string, inHeading: Words, words: Words): boolean {
  if (words.size === 0) return false
  if (kind === 'how') return block.kind === 'steps' || (block.kind === 'code' && inHeading.size > 0)
  if (kind === 'what') return block.kind === 'prose' && DEFINES.test(text)
  if (kind === 'where') return PLACE.test(text)
  if (kind === 'amount') return block.kind !== 'code' && AMOUNT.test(text)
  return false
}

const sum = (values: Iterable<number>): number => {
  let all = 0
  for (const value of values) all += value
  return all
}
