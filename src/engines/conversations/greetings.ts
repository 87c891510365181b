// The greeting that a message begins with. Only what is a greeting for certain is left out: a greeting, and the people
// that it is for. What follows without a comma is the message.
import { beginsSentence, isSentenceWord } from './sentence-words.ts'

/** Says nothing but hello, whatever follows. */
const HELLO =
  /^(?:hi|hey|hello|hiya|hallo|moin(?: moin)?|servus|bonjour|bonsoir|salut|hola|ciao|olá|ola|hoi|hej|hejsan|hei|привет|здравствуйте|cześć|merhaba|您好|你好|大家好|こんにちは|안녕하세요)(?![\p{L}\p{M}\p{N}_'’-])/iu
/** In Chinese and Japanese a greeting ends without a space. */
const UNSPACED_HELLO =
  /^(?:您好|你们好|你好|大家好|早上好|下午好|晚上好|こんにちは|お世話になって(?:おります|います))/u
/** Begins a greeting where people, a comma or a sentence follow; `good day passes` and `beste Lösung` do not. */
const SALUTATION =
  /^(?:dear|good (?:morning|afternoon|evening|day)|greetings|guten (?:tag|morgen|abend)|grüß gott|liebe[rs]?|sehr geehrte[rs]?|cher|chère|chers|madame|monsieur|buen(?:os|as) (?:días|dias|tardes|noches)|estimad[oa]s?|buongiorno|buonasera|salve|gentile|oi|bom dia|boa (?:tarde|noite)|prezad[oa]s?|beste|geachte|goedemorgen|goedemiddag|god (?:morgon|dag)|добрый (?:день|вечер)|доброе утро|уважаем\p{L}{2}|dzień dobry)(?![\p{L}\p{M}\p{N}_'’-])/iu

/** Whom a greeting is for, and what joins them. */
const PEOPLE: ReadonlySet<string> = new Set(
  `there all team teams everyone everybody folks guys people again support sir madam madame mr mrs ms miss dr prof
  friend friends community staff ladies gentlemen gents customer customers service care desk help helpdesk dude mate
  and or to the you at of from y'all
  zusammen alle allerseits leute ihr lieben miteinander liebes liebe lieber kolleginnen kollegen damen herren herr frau
  und oder an das die kundenservice kundendienst
  à tous toutes l'équipe équipe messieurs mesdames et ou le la
  a todos todas equipo señor señora señores amigos y o
  tutti tutte signore signora signori e team equipe pessoal senhor senhora senhores
  allemaal iedereen heer mevrouw en alla allihopa och
  всем коллеги команда и`
    .trim()
    .split(/\s+/),
)

// A name has this many words at most.
const NAME_WORDS_MAX = 4
const WORD = /^[\s,]{0,2}([\p{L}\p{M}\p{N}](?:[.'’&-]?[\p{L}\p{M}\p{N}]){0,40})/u
const TITLE = /^(?:mr|mrs|ms|dr|prof|st)$/i
/** Between a greeting and what follows: spaces, emoji, and smileys of signs. */
const DECORATION = /^(?:\s|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u200d|\ufe0f|[:;]-?[)D])+/u
const SEPARATOR = /^(?:[,!.:;，！。、：…~-]|–|—)+/u

/** Drops a greeting on a line of its own, or before the first sentence. */
export function withoutGreeting(lines: readonly string[]): string[] {
  const [first = '', ...rest] = lines
  const end = endOfGreeting(first)
  if (end === 0) return [...lines]
  const said = first.slice(end).trim()
  return said === '' ? rest : [said, ...rest]
}

function endOfGreeting(line: string): number {
  const unspaced = UNSPACED_HELLO.exec(line)?.[0]
  if (unspaced !== undefined) return passSeparators(line, unspaced.length)
  const hello = HELLO.exec(line)?.[0]
  const greeting = hello ?? SALUTATION.exec(line)?.[0]
  if (greeting === undefined) return 0
  const known = endOfPeople(line, greeting.length)
  const named = endOfNames(line, known)
  if (isOver(line, named)) return passSeparators(line, named)
  const next = WORD.exec(line.slice(named))?.[1] ?? ''
  // "Hi Anna how do I …": a sentence has begun.
  if (beginsSentence(next)) return passSeparators(line, named)
  if (hello === undefined && known === greeting.length) return 0
  return passSeparators(line, known)
}

/** A comma or the end of the line follows. */
const isOver = (line: string, at: number): boolean => {
  const rest = line.slice(at).replace(DECORATION, '')
  return rest === '' || SEPARATOR.test(rest)
}

const passSeparators = (line: string, at: number): number => {
  let end = at
  for (const pattern of [DECORATION, SEPARATOR, DECORATION])
    end += pattern.exec(line.slice(end))?.[0].length ?? 0
  return end
}

/** Behind the words for people, as in "Hi there", "Dear support team". */
function endOfPeople(line: string, from: number): number {
  let end = from
  let sure = from
  for (let count = 0; count <= NAME_WORDS_MAX; count++) {
    const next = nextWord(line, end)
    if (next === undefined || !PEOPLE.has(next.word.toLowerCase().replaceAll('’', "'"))) break
    end = next.end
    // "Hi the export fails": an article is of the people only with them behind it.
    if (!JOINING.has(next.word.toLowerCase())) sure = end
  }
  return sure
}

const JOINING: ReadonlySet<string> = new Set(
  'and or to the you at of from und oder an das die ihr et ou le la à a y o e en och и help care service customer customers people'.split(
    ' ',
  ),
)

/** Behind a name: words with capitals, with words for people between them, or one small word before a comma. */
function endOfNames(line: string, from: number): number {
  let end = from
  for (let count = 0; count < NAME_WORDS_MAX; count++) {
    const next = nextWord(line, end)
    if (next === undefined || next.word === 'I') break
    const isJoining = PEOPLE.has(next.word.toLowerCase())
    if (!isJoining && (isSentenceWord(next.word) || !/^\p{Lu}/u.test(next.word))) break
    end = next.end
  }
  if (end > from && isOver(line, end)) return end
  const only = nextWord(line, from)
  const isNamedSmall =
    only !== undefined && !isSentenceWord(only.word) && /^\s{0,2}[,!，！]/u.test(line.slice(only.end))
  if (isNamedSmall) return only.end
  return end
}

function nextWord(line: string, from: number): { readonly word: string; readonly end: number } | undefined {
  const found = WORD.exec(line.slice(from))
  if (found?.[1] === undefined || found[0].startsWith(',')) return undefined
  const end = from + found[0].length
  // A period is part of `Mr.`, and ends a greeting otherwise.
  return { word: found[1], end: line[end] === '.' && TITLE.test(found[1]) ? end + 1 : end }
}
