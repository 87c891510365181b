// The end of a message that is no part of it: a sign-off, the signature below it, and what programs and companies add.
// A line that says something stays, wherever it stands.
import { isSentence, isSentenceWord, writtenWords } from './sentence-words.ts'

const SIGN_OFF =
  /^(?:(?:(?:kind|best|warm|many|all the)? ?(?:regards|wishes)|all the best|best|cheers|sincerely|yours(?: (?:sincerely|faithfully|truly))?|(?:many |with )?thank(?:s| you)|mit (?:freundlichen|besten|lieben) gr[üu]\p{L}{1,5}|(?:viele|liebe|beste|freundliche|schöne) gr[üu]\p{L}{1,5}|gru(?:ß|ss)|danke|vielen dank|besten dank|mfg|vg|lg|cordialement|bien à vous|bonne journée|sincères|merci|cordiales? saludos?|(?:un )?saludos?|atentamente|gracias|muchas gracias|cordiali saluti|distinti saluti|saluti|grazie|atenciosamente|cumprimentos|abraços?|obrigad[oa]|met vriendelijke groet|groet(?:en|jes)?|bedankt|(?:med )?vänlig(?:a|en)? hälsning(?:ar)?|mvh|hälsningar|tack|с уважением|спасибо|pozdrawiam|dziękuję|saygılar|teşekkür)(?![\p{L}\p{M}\p{N}_'’-])|此致|谢谢|多谢|祝好|顺祝|よろしくお願い|宜しくお願い|ありがとう|감사합니다)/iu
const SIGN_OFF_CHARACTERS_MAX = 60
/** What a sign-off goes on with, beside names. */
const CLOSING: ReadonlySet<string> = new Set(
  `so very much a lot in advance and again for your the all any kind help support time patience understanding
  assistance reply response answer reading to from yours sincerely regards wishes best kindly everyone team have nice
  great good lovely day week weekend evening cheers
  im voraus schon mal sehr für ihre eure deine die das hilfe unterstützung mühe zeit antwort und freundlichen viele liebe
  grüße grüßen gruß schönen tag schönes wochenende
  beaucoup d'avance par avance de pour votre ton aide et bonne journée soirée cordialement
  por adelantado de antemano su tu ayuda y un saludo muchas
  mille in anticipo per il vostro aiuto e saluti pela atenção desde já ajuda muito
  bij voorbaat voor je uw hulp en på förhand för hjälpen заранее за помощь большое`
    .trim()
    .split(/\s+/),
)
// A signature is short: name, place, telephone.
const SIGNATURE_LINES_MAX = 12
// A longer line is none of a signature.
const SIGNATURE_CHARACTERS_MAX = 120

/** Drops thanks at the beginning, and the first sign-off near the end with all below it that says nothing. */
export function withoutSignature(lines: readonly string[]): string[] {
  const [first] = lines
  if (first === undefined) return []
  if (isSignOff(first)) return lines.slice(1)
  const from = Math.max(1, lines.length - SIGNATURE_LINES_MAX)
  const at = lines.findIndex((line, place) => place >= from && isSignOff(line))
  return at === -1 ? [...lines] : [...lines.slice(0, at), ...saying(lines.slice(at + 1))]
}

/** Of the lines of a signature those that are none: a question or a complaint below a name. */
export const saying = (lines: readonly string[]): string[] =>
  lines.filter(line => line.length > SIGNATURE_CHARACTERS_MAX || (isSentence(line) && !isSignOff(line)))

function isSignOff(line: string): boolean {
  if (line.length > SIGN_OFF_CHARACTERS_MAX || /[?？]/.test(line)) return false
  const said = SIGN_OFF.exec(line)?.[0]
  if (said === undefined) return false
  const words = writtenWords(line.slice(said.length))
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}]$/u.test(said)) return !isLongEastAsian(line, said)
  return words.every(word => CLOSING.has(word.toLowerCase()) || (isNamePart(word) && words.length <= 6))
}

const isNamePart = (word: string): boolean => /^\p{Lu}/u.test(word) && !isSentenceWord(word)

// A polite ending is a few letters more.
const isLongEastAsian = (line: string, said: string): boolean => line.length > said.length + 8

/** Words of a line that a program on a telephone adds, beside names of programs and devices. */
const DEVICE: ReadonlySet<string> = new Set(
  `my mobile phone tablet device smartphone handheld iphone ipad for on with via using app the and wireless
  meinem meiner mein handy mobil mit von für mon ma depuis téléphone avec pour mi móvil teléfono para desde con meu
  celular do de mio mia cellulare dal mijn voor met min mobiltelefon från моего gesendet`
    .trim()
    .split(/\s+/),
)
const SENT_FROM =
  /^(?:sent (?:from|via|with|using)|get outlook for|von meinem?|gesendet (?:von|mit)|envoyé (?:de|depuis)|enviado (?:desde|do|de)|inviato da(?:l|l mio)?|verzonden (?:vanaf|met)|skickat från|отправлено с)(?![\p{L}\p{N}])/iu
const SENT_FROM_UNSPACED = /^发自[^，。？！]{1,20}$|iphoneから送信$|^나의 iphone에서/iu
const PICTURE = /^\[(?:cid|image):[^\][]{0,200}\]$|^cid:\S{1,200}$/i
const LEGAL =
  /^\W{0,4}(?:confidentiality|disclaimer|this (?:e-?mail|message)|the (?:information|contents?)|if you (?:are not|have received)|diese (?:e-?mail|nachricht)|der inhalt dieser|ce (?:message|courriel)|este (?:mensaje|correo)|questo messaggio|此邮件).{0,200}(?:confidential|privileged|intended recipient|intended solely|vertraulich|confidentiel|confidencial|riservat|机密|保密|in error)/iu
const SPEAKER =
  /(?<![\p{L}\p{M}])(?:i|i'm|my|me|ich|mein\p{L}{0,2}|mir|mich|je|mon|mes|yo|mis|mio|eu|meu)(?![\p{L}\p{M}])|[?？我]/iu

/** Whether a program or a company added the line. */
export function isAdded(line: string): boolean {
  if (PICTURE.test(line) || SENT_FROM_UNSPACED.test(line)) return true
  // A disclaimer does not speak of whoever writes.
  if (LEGAL.test(line.slice(0, 400))) return !SPEAKER.test(line)
  if (line.length > SIGNATURE_CHARACTERS_MAX || /[,;:?，？]/.test(line)) return false
  const begun = SENT_FROM.exec(line)?.[0]
  if (begun === undefined) return false
  return writtenWords(line.slice(begun.length)).every(
    word => DEVICE.has(word.toLowerCase()) || /^\p{Lu}|\d|^\p{Ll}\p{Lu}/u.test(word),
  )
}
