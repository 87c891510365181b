// PDF files. Each is typeset in a thread of its own, which ends with it: one after the other, with bounds on time and
// memory, so that a document costs what it may and leaves nothing behind.
import { unavailable } from '../../base/errors.ts'
import { Thread } from '../pool/thread.ts'
import type { Typeset, TypesetInput } from './typeset-tasks.ts'

export type TypesetDocument = Pick<TypesetInput, 'fonts' | 'ownFonts' | 'texts' | 'pictures'>

export type Outcome =
  | { readonly kind: 'done'; readonly pdf: Uint8Array }
  | { readonly kind: 'beyond'; readonly bound: 'time' | 'memory' }
  | { readonly kind: 'failed'; readonly message: string }

export interface Typesetter {
  /**
   * `readPicture` answers the bytes of a picture by its path, or null.
   *
   * @throws Failure unavailable `busy` when too many documents wait.
   */
  typeset(
    document: TypesetDocument,
    readPicture: (path: string) => Promise<Uint8Array | null>,
  ): Promise<Outcome>
  /** Ends what runs. */
  close(): Promise<void>
}

export type TypesetterBounds = {
  /** Of a processor, for one document. */
  readonly millisecondsMax: number
  /** Of the memory of WebAssembly. */
  readonly megabytesMax: number
  readonly waitingMax: number
}

export const TYPESETTER_BOUNDS: TypesetterBounds = {
  millisecondsMax: 120_000,
  megabytesMax: 1_536,
  waitingMax: 8,
}

/** Of JavaScript: the texts that are handed in, and the document. */
const HEAP_MEGABYTES_MAX = 512

export function createTypesetter(bounds = TYPESETTER_BOUNDS): Typesetter {
  let turn: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let current: Thread | undefined
  let isClosed = false

  const inThread: Typesetter['typeset'] = async (document, readPicture) => {
    if (isClosed) throw busy()
    const thread = new Thread(new URL('./typeset-tasks.ts', import.meta.url), HEAP_MEGABYTES_MAX)
    current = thread
    try {
      const outcome = await thread.carryOut({
        task: 'typeset',
        input: { ...document, megabytesMax: bounds.megabytesMax } satisfies TypesetInput,
        millisecondsMax: bounds.millisecondsMax,
        answer: path => readPicture(path as string),
      })
      if (outcome.kind === 'beyond') return outcome
      const typeset = outcome.value as Typeset
      return typeset.kind === 'beyond memory' ? { kind: 'beyond', bound: 'memory' } : typeset
    } finally {
      current = undefined
      await thread.end()
    }
  }

  return {
    async typeset(document, readPicture) {
      if (waiting >= bounds.waitingMax) throw busy()
      waiting += 1
      const run = turn
        .then(() => inThread(document, readPicture))
        .finally(() => {
          waiting -= 1
        })
      turn = run.catch(() => {})
      return run
    },
    async close() {
      isClosed = true
      await current?.end()
      await turn
    },
  }
}

const busy = () =>
  unavailable('busy', 'Other documents are being made at this moment. Try again in half a minute.')
