// Colours for code, and the pictures that it describes, each made in a thread of their own: a page waits a bounded time
// and then shows its code plain, and what takes too long costs that thread, never the server or the threads that render.
import { LRUCache } from 'lru-cache'
import { sha256 } from '../../base/canonical.ts'
import { Failure } from '../../base/errors.ts'
import { type CodeBlock, DIAGRAMS, isDiagram, type ShownCode } from '../../engines/markdown/html/values.ts'
import type { Highlighter } from '../../http/rendering.ts'
import { createImmutableCache } from '../../platform/cache/cache.ts'
import { createPool } from '../../platform/pool/pool.ts'
import type { Outcome } from '../../platform/pool/thread.ts'
import type { tasks as drawing } from './diagram-tasks.ts'
import type { tasks as colouring } from './highlight-tasks.ts'

export interface HighlighterLimits {
  /** How long one page waits for all of its code. Later results are kept for the next reader. */
  readonly pageMs: number
  /** How long one block may hold the thread before it is ended; includes loading a grammar, about 300 ms cold. */
  readonly blockMs: number
  /** The same for a diagram: within the bounds of what is drawn, the layout takes up to a second and a half. */
  readonly diagramMs: number
  /** In characters; longer code stays plain. */
  readonly codeLengthMax: number
  readonly queueMax: number
  readonly cacheBytesMax: number
}

export const DEFAULT_LIMITS: HighlighterLimits = {
  pageMs: 5_000,
  blockMs: 3_000,
  diagramMs: 3_000,
  codeLengthMax: 100_000,
  queueMax: 500,
  cacheBytesMax: 32 * 1024 * 1024,
}

/** An entry is the answer, or `{}` for "plain": an unknown language, or code that failed too often. */
interface Entry {
  readonly code?: ShownCode
}
const PLAIN: Entry = {}

/** The JavaScript heap of the thread: the grammars of all languages take about 150 MB. */
const MEGABYTES_MAX = 512
/** The same of the thread that draws diagrams: the largest that are drawn take more than half of it. */
const DRAWING_MEGABYTES_MAX = 256
/** How long one block waits behind others. */
const WAIT_MILLISECONDS_MAX = 60_000
// A block that exceeds its bounds is tried twice: the first time, the machine may have been busy.
const FAILURES_MAX = 2
const FAILED_BLOCKS_MAX = 1_000

/** The rough cost of a run besides its text: two array slots, a string header. */
const RUN_BYTES = 60

export function createHighlighter(limits: HighlighterLimits = DEFAULT_LIMITS): Highlighter {
  const cache = createImmutableCache<Entry>({ maxSize: limits.cacheBytesMax, sizeCalculation: sizeOf })
  const bounds = {
    threadsMax: 1,
    personWaitingMax: limits.queueMax,
    waitingMax: limits.queueMax,
    waitMillisecondsMax: WAIT_MILLISECONDS_MAX,
  }
  const colours = createPool<typeof colouring>({
    ...bounds,
    tasks: new URL('./highlight-tasks.ts', import.meta.url),
    megabytesMax: MEGABYTES_MAX,
  })
  const diagrams = createPool<typeof drawing>({
    ...bounds,
    tasks: new URL('./diagram-tasks.ts', import.meta.url),
    megabytesMax: DRAWING_MEGABYTES_MAX,
  })
  const failures = new LRUCache<string, number>({ max: FAILED_BLOCKS_MAX })

  const fail = (key: string): Entry | undefined => {
    const count = (failures.get(key) ?? 0) + 1
    failures.set(key, count)
    return count < FAILURES_MAX ? undefined : PLAIN
  }

  const run = (block: CodeBlock): Promise<Outcome<ShownCode | undefined>> => {
    const { blockMs, diagramMs } = limits
    return block.language === DIAGRAMS
      ? diagrams.run('code', { task: 'draw', input: block.code, millisecondsMax: diagramMs })
      : colours.run('code', { task: 'highlight', input: block, millisecondsMax: blockMs })
  }

  /** Undefined if the code stays plain this time only. */
  const show = async (key: string, block: CodeBlock): Promise<Entry | undefined> => {
    try {
      const outcome = await run(block)
      if (outcome.kind === 'beyond') return fail(key)
      return outcome.value === undefined ? PLAIN : { code: outcome.value }
    } catch (error) {
      // A `Failure` says that too much else waits.
      return error instanceof Failure ? undefined : fail(key)
    }
  }

  const showOne = (block: CodeBlock): Promise<Entry | undefined> | Entry => {
    if (block.language === '' || block.code.length > limits.codeLengthMax) return PLAIN
    const key = sha256(`${block.language}\n${block.code}`)
    return cache.peek(key) ?? cache.get(key, () => show(key, block))
  }

  return {
    async highlight(blocks) {
      const deadline = timeout(limits.pageMs)
      const codes: (ShownCode | undefined)[] = []
      let isComplete = true
      for (const result of blocks.map(showOne)) {
        const settled = result instanceof Promise ? await Promise.race([result, deadline.passed]) : result
        if (settled === undefined) isComplete = false
        codes.push(settled?.code)
      }
      deadline.cancel()
      return { codes, isComplete }
    },
    counts: () => ({ highlighting: colours.counts(), drawing: diagrams.counts() }),
    async close() {
      await Promise.all([colours.end(), diagrams.end()])
    },
  }
}

/** `passed` resolves to undefined after `ms` milliseconds. */
function timeout(ms: number): { passed: Promise<undefined>; cancel(): void } {
  let timer: NodeJS.Timeout | undefined
  const passed = new Promise<undefined>(resolve => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  return { passed, cancel: () => clearTimeout(timer) }
}

function sizeOf({ code = [] }: Entry): number {
  if (isDiagram(code)) return (code.light.length + code.dark.length) * 2 + RUN_BYTES
  return code.reduce(
    (sum, line) => line.reduce((bytes, [text]) => bytes + RUN_BYTES + text.length * 2, sum + RUN_BYTES),
    RUN_BYTES,
  )
}
