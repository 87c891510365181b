// Words that identify a person are removed from issues: more people read issues and clusters than the conversation.

const ADDRESS = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu
// Telephone, card, account: nine digits or more, in groups.
const LONG_NUMBER = /\+?\p{Nd}(?:[ ()./-]{0,2}\p{Nd}){8,30}/gu
// Fewer digits are a telephone number if they are labelled as one, ...
const SAID_NUMBER =
  /((?:\b(?:tel|telephone|phone|mobile|cell|fax|call me|call us|text me|reach me|my number|whatsapp|meine nummer|mon numéro|mi número|telefon|telefonnummer|handy|mobil|rufnummer|ruf|téléphone|tél|portable|teléfono|móvil|telefono|cellulare|telefone|celular|telefoon|mobiel|телефон|тел)\b|电话|手机|電話|携帯|전화|휴대폰)[^\p{L}\p{Nd}\n]{0,4}(?:(?:number|no|nr|is|ist|at|on|号码|号|是)[^\p{L}\p{Nd}\n]{0,3}){0,2})(?<![\p{Nd}.,])\p{Nd}(?:[ ()./-]{0,2}\p{Nd}){4,7}(?![\p{Nd}])/giu
// ... or in four pairs, ...
const PAIRS = /(?<![\p{Nd}.,:-] ?)\p{Nd}{2}(?: \p{Nd}{2}){3}(?! ?[\p{Nd}.,:-])/gu
// ... or of three and four digits that are not a range: 555-0134, but not 100-2000.
const LOCAL_NUMBER = /(?<![\p{L}\p{Nd}_./-])(\d{3})-(\d{4})(?![\p{L}\p{Nd}_/-])/gu
// Secrets are labelled and have a digit: "password: hunter2", but not "Password: required".
const SAID_SECRET =
  /((?:password|passwort|kennwort|passphrase|passcode|pin|api[ _-]?key|access[ _-]?token|secret|token|mot de passe|contraseña|clave|senha|wachtwoord|lösenord|salasana|hasło|пароль|密码|口令|パスワード|비밀번호)\s{0,3}(?:[:=：]|\b(?:is|ist|est|es|är|é)\b|是|为)\s{0,3}["'`“„«]?)(?=[^\s\p{Nd}]{0,64}\p{Nd})[^\s"'`”“»,;。，]{4,128}/giu
// Keys and tokens mean nothing to anybody: one long run of letters and digits. Names of errors and files have their
// digits in short runs.
const LONG_NAME = /(?<![\w.-])[\w.-]{16,}/g
const KEY_CHARACTERS_MIN = 16
const isKey = (name: string): boolean =>
  name.split(/[_.-]/).some(run => run.length >= KEY_CHARACTERS_MIN && /\d[a-z]+\d/i.test(run))
const URL_DETAILS = /(https?:\/\/[^\s/?#]{1,253})[/?#][^\s]{0,2000}/gi
const WWW_DETAILS = /(www\.[^\s/?#]{1,90})[/?#][^\s]{0,2000}/gi

/**
 * Removes email addresses, passwords, keys, long numbers, shorter ones that look like telephone numbers or are labelled
 * as such, and everything after the host of web addresses.
 */
export const withoutPrivateWords = (text: string): string =>
  text
    .replaceAll(URL_DETAILS, '$1/…')
    .replaceAll(WWW_DETAILS, '$1/…')
    .replaceAll(ADDRESS, '…')
    .replaceAll(SAID_SECRET, '$1…')
    .replaceAll(LONG_NAME, name => (isKey(name) ? (name.endsWith('.') ? '….' : '…') : name))
    .replaceAll(LONG_NUMBER, '…')
    .replaceAll(SAID_NUMBER, '$1…')
    .replaceAll(PAIRS, '…')
    .replaceAll(LOCAL_NUMBER, (said, first, last) => (Number(last) < Number(first) ? '…' : said))
