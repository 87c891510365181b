// `node test/conformance/write-back.ts <folder…> [--every N] [--blocks N] [--examples N]`: changes one word of every N-th
// leaf of every page, and inserts, deletes and moves blocks in every N-th place of a kind, writes the page back, and
// prints what else changed, by the block that has the word or the place.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type BlockEdit, editBlocks } from '../support/markdown/block-edits.ts'
import { editWords, type WordEdit } from '../support/markdown/word-edits.ts'

const { values, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    every: { type: 'string', default: '1' },
    blocks: { type: 'string', default: '300' },
    examples: { type: 'string', default: '10' },
  },
})
const every = Number(values.every)
const counts = new Map<string, Record<WordEdit['changed'], number>>()
const total = { word: 0, space: 0, more: 0 }
let examples = Number(values.examples)
let leaf = 0
for (const folder of folders)
  for (const file of globSync('**/*.md', { cwd: folder }).sort()) {
    const source = readFileSync(join(folder, file), 'utf8')
    for (const edit of editWords(source, () => leaf++ % every === 0)) {
      const kind = edit.path
      const found = counts.get(kind) ?? { word: 0, space: 0, more: 0 }
      counts.set(kind, found)
      found[edit.changed]++
      total[edit.changed]++
      if (edit.changed !== 'word' && examples-- > 0) show(join(folder, file), edit)
    }
  }
for (const [kind, { word, space, more }] of [...counts].sort((a, b) => b[1].more - a[1].more))
  if (space + more > 0) console.log(`${word}\t${space}\t${more}\t${kind}`)
console.log(`${total.word}\tonly the word\n${total.space}\twhite space too\n${total.more}\tmore`)

const places = new Map<string, number>()
const isPlace = (name: string): boolean => {
  const count = places.get(name) ?? 0
  places.set(name, count + 1)
  return count % Number(values.blocks) === 0
}
const broken = new Map<string, number>()
const edits = { right: 0, bytes: 0, named: 0, document: 0, words: 0 }
examples = Number(values.examples)
for (const folder of folders)
  for (const file of globSync('**/*.md', { cwd: folder }).sort())
    for (const edit of editBlocks(readFileSync(join(folder, file), 'utf8'), isPlace)) {
      edits[edit.broken ?? 'right']++
      if (edit.broken === undefined) continue
      const kind = `${edit.broken}\t${edit.name}`
      broken.set(kind, (broken.get(kind) ?? 0) + 1)
      if (examples-- > 0) showBlock(join(folder, file), edit)
    }
for (const [kind, count] of [...broken].sort((a, b) => b[1] - a[1])) console.log(`${count}\t${kind}`)
console.log(
  `${edits.right}\tonly the edit\n${edits.bytes}\tother text spelled anew\n${edits.named}\tnamed as not written`,
)
console.log(`${edits.document}\tanother document\n${edits.words}\tother words`)

function showBlock(file: string, { name, broken, lost, gained }: BlockEdit): void {
  const lines = [...lost.map(line => `  - ${line}`), ...gained.map(line => `  + ${line}`)]
  console.log([`${file} ${broken}: ${name}`, ...lines.map(line => line.slice(0, 200)).slice(0, 8)].join('\n'))
}

/** The lines that are different. */
function show(file: string, { before, after, path, word }: WordEdit): void {
  let start = 0
  while (start < before.length && before[start] === after[start]) start++
  let end = 0
  while (end < Math.min(before.length, after.length) - start && before.at(-1 - end) === after.at(-1 - end))
    end++
  const around = (text: string) =>
    JSON.stringify(text.slice(Math.max(0, start - 30), text.length - end + 30).slice(0, 700))
  console.log(`${file} ${path} "${word}"\n  - ${around(before)}\n  + ${around(after)}`)
}
