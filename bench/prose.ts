// Made-up content.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const WORDS =
  'the reader finds a page by its words and every section of it says one thing that a writer meant to say about how this part of the product is set up used and mended when it fails'.split(
    ' ',
  )

/** Markdown of about `bytes`, the same for the same seed. */
export function proseOf(seed: number, bytes: number): string {
  let text = `# Page ${seed}\n\n`
  let state = seed * 2654435761 + 1
  const next = () => {
    state = (state * 1664525 + 1013904223) % 4294967296
    return state
  }
  while (text.length < bytes) {
    if (next() % 5 === 0) text += `\n## Section ${next() % 1000}\n\n`
    const words = Array.from({ length: 12 + (next() % 20) }, () => WORDS[next() % WORDS.length])
    text += `${words.join(' ')}.\n\n`
  }
  return text
}

/** A GitBook layout of `pages` pages in folders of `perFolder`, below `folder`. */
export function writeProject(folder: string, pages: number, bytes: number, perFolder = 25): void {
  const lines = ['# Table of contents', '', '* [Start](README.md)']
  writeFile(join(folder, 'README.md'), '# Start\n\nHere it begins.\n')
  for (let page = 1; page < pages; page++) {
    const group = Math.floor((page - 1) / perFolder)
    const isFirst = (page - 1) % perFolder === 0
    const file = isFirst ? `part-${group}/README.md` : `part-${group}/page-${page}.md`
    lines.push(`${isFirst ? '' : '  '}* [Page ${page}](${file})`)
    writeFile(join(folder, file), proseOf(page, bytes))
  }
  writeFile(join(folder, 'SUMMARY.md'), `${lines.join('\n')}\n`)
}

export function writeFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
