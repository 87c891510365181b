// The numbers of a text with what they count.

/** As the words of a text are folded. */
function folded(word: string): string {
  return word.normalize('NFKD').replaceAll(/\p{M}/gu, '')
}

// Words that also mean something else (`one`, `once`, `dos`) are left out.
const NUMBER_WORDS: ReadonlyMap<string, string> = new Map(
  [
    ['zero', '', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'],
    ['', '', 'zwei', 'drei', 'vier', 'fünf', 'sechs', 'sieben', 'acht', 'neun', 'zehn', 'elf', 'zwölf'],
    ['', '', 'deux', 'trois', 'quatre', 'cinq', '', 'sept', 'huit', 'neuf', 'dix', 'onze', 'douze'],
    ['', '', '', 'tres', 'cuatro', 'cinco', 'seis', 'siete', 'ocho', 'nueve', 'diez', '', 'doce'],
    ['', '', '两', '三', '四', '五', '六', '七', '八', '九', '十'],
  ].flatMap(words =>
    words.flatMap((word, value) =>
      word === '' ? [] : [[word, String(value)] as const, [folded(word), String(value)] as const],
    ),
  ),
)
/** The spellings of a unit. */
const UNITS: ReadonlyMap<string, string> = new Map(
  `ms millisecond milliseconds millisekunde millisekunden 毫秒
  s sec secs second seconds sekunde sekunden seconde secondes segundo segundos secondo secondi 秒
  min mins minute minutes minuten minuto minutos minuti 分钟 分
  h hr hrs hour hours stunde stunden heure heures hora horas ora ore 小时 时间
  d day days tag tage tagen jour jours día días giorno giorni 天 日
  week weeks woche wochen semaine semaines semana semanas 周
  month months monat monate monaten mois mes meses mese mesi 个月 月
  year years jahr jahre jahren an ans année années año años anno anni 年
  b byte bytes 字节
  kb kib kilobyte kilobytes
  mb mib megabyte megabytes
  gb gib gigabyte gigabytes
  tb tib terabyte terabytes
  % percent prozent pourcent 百分
  px pixel pixels 像素
  $ usd dollar dollars
  € eur euro euros
  time times mal fois veces volte 次`
    .split('\n')
    .flatMap(line => {
      const [first = '', ...others] = line.trim().split(/\s+/)
      return [first, ...others].map(word => [word, first] as const)
    }),
)

const PART = /\d+(?:[.,:]\d+)*|\p{L}+|[%$€£]/gu
// In text without spaces, a number is inside a run of letters.
const HAN_NUMBER = /[两三四五六七八九十]/gu

/** A number in digits, and the unit that follows or leads it; `''` if none is known. */
export type Quantity = { readonly number: string; readonly unit: string }

export function quantitiesIn(text: string): Quantity[] {
  const parts = text.toLowerCase().match(PART) ?? []
  const quantities = parts.flatMap((part, at) => {
    const number = numberOf(part)
    if (number === undefined) return []
    const before = parts[at - 1] ?? ''
    const unit = unitOf(parts[at + 1] ?? '') || (/^[$€£]$/.test(before) ? unitOf(before) || before : '')
    return [{ number, unit }]
  })
  const unspaced = Array.from(text.matchAll(HAN_NUMBER), ({ 0: digit, index }) => ({
    number: NUMBER_WORDS.get(digit) ?? digit,
    unit: unitOf(text.slice(index + 1, index + 3)),
  }))
  return [...quantities, ...unspaced]
}

const UP_TO = /(?<!\p{L})(?:up to|bis zu|jusqu['’]à|hasta|fino a|até)(?!\p{L})/iu
const BOUND =
  /(?<!\p{L})(?:up to|at most|max|maximum|maximal|limit|limits|limited|no more than|not more than|within|bis zu|höchstens|jusqu['’]à|hasta|fino a|até)(?!\p{L})|最多|最大/iu

/** Whether a text says that a number is the most. A number by itself is not: 30 days are not up to 30 days. */
export const saysUpTo = (text: string): boolean => UP_TO.test(text)
/** Whether a text says so in whatever words. */
export const saysBound = (text: string): boolean => BOUND.test(text)

function numberOf(part: string): string | undefined {
  if (/^\d/.test(part)) return part
  return part === 'twice' ? '2' : NUMBER_WORDS.get(part)
}

const HAN = /^\p{Script=Han}/u
const unitOf = (word: string): string =>
  UNITS.get(word) ??
  (HAN.test(word) ? (UNITS.get(word.slice(0, 2)) ?? UNITS.get(word.slice(0, 1)) ?? '') : '')

/** Whether a word is a number or a unit, which are compared by what they stand for. */
export const isQuantityWord = (word: string): boolean => numberOf(word) !== undefined

const WORD = /\d+(?:[.,:]\d+)*|\p{L}+|%/gu

/** Units behind their numbers are compared with these, and are no words of the text. */
export function withoutUnits(text: string): string {
  const kept: string[] = []
  let from = 0
  let end = -1
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const isUnit = index - end <= 1 && end >= 0 && !HAN.test(word) && unitOf(word.toLowerCase()) !== ''
    if (isUnit) {
      kept.push(text.slice(from, index))
      from = index + word.length
    }
    end = numberOf(word.toLowerCase()) === undefined ? -1 : index + word.length
  }
  return [...kept, text.slice(from)].join(' ')
}
