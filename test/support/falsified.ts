// Ways to make a true sentence false. Each gives a false sentence, or nothing where it does not apply. What is put in
// is chosen by the place of the sentence, so that every run is the same.

export type Falsify = (sentence: string, language: string | null, at: number) => string | undefined

const pick = <T>(from: readonly T[], at: number): T => from[at % from.length] as T
const inEnglish =
  (make: Falsify): Falsify =>
  (sentence, language, at) =>
    language === 'en' ? make(sentence, language, at) : undefined
const withoutEnd = (sentence: string): string => sentence.replace(/[.!。！：:]$/u, '')

const UNITS = ['seconds', 'minutes', 'hours', 'days', 'weeks', 'months', 'years', 'MB', 'GB']
const UNIT =
  /(?<=\d\s?)(?:seconds|minutes|hours|days|weeks|months|years|MB|GB|KB|px|ms|Minuten|Sekunden|Tage|秒|分钟|小时|天)/u

const OPPOSITES: readonly (readonly [string, string])[] = [
  ['public', 'private'],
  ['enable', 'disable'],
  ['enabled', 'disabled'],
  ['before', 'after'],
  ['add', 'remove'],
  ['show', 'hide'],
  ['open', 'close'],
  ['open', 'closed'],
  ['new', 'old'],
  ['default', 'custom'],
  ['first', 'last'],
  ['include', 'exclude'],
  ['allow', 'forbid'],
  ['allows', 'prevents'],
  ['can', 'cannot'],
  ['automatically', 'manually'],
  ['öffentliche', 'private'],
  ['löschen', 'anlegen'],
  ['nach', 'vor'],
  ['可以', '不能'],
  ['支持', '不支持'],
  ['自动', '手动'],
]
const FALSE_CLAUSES = [
  ' and is printed in logs',
  ' and sent to all customers',
  ', and the invoice is doubled',
  ' and deleted at midnight',
  ', which costs extra',
  ' and shared with partners',
]
const FALSE_CONDITIONS = [
  ' only if you are an administrator',
  ' unless the plan is free',
  ' if the network is slow',
  ' only on weekends',
  ' unless you disable it',
  ' when the trial is over',
]

export const FALSIFIED: Readonly<Record<string, Falsify>> = {
  'another unit': (sentence, language, at) => {
    const unit = UNIT.exec(sentence)?.[0]
    const others = /\p{Script=Han}/u.test(unit ?? '')
      ? ['秒', '分钟', '小时', '天']
      : language === 'de'
        ? ['Wochen', 'Jahre', 'GB']
        : UNITS
    return (
      unit &&
      sentence.replace(
        UNIT,
        pick(
          others.filter(one => one !== unit),
          at,
        ),
      )
    )
  },
  'another number': sentence =>
    /\d/.test(sentence) ? sentence.replace(/\d+/, number => String(Number(number) * 2 + 3)) : undefined,
  'an opposite word': sentence => {
    for (const pair of OPPOSITES)
      for (const [from, to] of [pair, [...pair].reverse()] as [string, string][]) {
        const word = /\p{Script=Han}/u.test(from) ? from : ` ${from} `
        if (sentence.includes(word)) return sentence.replace(word, word.replace(from, to))
      }
    return undefined
  },
  'a negation put in': sentence =>
    / (?:is|are|can|will|must|should|may|sind|ist|werden|wird|können) /.test(sentence) &&
    !/ (?:not|no|nicht|kein)/.test(sentence)
      ? sentence
          .replace(/ (is|are|can|will|must|should|may) /, ' $1 not ')
          .replace(/ (sind|ist|werden|wird|können) /, ' $1 nicht ')
      : undefined,
  'a negation left out': sentence =>
    / (?:not|nicht) |cannot|n't|不/.test(sentence)
      ? sentence
          .replace(/ (?:not|nicht) /, ' ')
          .replace('cannot', 'can')
          .replace("n't", '')
          .replace('不', '')
      : undefined,
  'a false clause': inEnglish((sentence, _, at) => `${withoutEnd(sentence)}${pick(FALSE_CLAUSES, at)}.`),
  'a false condition': inEnglish(
    (sentence, _, at) => `${withoutEnd(sentence)}${pick(FALSE_CONDITIONS, at)}.`,
  ),
  'subject and object swapped': inEnglish(sentence => {
    const subject = /^(?:The|A|An|Your|This) (?<noun>\p{Ll}{4,})(?= \p{Ll}+ \p{Ll}+)/u.exec(sentence)?.groups
      ?.noun
    const object = /(?<=\p{Ll}+ \p{Ll}+ )(?<noun>\p{Ll}{4,})(?=\.?$)/u.exec(sentence)?.groups?.noun
    if (
      !subject ||
      !object ||
      [subject, object].some(word => /(?:ly|ed|ing|does)$/.test(word)) ||
      subject === object
    )
      return undefined
    return sentence.replace(new RegExp(`${object}(?=\\.?$)`), subject).replace(subject, object)
  }),
  'another product': inEnglish((sentence, _, at) => {
    const name = /(?<=\p{Ll} )\p{Lu}\p{L}+/u.exec(sentence)?.[0]
    return name && sentence.replace(name, pick(['Zendesk', 'Contentful', 'Salesforce', 'Kubernetes'], at))
  }),
  'more than is said': inEnglish((sentence, _, at) =>
    / (?:is|are|can|may|will) /.test(sentence)
      ? pick(
          [
            (text: string) => text.replace(/ (is|are|can|may|will) /, ' $1 always '),
            (text: string) => `All ${text.charAt(0).toLowerCase()}${text.slice(1)}`,
            (text: string) => text.replace(/ (?:can|may) /, ' must '),
            (text: string) => text.replace(/ (?:some|many|most|several|a few) /, ' all '),
            (text: string) => `${withoutEnd(text)} in every case.`,
            (text: string) => text.replace(/ (is|are) /, ' $1 never '),
          ],
          at,
        )(sentence)
      : undefined,
  ),
  'before and after swapped': sentence =>
    / (?:before|after|until|since) /i.test(sentence)
      ? sentence.replace(/ (before|after|until|since) /i, (_, word: string) =>
          / ?(?:before|until)/i.test(word) ? ' after ' : ' before ',
        )
      : / (?:vor|nach) /.test(sentence) && /aufbewahrt|Minuten|dem/.test(sentence)
        ? sentence.replace(/ (vor|nach) /, (_, word: string) => (word === 'vor' ? ' nach ' : ' vor '))
        : undefined,
  'an invented consequence': inEnglish(
    (sentence, _, at) =>
      `${withoutEnd(sentence)}, ${pick(['so the data is lost', 'which means that nobody else can see it', 'therefore you do not need to do anything', 'so it is no longer possible', 'because it is faster', 'so you must do it again'], at)}.`,
  ),
  'a restriction left out': inEnglish(sentence => {
    const short = sentence.replace(/ ?\b(?:only|unless [^,.]+|if [^,.]+|except [^,.]+)\b,?/i, '')
    return short === sentence || short.split(' ').length < 4 ? undefined : short
  }),
  'a possibility as a fact': inEnglish(sentence =>
    / (?:may|might|could|should) /.test(sentence)
      ? sentence.replace(/ (?:may|might|could|should) /, ' will ')
      : undefined,
  ),
  'a false clause in German': (sentence, language, at) =>
    language === 'de'
      ? `${withoutEnd(sentence)}${pick([' und an alle Kunden gesendet', ', wenn das Netz langsam ist', ', aber nur am Wochenende', ', außer für Gäste'], at)}.`
      : undefined,
  'a false clause in Chinese': (sentence, language, at) =>
    language === 'zh'
      ? `${withoutEnd(sentence)}${pick(['，并会删除所有数据', '，但是仅限管理员', '，除非已经付费', '，费用加倍'], at)}。`
      : undefined,
}
