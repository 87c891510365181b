// The text of an email without quotes, greeting and signature. Email programs quote in about a hundred ways; their
// common form is tried before the words of single languages.
import { withoutGreeting } from './greetings.ts'
import { isAdded, saying, withoutSignature } from './signatures.ts'

/**
 * The lines that the sender wrote. Where nothing but a quotation or an added line would be left, that is the message;
 * greetings and thanks alone are none.
 */
export function ownLines(text: string): string[] {
  const lines = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').split('\n').map(clean)
  const unquoted = saysAny(
    withoutHistory(lines).filter(line => !isQuoted(line)),
    lines.map(withoutQuoteMark),
  )
  const own = saysAny(
    unquoted.filter(line => !isAdded(line)),
    unquoted,
  )
  return trimmed(withoutSignature(trimmed(withoutGreeting(trimmed(own)))))
}

const saysAny = (lines: string[], otherwise: string[]): string[] =>
  lines.some(line => /[\p{L}\p{N}]/u.test(line)) ? lines : otherwise

const clean = (line: string): string =>
  line
    .replaceAll(/[\u200b-\u200f\u202a-\u202e\u2060\ufeff]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

const isQuoted = (line: string): boolean => /^(?:>|\|\s?>|&gt;)/.test(line)

const withoutQuoteMark = (line: string): string => line.replace(/^(?:[>|\s]|&gt;){1,20}/, '')

/** Drops the quoted history, and a signature below `--`. */
function withoutHistory(lines: readonly string[]): string[] {
  const end = lines.findIndex((line, at) => beginsHistory(line, lines, at))
  // A message that begins with history is forwarded.
  const isForwarded = !lines.slice(0, Math.max(end, 0)).some(line => line !== '' && !isQuoted(line))
  const own = end === -1 || isForwarded ? [...lines] : lines.slice(0, end)
  const rule = own.indexOf('--')
  if (rule === -1 || own.slice(0, rule).every(line => line === '')) return own
  return [...own.slice(0, rule), ...saying(own.slice(rule + 1))]
}

function beginsHistory(line: string, lines: readonly string[], at: number): boolean {
  if (line === '') return false
  // -----Original Message-----: of words that say so, or with headers below it.
  if (/^[-_=*]{3,20} ?[^-_=*]{3,60}[-_=*]{3,20}$/.test(line))
    return MESSAGE.test(line) || isHeaderBlock(lines, at + 1)
  // Outlook's rule, with headers below it.
  if (/^_{10,}$/.test(line)) return isHeaderBlock(lines, at + 1)
  if (isHeaderBlock(lines, at)) return true
  return (
    introduces(line, lines, at) ||
    (mayGoOn(line) && introduces(`${line} ${lines[at + 1] ?? ''}`, lines, at + 1))
  )
}

const MESSAGE =
  /message|original|forwarded|reply|nachricht|weitergeleitet|ursprünglich|transféré|mensaje|mensagem|reenviado|messaggio|inoltrato|bericht|doorgestuurd|meddelande|vidarebefordrat|сообщение|пересылаемое|wiadomość|ileti|邮件|郵件|メッセージ|원본/iu

const DATE = /\b\d{1,4}[./-]\d{1,2}[./-]\d{1,4}\b|\b(?:19|20)\d\d\b/
const TIME = /\b\d{1,2}[:.h]\d\d\b/
const ADDRESS = /[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{2,100}/
const WROTE =
  /\b(?:wrote|writes|schrieb|schreef|escribi[oó]|escreveu|skrev|napisa[lł]\p{L}?|yazdı|kirjoitti)\b|a écrit|ha scritto|пишет|писал|написал|напис|写道|寫道|のメッセージ|さんは|님이|작성/iu

/** Whoever writes speaks of themselves: "On 3.2.2025 at 10:12 I saw this:". */
const SPEAKER =
  /(?<![\p{L}\p{M}.@-])(?:i|we|my|our|ich|wir|mein\p{L}{0,2}|unser\p{L}{0,2}|je|j['’]ai|nous|yo|io|eu|ik|jag|я|мы)(?![\p{L}\p{M}])|我/iu

/** "On Monday … someone wrote:" ends with a colon and names a time and a person. */
function introduces(text: string, lines: readonly string[], at: number): boolean {
  if (text.length > 400 || !/[:：]$/.test(text) || SPEAKER.test(text)) return false
  const isByPerson = ADDRESS.test(text) || WROTE.test(text)
  const isAboveQuote = isQuoted(lines.slice(at + 1, at + 3).find(line => line !== '') ?? '')
  if (!isByPerson && !isAboveQuote) return false
  return [DATE, TIME, ADDRESS, WROTE].filter(sign => sign.test(text)).length >= 2
}

/** Whether the line may continue on the next: such lines are often broken in two. */
const mayGoOn = (line: string): boolean => line.length > 20 && (DATE.test(line) || ADDRESS.test(line))

const HEADER =
  /^\*{0,2}([\p{L}\p{M}][\p{L}\p{M}' -]{1,24}|[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana} ]{1,10}) ?\*{0,2}[:：]\*{0,2} ?\S/u
const SENDER =
  /^\*{0,2}(?:from|von|de|da|van|från|fra|от|od|kimden|发件人|寄件者|差出人|보낸 사람) ?\*{0,2}[:：]/i

/** Of mail alone. */
const MAIL_HEADER =
  /^\*{0,2}(?:subject|sent|gesendet|envoyé|enviado|inviato|verzonden|skickat|betreff|objet|asunto|oggetto|assunto|onderwerp|ämne|emne|тема|temat|konu|主题|主旨|件名|제목) ?\*{0,2}[:：]/iu

/** From, Sent, To, Subject: three headers in a row, of which one is of mail, or has an address. */
function isHeaderBlock(lines: readonly string[], at: number): boolean {
  const block = lines
    .slice(at, at + 8)
    .filter(line => line !== '')
    .slice(0, 4)
  const headers = block.filter(line => HEADER.test(line)).length
  const [first = ''] = block
  if (!HEADER.test(first) || headers < 3) return false
  const hasAddress = block.some(line => ADDRESS.test(line))
  if (SENDER.test(first)) return hasAddress || block.some(line => MAIL_HEADER.test(line))
  return hasAddress && block.some(line => DATE.test(line))
}

const trimmed = (lines: readonly string[]): string[] => {
  const first = lines.findIndex(line => line !== '')
  const last = lines.findLastIndex(line => line !== '')
  return first === -1 ? [] : lines.slice(first, last + 1)
}
