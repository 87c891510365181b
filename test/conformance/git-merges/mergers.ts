// The two that are compared: `git merge-file`, and the merge of documents.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BlockConflict, SettleBlock } from '../../../src/engines/content/merge-conflicts.ts'
import { mergeDocuments } from '../../../src/engines/content/merge-documents.ts'
import type { Versions } from '../../../src/engines/content/versions.ts'
import { blocks } from '../../../src/engines/markdown/page/page.ts'

/** The merged text, at conflicts that of ours; and what each has at every conflict. */
export type Outcome<Conflict> = { readonly text: string; readonly conflicts: readonly Conflict[] }

/** The lines of one conflict. */
export type Hunk = Versions<readonly string[]>

/** A merge, with a side taken at every conflict, or a mark for each. */
export type Merge = (versions: Versions, take?: keyof Versions | SettleBlock) => Outcome<BlockConflict>

export const mergeByOctavo: Merge = (versions, take) => {
  const conflicts: BlockConflict[] = []
  const text = mergeDocuments(versions, blocks, conflict => {
    conflicts.push(conflict)
    return typeof take === 'function' ? take(conflict) : take && conflict[take]
  })
  return { text, conflicts }
}

// Longer than any line of signs that a document has.
const MARKER = 60

export class Git {
  readonly #folder = mkdtempSync(join(tmpdir(), 'octavo-merges-'))

  /** `git merge-file`, as `git merge` merges the text of a file. */
  merge({ base, ours, theirs }: Versions): Outcome<Hunk> {
    for (const [name, text] of Object.entries({ base, ours, theirs }))
      writeFileSync(join(this.#folder, name), text)
    return readMarked(
      this.#run('merge-file', '-p', '-q', '--diff3', `--marker-size=${MARKER}`, 'ours', 'base', 'theirs'),
    )
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #run(...args: string[]): string {
    try {
      return execFileSync('git', args, {
        cwd: this.#folder,
        encoding: 'utf8',
        maxBuffer: 1 << 28,
        stdio: 'pipe',
      })
    } catch (error) {
      // Its status is the number of conflicts.
      const { status, stdout } = error as { status: number | null; stdout: string }
      if (status !== null && status > 0 && status < 128) return stdout
      throw error
    }
  }
}

const PARTS = { '<': 'ours', '|': 'base', '=': 'theirs' } as const

function readMarked(marked: string): Outcome<Hunk> {
  const text: string[] = []
  const conflicts: Hunk[] = []
  let hunk: { base: string[]; ours: string[]; theirs: string[] } | undefined
  let part: keyof Versions = 'ours'
  for (const line of marked.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const sign = /^([<|=>])\1{59}(?!\1)/.exec(line)?.[1]
    if (sign === undefined) {
      if (hunk === undefined) text.push(line)
      else hunk[part].push(line)
      if (hunk !== undefined && part === 'ours') text.push(line)
    } else if (sign === '>') {
      if (hunk !== undefined) conflicts.push(hunk)
      hunk = undefined
    } else {
      hunk ??= { base: [], ours: [], theirs: [] }
      part = PARTS[sign as keyof typeof PARTS]
    }
  }
  return { text: text.join(''), conflicts }
}
