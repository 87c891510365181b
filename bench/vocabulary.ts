// Text for searching: words as often as words are written (Zipf's law), out of ten thousand invented ones.
import { join } from 'node:path'
import { writeFile } from './prose.ts'

const WORDS = 10_000
const SYLLABLES = [
  'ba',
  'de',
  'ki',
  'lo',
  'mu',
  'na',
  'pe',
  'ri',
  'so',
  'tu',
  'va',
  'ze',
  'shi',
  'tro',
  'qua',
  'ble',
]

/** The word that is the n-th most common. */
export function wordAt(n: number): string {
  let word = ''
  for (let rest = n + 17; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    word += SYLLABLES[rest % SYLLABLES.length]
  return word
}

// Where a share of all words that are written is reached.
const SUMS = Float64Array.from({ length: WORDS })
for (let n = 0, sum = 0; n < WORDS; n++) SUMS[n] = sum += 1 / (n + 1)

function rankAt(share: number): number {
  const wanted = share * (SUMS[WORDS - 1] as number)
  let low = 0
  for (let high = WORDS - 1; low < high; ) {
    const middle = (low + high) >> 1
    if ((SUMS[middle] as number) < wanted) low = middle + 1
    else high = middle
  }
  return low
}

/** Markdown of about `bytes` with a title and sections, the same for the same seed. */
export function textOf(seed: number, bytes: number): string {
  let state = (seed * 2654435761 + 1) % 4294967296
  const next = () => {
    state = (state * 1664525 + 1013904223) % 4294967296
    return state / 4294967296
  }
  const words = (count: number) => Array.from({ length: count }, () => wordAt(rankAt(next()))).join(' ')
  let text = `# ${words(3)}\n\n`
  while (text.length < bytes) {
    if (next() < 0.2) text += `\n## ${words(3)}\n\n`
    text += `${words(12 + Math.floor(next() * 20))}.\n\n`
  }
  return text
}

/** A GitBook layout of `pages` such texts, 50 in a folder. */
export function writeTexts(folder: string, pages: number, bytes: number): void {
  const lines = ['# Table of contents', '']
  for (let page = 0; page < pages; page++) {
    const file = `part-${Math.floor(page / 50)}/page-${page}.md`
    const text = textOf(page, bytes)
    writeFile(join(folder, file), text)
    lines.push(`* [${titleOf(text)}](${file})`)
  }
  writeFile(join(folder, 'SUMMARY.md'), `${lines.join('\n')}\n`)
}

export const titleOf = (text: string): string => text.slice(2, text.indexOf('\n'))
