// Words by which a sentence is told from a name, a title or an address: pronouns, questions, auxiliaries, negations.
// Folded to lower case, in the languages that most customers write.

const WORDS: ReadonlySet<string> = new Set(
  [
    // English
    `i i'm i've i'd i'll im ive we we're we've you you're it it's they this that these those there my me our us your
    how why what when where who which is isn't are aren't was wasn't were weren't has hasn't have haven't had do don't
    does doesn't did didn't can can't cannot could couldn't would should will won't must may not no please never still
    but because since after before if also just`,
    // German
    `ich wir ihr du mein meine meinen meiner mir mich uns unser unsere wie warum wieso weshalb was wann wo wer welche
    welcher welches ist sind war waren hat habe haben kann kann's können könnte könnt möchte wollte will würde soll
    muss wird werden nicht kein keine keinen bitte aber weil seit nachdem bevor wenn noch es das diese dieser gibt`,
    // French
    `je j'ai nous vous tu il elle mon ma mes notre nos comment pourquoi quand où que quel quelle est sont était ai a
    avez avons peut peux puis-je pouvez voudrais ne n'est pas jamais plus mais parce depuis si encore`,
    // Spanish
    `yo me mi mis nuestro nuestra cómo como qué que cuándo cuando dónde donde quién es son era está están he hemos han
    puedo puede quiero quisiera no nunca pero porque desde si todavía`,
    // Italian
    `io mi mio mia nostro come perché quando dove chi è sono era ho abbiamo ha posso può vorrei non mai ma se ancora`,
    // Portuguese
    `eu meu minha nosso nossa por quando onde quem é são foi está tenho temos tem posso pode quero gostaria não nunca
    mas porque desde se ainda`,
    // Dutch
    `ik wij we mijn onze hoe waarom wanneer waar wie wat is zijn was heb hebben heeft kan kunnen wil niet geen maar
    omdat sinds als nog`,
    // Swedish, Danish, Norwegian
    `jag vi min mitt vår hur varför när var vem vad är har kan vill inte ingen men sedan om jeg hvordan hvorfor når hvor
    er ikke`,
    // Russian
    `я мы мой моя мне наш как почему когда где кто что не нет могу можно но если после до`,
    // Polish, Turkish
    `ja mój moja nie jak dlaczego kiedy gdzie jest są mogę proszę ale ben benim nasıl neden ne değil`,
  ].flatMap(words => words.split(/\s+/)),
)

const WORD = /[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+){0,3}/gu

/** As they are written. */
export const writtenWords = (text: string): string[] => text.match(WORD) ?? []

/** What a sentence begins with behind a name, as in "Anna how do I …": a question, or whoever writes. */
const BEGINNINGS: ReadonlySet<string> = new Set(
  `i i'm i've i'd im ive we we're my our how why what when where who which can could please
  ich wir mein meine unser unsere wie warum wieso was wann wo wer kann können könnt bitte
  je j'ai nous mon ma notre comment pourquoi quand où puis-je pouvez yo mi nuestro cómo como qué cuándo dónde puedo
  io mio mia perché quando dove posso eu meu minha onde ik wij mijn hoe waarom wanneer waar jag vi min hur varför
  я мы мой как почему когда где jak dlaczego nasıl neden`.split(/\s+/),
)

export const beginsSentence = (word: string): boolean =>
  BEGINNINGS.has(word.toLowerCase().replaceAll('’', "'"))

export const isSentenceWord = (word: string): boolean => WORDS.has(word.toLowerCase().replaceAll('’', "'"))

/** Japanese, Chinese and Korean have no capitals, and the first two no spaces. */
const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu
const EAST_ASIAN_SENTENCE_MIN = 9
const SENTENCE_WORDS_MIN = 3

/** Whether a line says something, so that it is no name, title, address or telephone number. */
export function isSentence(line: string): boolean {
  const eastAsian = line.match(EAST_ASIAN)?.length ?? 0
  if (eastAsian >= EAST_ASIAN_SENTENCE_MIN || (eastAsian > 3 && /[。？！?!吗呢]$/u.test(line))) return true
  const words = writtenWords(line).filter(word => /\p{L}/u.test(word))
  if (words.length === 0) return false
  if (/[?？]/.test(line)) return true
  if (words.length < SENTENCE_WORDS_MIN) return false
  if (words.some(isSentenceWord)) return true
  const isSmall = words.every(word => /^\p{Ll}/u.test(word))
  return (
    isSmall || (words.length > SENTENCE_WORDS_MIN && /[.!]$/.test(line) && !/\p{Lu}\p{L}{0,4}\.$/u.test(line))
  )
}
