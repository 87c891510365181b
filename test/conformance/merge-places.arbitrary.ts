// Documents whose headings and paragraphs occur many times, as those of changelogs do, and what somebody makes of them.
// Each block has an identity, so that a test knows what became of it.
import fc from 'fast-check'

/** A block; `by` is who wrote it, and `level` that of a heading. */
export type Part = { readonly text: string; readonly level: number; readonly by: string }
export type Edit = { readonly kind: number; readonly at: number; readonly to: number }

const TEXT_LEVEL = 9
const TEXTS = [
  'Bug fixes.',
  'Improvements to speed.',
  '* first\n* second',
  '```sh\nnpm install\n```',
  '| a | b |\n| - | - |\n| x | y |',
  '{% hint style="info" %}\nMind the gap.\n{% endhint %}',
]
const CHAPTERS = ['Standard', 'Enterprise', 'Cloud service', 'Mobile']
const RELEASES = ['Release 1', 'Release 2', 'Fixes']

// Above the texts that repeat, a number stands for one that does not.
const text = fc.nat(20)
const release = fc.record({ name: fc.nat(2), texts: fc.array(text, { maxLength: 3 }) })
const chapter = fc.record({
  name: fc.nat(3),
  texts: fc.array(text, { maxLength: 2 }),
  releases: fc.array(release, { maxLength: 3 }),
})

/** With chapters of one name, or of different ones. */
export const repetitive = (): fc.Arbitrary<readonly Part[]> =>
  fc.array(chapter, { minLength: 1, maxLength: 4 }).map(toParts)
export const named = (): fc.Arbitrary<readonly Part[]> =>
  fc.uniqueArray(chapter, { minLength: 2, maxLength: 4, selector: ({ name }) => name }).map(toParts)

export const edits = (): fc.Arbitrary<readonly Edit[]> =>
  fc.array(fc.record({ kind: fc.nat(9), at: fc.nat(1000), to: fc.nat(1000) }), { minLength: 1, maxLength: 3 })

type Chapter = typeof chapter extends fc.Arbitrary<infer T> ? T : never

function toParts(chapters: readonly Chapter[]): Part[] {
  const parts: Part[] = []
  const put = (text: string, level: number): void => {
    parts.push({ text, level, by: '' })
  }
  const putTexts = (texts: readonly number[]): void => {
    for (const n of texts)
      put(
        TEXTS[n % 7] ?? `Only words number ${parts.length * 7919} stand here ${parts.length * 31}.`,
        TEXT_LEVEL,
      )
  }
  put('# Changelog', 1)
  for (const { name, texts, releases } of chapters) {
    put(`## ${CHAPTERS[name]}`, 2)
    putTexts(texts)
    for (const { name, texts } of releases) {
      put(`### ${RELEASES[name]}`, 3)
      putTexts(texts)
    }
  }
  return parts
}

export const render = (parts: readonly Part[]): string => `${parts.map(({ text }) => text).join('\n\n')}\n`

const isText = ({ level }: Part): boolean => level === TEXT_LEVEL

export function endOf(parts: readonly Part[], at: number): number {
  const level = parts[at]?.level ?? 0
  const end = parts.findIndex((part, i) => i > at && part.level <= level)
  return end === -1 ? parts.length : end
}

const positionsOf = (parts: readonly Part[], isIt: (part: Part) => boolean): number[] =>
  parts.flatMap((part, at) => (isIt(part) ? [at] : []))

/** The parts after the edits of somebody, whose name is in each heading and paragraph that they wrote. */
export const editAll = (parts: readonly Part[], list: readonly Edit[], who: string): readonly Part[] =>
  list.reduce((known, edit, n) => editOnce(known, edit, `${who}${n}`), parts)

function editOnce(parts: readonly Part[], { kind, at, to }: Edit, who: string): readonly Part[] {
  const write = (text: string, level = TEXT_LEVEL): Part => ({ text, level, by: who })
  const pick = (...levels: readonly number[]): number => {
    const positions = positionsOf(parts, part => levels.includes(part.level))
    return positions[at % Math.max(1, positions.length)] ?? -1
  }
  const note = `Written by ${who} as ${who}.`
  const shared = (n: number): Part => write(TEXTS[n % TEXTS.length] ?? '')
  if (kind <= 2) return parts.toSpliced(1 + (at % parts.length), 0, write(note))
  if (kind === 3) {
    const heading = pick(2, 3)
    const release = [write(`### ${who} 1.15`, 3), shared(to), write(note)]
    return heading === -1 ? parts : parts.toSpliced(endOf(parts, heading), 0, ...release)
  }
  if (kind === 4) {
    const heading = pick(2)
    const place = heading === -1 ? parts.length : to % 2 === 0 ? heading : endOf(parts, heading)
    const title = write(`### ${RELEASES[to % 3]}`, 3)
    return parts.toSpliced(place, 0, write(`## ${who} added`, 2), title, shared(to), write(note))
  }
  if (kind === 5 || kind === 6) {
    const heading = pick(kind === 5 ? 2 : 3)
    return heading === -1 ? parts : parts.toSpliced(heading, endOf(parts, heading) - heading)
  }
  if (kind === 7) return moveSection(parts, pick(to % 3 === 0 ? 3 : 2), to)
  const paragraph = pick(TEXT_LEVEL)
  const known = parts[paragraph]
  if (known === undefined || known.by !== '') return parts
  if (kind === 8) return parts.toSpliced(paragraph, 1)
  return known.text.endsWith('.')
    ? parts.with(paragraph, { ...known, text: `${known.text} Edited by ${who}.` })
    : parts
}

/** Puts a section elsewhere among its siblings. */
function moveSection(parts: readonly Part[], from: number, to: number): readonly Part[] {
  const heading = parts[from]
  if (heading === undefined) return parts
  const section = parts.slice(from, endOf(parts, from))
  const others = parts.toSpliced(from, section.length)
  let [first, last] = [from, from]
  while ((others[first - 1]?.level ?? 0) >= heading.level) first--
  while ((others[last]?.level ?? 0) >= heading.level) last++
  const places = positionsOf(others, ({ level }) => level === heading.level)
    .filter(place => place >= first && place < last)
    .concat(last)
  return others.toSpliced(places[to % places.length] ?? from, 0, ...section)
}

/** The blocks of a text, which are separated by blank lines, and have no author. */
export const readParts = (text: string): Part[] =>
  text
    .split(/\n\n+/)
    .map(part => part.trim())
    .filter(part => part !== '')
    .map(part => ({ text: part, level: /^(#+) /.exec(part)?.[1]?.length ?? TEXT_LEVEL, by: '' }))

/** The headings above each block. */
export function pathsOf(parts: readonly Part[]): string[] {
  const open: Part[] = []
  return parts.map(part => {
    while ((open.at(-1)?.level ?? 0) >= part.level) open.pop()
    const path = open.map(({ text }) => text).join(' > ')
    if (!isText(part)) open.push(part)
    return path
  })
}
