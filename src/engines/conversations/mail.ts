// The text of an email without quotes, greeting and signature. Email programs quote in about a hundred ways; their
// common form is tried before the words of single languages.

/** The lines that the sender wrote. */
export function ownLines(text: string): string[] {
  const lines = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').split('\n').map(clean)
  const kept = lines.slice(0, endOf(lines)).filter(line => !isQuoted(line) && !NOISE.test(line))
  return withoutSignature(withoutGreeting(trimmed(kept)))
}

// A longer line is not a sentence.
const LINE_CHARACTERS_MAX = 2_000

const clean = (line: string): string =>
  line
    .slice(0, LINE_CHARACTERS_MAX)
    .replaceAll(/[\u200b-\u200f\u202a-\u202e\u2060\ufeff]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

const isQuoted = (line: string): boolean => /^(?:>|\|\s?>|&gt;)/.test(line)

/** Where the quoted history or the signature begins. */
function endOf(lines: readonly string[]): number {
  const end = lines.findIndex((line, at) => beginsHistory(line, lines, at) || /^--$/.test(line))
  return end === -1 ? lines.length : end
}

function beginsHistory(line: string, lines: readonly string[], at: number): boolean {
  if (line === '') return false
  // -----Original Message-----, in any language
  if (/^[-_=*]{3,20} ?[^-_=*]{3,60}[-_=*]{3,20}$/.test(line)) return true
  // Outlook's rule, with headers below it.
  if (/^_{10,}$/.test(line)) return isHeaderBlock(lines, at + 1)
  if (isHeaderBlock(lines, at)) return true
  return introduces(line) || (mayGoOn(line) && introduces(`${line} ${lines[at + 1] ?? ''}`))
}

const DATE = /\b\d{1,4}[./-]\d{1,2}[./-]\d{1,4}\b|\b(?:19|20)\d\d\b/
const TIME = /\b\d{1,2}[:.h]\d\d\b/
const ADDRESS = /[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{2,100}/
const WROTE =
  /\b(?:wrote|writes|schrieb|schreef|escribi[oó]|escreveu|skrev|napisa[lł]\p{L}?|yazdı|kirjoitti)\b|a écrit|ha scritto|пишет|писал|написал|напис|写道|寫道|のメッセージ|さんは|님이|작성/iu

/** "On Monday … someone wrote:" ends with a colon and names a time and a person. */
function introduces(text: string): boolean {
  if (text.length > 400 || !/[:：]$/.test(text)) return false
  const signs = [DATE, TIME, ADDRESS, WROTE].filter(sign => sign.test(text)).length
  return signs >= 2
}

/** Whether the line may continue on the next: such lines are often broken in two. */
const mayGoOn = (line: string): boolean => line.length > 20 && (DATE.test(line) || ADDRESS.test(line))

const HEADER =
  /^\*{0,2}([\p{L}\p{M}][\p{L}\p{M}' -]{1,24}|[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana} ]{1,10}) ?\*{0,2}[:：]\*{0,2} ?\S/u
const SENDER =
  /^\*{0,2}(?:from|von|de|da|van|från|fra|от|od|kimden|发件人|寄件者|差出人|보낸 사람) ?\*{0,2}[:：]/i

/** From, Sent, To, Subject: three headers in a row, of which the first says who, or has an address. */
function isHeaderBlock(lines: readonly string[], at: number): boolean {
  const block = lines
    .slice(at, at + 8)
    .filter(line => line !== '')
    .slice(0, 4)
  const headers = block.filter(line => HEADER.test(line)).length
  const [first = ''] = block
  if (!HEADER.test(first) || headers < 3) return false
  return SENDER.test(first) || (block.some(line => ADDRESS.test(line)) && block.some(line => DATE.test(line)))
}

/** Lines that programs and companies add. */
const NOISE =
  /^(?:sent from (?:my|mail|outlook)|get outlook for|von meinem \p{L}{3,12} gesendet|gesendet (?:von|mit)|envoyé (?:de|depuis)|enviado (?:desde|do|de)|inviato da|verzonden vanaf|skickat från|отправлено с|发自|此邮件|iphoneから送信|나의 iphone)\b|^\[?(?:cid|image):|(?:this|diese) (?:e-?mail|message|nachricht)\b.{0,80}(?:confidential|vertraulich)|intended recipient/iu

const trimmed = (lines: readonly string[]): string[] => {
  const first = lines.findIndex(line => line !== '')
  const last = lines.findLastIndex(line => line !== '')
  return first === -1 ? [] : lines.slice(first, last + 1)
}

const GREETING =
  /^(?:hi|hey|hello|dear|good (?:morning|afternoon|evening|day)|greetings|hallo|guten (?:tag|morgen|abend)|moin|liebe[rs]?|sehr geehrte[rs]?|servus|bonjour|bonsoir|salut|cher|chère|madame|monsieur|hola|buen(?:os|as) (?:días|dias|tardes|noches)|estimad[oa]s?|ciao|buongiorno|buonasera|salve|gentile|olá|ola|oi|bom dia|boa (?:tarde|noite)|prezad[oa]s?|beste|geachte|hoi|goedemorgen|goedemiddag|hej|hejsan|god (?:morgon|dag)|привет|здравствуйте|добрый (?:день|вечер)|доброе утро|уважаем\p{L}{2}|cześć|dzień dobry|merhaba|您好|你好|大家好|こんにちは|お世話になって|안녕하세요)(?![\p{L}\p{N}])/iu
const ALONE = /^[^,!.:?，！。、：？]{1,50}[,!.:，！。、：…-]?$/u

/** Drops a greeting on a line of its own, or before the first sentence: "Hi team, …". */
function withoutGreeting(lines: readonly string[]): string[] {
  const [first = '', ...rest] = lines
  if (!GREETING.test(first)) return [...lines]
  const isAlone = ALONE.test(first) && (!/[\p{L}\p{N}]$/u.test(first) || (rest[0] ?? '') === '')
  if (isAlone) return trimmed(rest)
  const begun = /^[^,!.，！。、?？]{2,40}[,!.，！。、] ?/u.exec(first)?.[0]
  const said = begun === undefined ? first : first.slice(begun.length)
  return said === '' ? trimmed(rest) : [said, ...rest]
}

const SIGN_OFF =
  /^(?:(?:kind|best|warm|many)? ?(?:regards|wishes)|cheers|sincerely|yours|thank(?:s| you)(?: (?:so much|a lot|in advance|very much|and))?|many thanks|mit (?:freundlichen|besten|lieben) gr[üu]\p{L}{1,5}|(?:viele|liebe|beste|freundliche|schöne) gr[üu]\p{L}{1,5}|gru(?:ß|ss)|danke|vielen dank|mfg|vg|lg|cordialement|bien à vous|bonne journée|sincères|merci|cordiales? saludos?|(?:un )?saludos?|atentamente|gracias|muchas gracias|cordiali saluti|distinti saluti|saluti|grazie|atenciosamente|cumprimentos|abraços?|obrigad[oa]|met vriendelijke groet|groet(?:en|jes)?|bedankt|(?:med )?vänlig(?:a|en)? hälsning|mvh|hälsningar|tack|с уважением|спасибо|pozdrawiam|dziękuję|saygılar|teşekkür|此致|谢谢|多谢|祝好|顺祝|よろしくお願い|宜しくお願い|ありがとう|감사합니다)(?![\p{L}])/iu
const SIGN_OFF_CHARACTERS_MAX = 60
// A signature is short: name, place, telephone.
const SIGNATURE_LINES_MAX = 12

/** Drops everything from the last sign-off on, if only a signature follows. */
function withoutSignature(lines: readonly string[]): string[] {
  const from = Math.max(0, lines.length - SIGNATURE_LINES_MAX)
  for (const [at, line] of lines.entries()) {
    if (at < from) continue
    if (line.length > SIGN_OFF_CHARACTERS_MAX || !SIGN_OFF.test(line) || /[?？]/.test(line)) continue
    if (lines.slice(at + 1).some(later => later.length > 120 || /[?？]$/.test(later))) continue
    return trimmed(lines.slice(0, at))
  }
  return [...lines]
}
