// Paragraphs of real documentation: lines that are prose, without marks.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../../../shared/corpus')
const FILES_MAX = 60
const PARAGRAPHS_MAX = 120

export function proseOf(name: string, language: string): { text: string; language: string }[] {
  const folder = join(FOLDER, name)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.md') && !/SUMMARY|LICENSE|ATTRIBUTION/.test(file))
    .sort()
  const every = Math.max(1, Math.floor(files.length / FILES_MAX))
  return files
    .filter((_, at) => at % every === 0)
    .flatMap(file => readFileSync(join(folder, file), 'utf8').split('\n'))
    .filter(
      line =>
        /^[\p{Lu}\p{Script=Han}]/u.test(line) &&
        line.length > 60 &&
        line.length < 900 &&
        !/[[\]<>{}|*`]/.test(line),
    )
    .slice(0, PARAGRAPHS_MAX)
    .map(text => ({ text, language }))
}
