// `node test/conformance/merge-against-git.ts <repository> [--json] [--examples N] [--only KIND] [--most N]`: every file
// that two sides of a merge in the history of the repository both changed, merged by Octavo and by `git merge-file`.
// Prints the classes with examples, or counts alone as JSON. Fails where a law is broken, a replacement is passed over, a
// conflict of git alone is of no kind, or Octavo alone stops at too many files.
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readFileMerges } from './git-merges/history.ts'
import { listFaults, type Report, toReport } from './git-merges/report.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    examples: { type: 'string', default: '2' },
    only: { type: 'string' },
    most: { type: 'string', default: String(Number.MAX_SAFE_INTEGER) },
  },
})
const [repository] = positionals
if (repository === undefined || !existsSync(repository)) {
  console.error(
    'usage: node test/conformance/merge-against-git.ts <repository> [--json] [--examples N] [--only KIND]',
  )
  process.exit(2)
}

const report = await toReport(readFileMerges(repository), {
  examplesMax: Number(values.examples),
  filesMax: Number(values.most),
})
if (values.json) console.log(JSON.stringify(report.counts))
else print(report)
const faults = listFaults(report.counts)
for (const fault of faults) console.error(fault)
process.exitCode = faults.length > 0 ? 1 : 0

function print({ counts, examples }: Report): void {
  console.log(JSON.stringify(counts, undefined, 2))
  for (const [name, list] of examples) {
    if (values.only !== undefined && name !== values.only) continue
    for (const { commit, path, parts } of list) {
      console.log(`\n==== ${name}: ${commit.slice(0, 12)} ${path}`)
      for (const [title, text] of Object.entries(parts)) console.log(`---- ${title}\n${text}`)
    }
  }
}
