// Whether a text supports a sentence. It is judged clause by clause: every telling word of a clause is in one sentence
// of the text, or is a synonym of one there; what a single word can falsify must match exactly: numbers with their
// units, code, terms, negations, conditions, quantities, and who does what to whom.
import { type Clause, clausesOf, type Token } from './clauses.ts'
import type { Place, ReadEvidence, Unit } from './evidence.ts'
import { addressesIn, codeIn, dense, denseSentence, namesIn, termKeysIn } from './marks.ts'
import { OF_CLAUSE, OF_SENTENCE, type Operator, type Operators, REPEATED } from './operators.ts'
import { oppositesOf } from './opposites.ts'
import { oppositeParticles } from './particles.ts'
import { saysBound, saysUpTo } from './quantities.ts'
import type { TextReader } from './text-reader.ts'
import { descendsBy } from './word-order.ts'

// One word claims nothing.
const KEYS_MIN = 2

/** Whether the evidence supports a sentence of an answer, which may have code in backticks. */
export function supports(evidence: ReadEvidence, sentence: string, reading: TextReader): boolean {
  if (codeIn(sentence).some(code => !evidence.dense.includes(dense(code)))) return false
  if (addressesIn(sentence).some(address => !evidence.dense.includes(dense(address)))) return false
  if (namesIn(sentence, evidence.language).some(name => !evidence.names.includes(name))) return false
  // A term that is translated or paraphrased is not the one in the passage.
  if (termKeysIn(sentence, evidence.language, reading).some(key => !evidence.terms.has(key))) return false
  const claim = joined(clausesOf(sentence, evidence.language, reading.analyse))
  const keys = new Set(claim.flatMap(({ tokens }) => tokens.map(({ key }) => key)))
  const quantities = claim.flatMap(one => one.quantities)
  if (keys.size === 0 || keys.size + quantities.length < KEYS_MIN) return false
  const same = denseSentence(sentence)
  const synonyms = new Map<string, ReadonlySet<string>>()
  for (const { tokens } of claim)
    for (const term of tokens)
      if (!synonyms.has(term.word))
        synonyms.set(term.word, new Set(reading.synonymsOf(term, evidence.language)))
  return evidence.units.some((unit, at) => unit.dense === same || isSaidIn(claim, evidence, at, synonyms))
}

/** A clause without telling words belongs to the one before it, or after it. */
function joined(clauses: readonly Clause[]): Clause[] {
  const all: Clause[] = []
  for (const clause of clauses) {
    const last = all.at(-1)
    if (last !== undefined && (clause.tokens.length === 0 || last.tokens.length === 0))
      all[all.length - 1] = {
        text: `${last.text} ${clause.text}`,
        tokens: [...last.tokens, ...clause.tokens],
        operators: operatorsOf([last, clause]),
        quantities: [...last.quantities, ...clause.quantities],
        joints: [...last.joints, ...clause.joints],
        particles: [...last.particles, ...clause.particles],
        agent: last.agent ?? clause.agent,
      }
    else all.push(clause)
  }
  return all
}

type Synonyms = ReadonlyMap<string, ReadonlySet<string>>

/** Whether each clause is said in the unit, or in the one that follows it. */
function isSaidIn(claim: readonly Clause[], evidence: ReadEvidence, at: number, synonyms: Synonyms): boolean {
  const { units, above } = evidence
  const parts: { readonly place: number; readonly clauses: Clause[] }[] = []
  for (const clause of claim) {
    const current = parts.at(-1)
    const place = [current?.place ?? at, at, at + 1].find(place => {
      const unit = units[place]
      if (unit === undefined) return false
      // A sentence joins another one with what it speaks of.
      const joins = place === (current?.place ?? at) || speaksOf(clause, unit, synonyms)
      return joins && fits(clause, unit, units[place - 1], above, synonyms)
    })
    if (place === undefined) return false
    const part = parts.find(one => one.place === place)
    if (part === undefined) parts.push({ place, clauses: [clause] })
    else part.clauses.push(clause)
  }
  return parts.every(({ place, clauses }) => {
    const unit = units[place]
    return unit !== undefined && turnsAlike(clauses, unit, synonyms, evidence.language)
  })
}

/** A clause of one word says it of something else, even if the unit begins with that word. */
const speaksOf = ({ tokens }: Clause, { subject, hasPronoun }: Unit, synonyms: Synonyms): boolean =>
  hasPronoun ||
  (tokens.length > 1 &&
    tokens.some(token => token.key === subject || synonyms.get(token.word)?.has(subject ?? '')))

/** Where the unit has a word or a synonym of it. */
function placeOf(token: Token, { places }: Unit, synonyms: Synonyms): Place | undefined {
  const own = places.get(token.key)
  if (own !== undefined) return own
  for (const synonym of synonyms.get(token.word) ?? []) {
    const place = places.get(synonym)
    if (place !== undefined) return place
  }
  return undefined
}

function fits(
  clause: Clause,
  unit: Unit,
  before: Unit | undefined,
  above: ReadonlySet<string>,
  synonyms: Synonyms,
): boolean {
  const touched = new Set<number>()
  let own = 0
  let named = 0
  for (const token of clause.tokens) {
    const place = placeOf(token, unit, synonyms)
    if (place !== undefined) {
      touched.add(place.clause)
      own += 1
      continue
    }
    // What the section is about, or a pronoun stands for, is named above.
    const isNamed = above.has(token.key) || (unit.hasPronoun && isSubject(token, before, own > 0))
    if (!isNamed || oppositesOf(token.word).some(word => unit.words.has(word))) return false
    named += 1
  }
  if (named > own || isTurnedRound(clause, unit, synonyms)) return false
  const source = unit.clauses.flatMap(({ quantities }) => quantities)
  if (!clause.quantities.every(one => source.some(other => isSameQuantity(one, other)))) return false
  if (saysUpTo(clause.text) && !unit.clauses.some(({ text }) => saysBound(text))) return false
  const has = operatorsOf(unit.clauses.filter((_, at) => touched.has(at)))
  const inSentence = operatorsOf(unit.clauses)
  return [...clause.operators.keys()].every(operator => {
    if (OF_SENTENCE.includes(operator)) return inSentence.has(operator)
    // What is done can be done.
    return has.has(operator) || (operator === 'can' && !has.has('must') && !has.has('should'))
  })
}

/** Whether a verb has the opposite particle in the unit. */
function isTurnedRound({ particles }: Clause, unit: Unit, synonyms: Synonyms): boolean {
  return particles.some(({ particle, behind: { key, word } }) => {
    const own = unit.clauses.flatMap(({ particles }) =>
      particles.flatMap(({ particle, behind }) =>
        behind.key === key || synonyms.get(word)?.has(behind.key) ? particle : [],
      ),
    )
    return !own.includes(particle) && oppositeParticles(particle).some(other => own.includes(other))
  })
}

function operatorsOf(clauses: readonly Clause[]): Operators {
  const counts = new Map<Operator, number>()
  for (const { operators } of clauses)
    for (const [operator, count] of operators) counts.set(operator, (counts.get(operator) ?? 0) + count)
  return counts
}

/** Whether a pronoun may stand for the word: behind others only the subject of the sentence before. */
const isSubject = ({ key }: Token, before: Unit | undefined, isBehind: boolean): boolean =>
  key === before?.subject || (!isBehind && before?.places.has(key) === true)

const isSameQuantity = (one: Clause['quantities'][number], other: Clause['quantities'][number]): boolean =>
  one.number === other.number && (one.unit === other.unit || one.unit === '')

/** Whether what is denied, required and restricted, and who does what to whom, is as in the unit. */
function turnsAlike(
  clauses: readonly Clause[],
  unit: Unit,
  synonyms: Synonyms,
  language: string | null,
): boolean {
  const places = clauses.flatMap(({ tokens }) =>
    tokens.flatMap(token => placeOf(token, unit, synonyms) ?? []),
  )
  const touched = new Set(places.map(({ clause }) => clause))
  const claimed = operatorsOf(clauses)
  const has = operatorsOf(unit.clauses.filter((_, at) => touched.has(at)))
  const inSentence = operatorsOf(unit.clauses)
  if (OF_SENTENCE.some(operator => inSentence.has(operator) && !claimed.has(operator))) return false
  if (OF_CLAUSE.some(operator => (claimed.get(operator) ?? 0) < (has.get(operator) ?? 0))) return false
  if ((has.get('not') ?? 0) !== (claimed.get('not') ?? 0)) return false
  if (REPEATED.some(operator => (claimed.get(operator) ?? 0) > (inSentence.get(operator) ?? 0))) return false
  const agents = agentsIn(clauses)
  const others = agentsIn(unit.clauses)
  if (others.length > 0 && agents.some(agent => !others.includes(agent))) return false
  const order = orderOf(clauses, unit, synonyms)
  return isTurned(clauses, unit) ? descendsBy(order, 2) : !descendsBy(order, isVerbSecond(language) ? 4 : 3)
}

const agentsIn = (clauses: readonly Clause[]): string[] => clauses.flatMap(({ agent }) => agent ?? [])

/** Whether one of them says by whom something is done, and the other says who does it. */
function isTurned(clauses: readonly Clause[], unit: Unit): boolean {
  const agents = agentsIn(clauses)
  const others = agentsIn(unit.clauses)
  const keys = new Set(clauses.flatMap(({ tokens }) => tokens.map(({ key }) => key)))
  return (
    agents.some(agent => !others.includes(agent)) ||
    others.some(agent => keys.has(agent) && !agents.includes(agent))
  )
}

/** Where the unit has the words of the claim. A word that only one of them repeats has no place for certain. */
function orderOf(clauses: readonly Clause[], unit: Unit, synonyms: Synonyms): number[] {
  const tokens = clauses
    .flatMap(({ tokens, joints }) => [...tokens, ...joints])
    .sort((one, other) => one.at - other.at)
  const counts = new Map<string, number>()
  for (const { key } of tokens) counts.set(key, (counts.get(key) ?? 0) + 1)
  const passed = new Map<string, number>()
  return tokens.flatMap(token => {
    const all = placeOf(token, unit, synonyms)?.all ?? []
    const nth = passed.get(token.key) ?? 0
    passed.set(token.key, nth + 1)
    return all.length === counts.get(token.key) ? (all[nth] ?? []) : []
  })
}

/** In these languages subject and verb change places behind whatever comes first. */
const isVerbSecond = (language: string | null): boolean => /^(?:de|nl|sv|da|no|nb|nn)/i.test(language ?? '')

/** Whether every line of a block of code is in the evidence. */
export const supportsCode = (evidence: ReadEvidence, code: string): boolean =>
  code.split('\n').every(line => evidence.dense.includes(dense(line)))
