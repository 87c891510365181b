// Words that turn what a clause says: a single one makes a true sentence false. Each kind has its words in the languages
// that documentation is mostly written in.

export type Operator =
  | 'not'
  | 'only'
  | 'if'
  | 'unless'
  | 'except'
  | 'all'
  | 'always'
  | 'some'
  | 'can'
  | 'must'
  | 'should'

/** Spaced words, and those of scripts without spaces. */
const WORDS: Readonly<Record<Operator, readonly [spaced: string, unspaced: string]>> = {
  not: [
    `not no never none nothing nobody neither nor cannot without hardly rarely nicht kein keine keinen keinem keiner
    keines nie niemals nichts niemand ohne weder kaum ne pas jamais sans aucun aucune rien nunca sin ningún ninguna nada non
    senza mai nessun nessuna não sem nenhum nenhuma niet geen nooit zonder inte aldrig utan ingen не нет без никогда`,
    '不没無无未勿非禁|ない|なし|ません|않|없',
  ],
  only: [
    'only solely merely exclusively just nur lediglich ausschließlich bloß seulement uniquement solo solamente únicamente soltanto apenas somente alleen slechts endast bara только лишь',
    '只仅僅|だけ|のみ|만 ',
  ],
  if: [
    'if when whenever provided wenn falls sofern sobald si lorsque quand cuando se quando als indien wanneer om när если когда',
    '如果若当|場合|とき|れば|경우',
  ],
  unless: ['unless außer solange salvo tenzij', '除非'],
  except: [
    'except excluding apart besides exception ausgenommen ausnahme sauf excepto eccetto exceto behalve utom кроме',
    '除了|以外',
  ],
  all: [
    'all every each any everyone everybody everything anyone anybody anything entire whole both alle allen aller alles jede jeder jedes jeden jedem sämtliche beide tous toutes tout toute chaque todos todas todo toda cada tutti tutte ogni alla varje elke ieder все каждый любой',
    '所有全部任何每都|すべて|全て|모든',
  ],
  always: [
    'always forever constantly permanently immediately instantly automatically guaranteed immer stets ständig dauerhaft sofort automatisch garantiert toujours siempre sempre altijd alltid всегда',
    '总是始终永远立即|常に|항상',
  ],
  some: [
    'some sometimes often usually mostly most many several few partly occasionally typically generally probably maybe perhaps almost about approximately roughly einige manche manchmal oft meist meistens viele mehrere wenige teilweise gelegentlich wahrscheinlich vielleicht fast etwa ungefähr certains parfois souvent algunos algunas alcuni alguns sommige några некоторые',
    '有些一些部分通常大约|多くの|一部',
  ],
  can: [
    'can may might could able possible kann kannst können könnt könnte könnten darf dürfen möglich peut peuvent pouvez puede pueden può possono pode podem kan kunnen kann får можно может могут',
    '可以可能能|できる|できます|수 있',
  ],
  must: [
    'must shall need needs needed require requires required requirement mandatory muss musst müssen müsst erforderlich nötig notwendig benötigt benötigen zwingend doit doivent devez faut debe deben deve devono devem moet moeten måste должен нужно',
    '必须必需需要须|しなければ|必要|해야',
  ],
  should: [
    'should ought recommended recommend advisable soll sollte sollten sollst empfohlen devrait debería dovrebbe deveria zou bör следует',
    '应该应当建议推荐|べき|推奨',
  ],
}

/** As the words of a text are folded. */
function withoutMarks(word: string): string {
  return word.normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll('ß', 'ss')
}

/** A negation, and the possibility that it denies. */
const DENIED = /n['’]t(?!\p{L})/giu
const DENIED_POSSIBILITY = /(?<!\p{L})(?:can['’]t|couldn['’]t|cannot)(?!\p{L})/iu

const bySpacedWord = new Map<string, Operator[]>()
for (const [operator, [spaced]] of Object.entries(WORDS) as [Operator, readonly [string, string]][])
  for (const written of spaced.trim().split(/\s+/))
    for (const word of new Set([written, withoutMarks(written)]))
      bySpacedWord.set(word, [...(bySpacedWord.get(word) ?? []), operator])

const UNSPACED = (Object.entries(WORDS) as [Operator, readonly [string, string]][]).map(
  ([operator, [, unspaced]]) => {
    const [letters = '', ...words] = unspaced.split('|')
    const first = operator === 'not' || operator === 'only' ? [...letters] : pairsOf(letters)
    return { operator, words: [...first, ...words] }
  },
)

/** Words of two letters, but for those that are one. */
function pairsOf(text: string): string[] {
  const singles = /[若当每都能须]/gu
  return [...(text.replaceAll(singles, '').match(/../gu) ?? []), ...(text.match(singles) ?? [])]
}

const countOf = (text: string, word: string): number => text.split(word).length - 1

const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** How often a clause has each operator. */
export type Operators = ReadonlyMap<Operator, number>

export function operatorsIn(text: string): Operators {
  const counts = new Map<Operator, number>()
  const add = (operator: Operator) => counts.set(operator, (counts.get(operator) ?? 0) + 1)
  for (const [word] of text.toLowerCase().matchAll(/\p{L}+/gu))
    for (const operator of bySpacedWord.get(word) ?? []) add(operator)
  for (const _ of text.matchAll(DENIED)) add('not')
  if (DENIED_POSSIBILITY.test(text)) add('can')
  // "At most" is a bound, and no hedge.
  if (/(?<!\p{L})at most(?!\p{L})/iu.test(text) && !SOME_BUT_MOST.test(text)) counts.delete('some')
  if (EAST_ASIAN.test(text))
    for (const { operator, words } of UNSPACED) {
      const count = words.reduce((sum, word) => sum + countOf(text, word), 0)
      if (count > 0) counts.set(operator, (counts.get(operator) ?? 0) + count)
    }
  return counts
}

const SOME_BUT_MOST = /(?<!\p{L})(?:some|sometimes|often|usually|mostly|many|several|few)(?!\p{L})/iu

/** Whether a word says nothing beside what the operators say. */
export const isOperatorWord = (word: string): boolean => bySpacedWord.has(word)

/** Of a sentence a condition or a restriction holds for all that it says. */
export const OF_SENTENCE: readonly Operator[] = ['only', 'if', 'unless', 'except']
/** What a clause may not leave out of what it says again, and may not add. */
export const OF_CLAUSE: readonly Operator[] = ['not', 'some', 'can', 'must', 'should']
/** What a claim may not say more often than the sentence. */
export const REPEATED: readonly Operator[] = ['all', 'always', 'some', 'only', 'if', 'must', 'should']
