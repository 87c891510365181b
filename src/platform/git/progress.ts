// Git's progress on standard error, as numbers.

export type ProgressReport = {
  /** In order: the remote packs, we receive, we unpack. */
  readonly stage: 'preparing' | 'receiving' | 'resolving'
  /** Objects. */
  readonly done: number
  readonly total: number
}

const STAGES = new Map<string, ProgressReport['stage']>([
  ['Compressing objects', 'preparing'],
  ['Receiving objects', 'receiving'],
  ['Resolving deltas', 'resolving'],
])
const LINE = /^(?:remote: )?(Compressing objects|Receiving objects|Resolving deltas): +\d+% \((\d+)\/(\d+)\)/
// A progress line is short; a longer one is not progress, and its end is not awaited.
const LINE_CHARACTERS_MAX = 300

/** Takes standard error in pieces and reports each step once. */
export function progressReader(onProgress: (report: ProgressReport) => void): (text: string) => void {
  let rest = ''
  return text => {
    const lines = (rest + text).split(/[\r\n]/)
    rest = (lines.pop() ?? '').slice(0, LINE_CHARACTERS_MAX)
    for (const line of lines) {
      const [, name = '', done, total] = LINE.exec(line) ?? []
      const stage = STAGES.get(name)
      if (stage !== undefined) onProgress({ stage, done: Number(done), total: Number(total) })
    }
  }
}
