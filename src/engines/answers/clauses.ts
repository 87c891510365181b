// A sentence in clauses: the telling words of each, in order, and the words that turn what it says.
import { isFunctionWord } from './asking-words.ts'
import { isOperatorWord, type Operators, operatorsIn } from './operators.ts'
import { isParticle } from './particles.ts'
import { isQuantityWord, type Quantity, quantitiesIn, withoutUnits } from './quantities.ts'
import type { Analyse } from './question.ts'

/** A telling word, or a number. `at`: its position in the sentence. */
export type Token = { readonly key: string; readonly word: string; readonly at: number }

/** A word such as "off", and the telling word before it. */
export type Particle = { readonly particle: string; readonly behind: Token }

export type Clause = {
  readonly text: string
  readonly tokens: readonly Token[]
  /** Words that join a subject to what is said of it; their keys are of no telling word. */
  readonly joints: readonly Token[]
  readonly particles: readonly Particle[]
  readonly operators: Operators
  readonly quantities: readonly Quantity[]
  /** Whoever does it, where that comes after "by". */
  readonly agent: string | undefined
}

const JOINING =
  'and|but|or|because|so|which|that|who|while|whereas|although|if|unless|when|whenever|then|und|aber|oder|weil|sodass|dass|wenn|falls|sobald|während|et|mais|ou|si|quand|y|pero|o|cuando|ma|quando|mas|maar|och|и|но|если'
const BOUNDARY = new RegExp(
  `[,;:](?=\\s|$)|[()—–]|\\.(?=\\s)|[，；：。、！？（）]|(?<![\\p{L}\\p{M}'’-])(?=(?:${JOINING})(?![\\p{L}\\p{M}'’-]))`,
  'giu',
)

/** Cut where a clause may end: in a list the items are clauses, too. */
export function clausesOf(sentence: string, language: string | null, analyse: Analyse): Clause[] {
  const clauses: Clause[] = []
  let at = 0
  for (const text of sentence.split(BOUNDARY)) {
    if (text.trim() === '') continue
    const tokens: Token[] = []
    const joints: Token[] = []
    const particles: Particle[] = []
    for (const { word, key } of analyse(withoutUnits(text), language)) {
      at += 1
      const behind = tokens.at(-1)
      if (behind !== undefined && isParticle(word)) particles.push({ particle: word, behind })
      if (isTelling(word, language)) tokens.push({ word, key, at })
      else if (JOINTS.has(word)) joints.push({ word, key: `=${word}`, at })
    }
    clauses.push({
      text,
      tokens,
      joints,
      particles,
      operators: operatorsIn(text),
      quantities: quantitiesIn(text),
      agent: agentIn(text, language, analyse),
    })
  }
  return clauses
}

const AGENT = /(?<!\p{L})(?:by|durch|von|vom|par|por|da|door|av)(?!\p{L})|被|由|によって/iu

function agentIn(text: string, language: string | null, analyse: Analyse): string | undefined {
  const place = AGENT.exec(text)
  if (place === null) return undefined
  for (const { word, key } of analyse(text.slice(place.index + place[0].length), language))
    if (isTelling(word, language)) return key
  return undefined
}

const JOINTS: ReadonlySet<string> = new Set(
  'is are was were has have had ist sind war waren hat haben est sont es son'.split(' '),
)

const isTelling = (word: string, language: string | null): boolean =>
  !isOperatorWord(word) && !isQuantityWord(word) && !isFunctionWord(word, language)
