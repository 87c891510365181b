// PDF files, each typeset in a thread of its own that ends with it, with bounds on time and memory, so that a
// document's cost is limited and leaves nothing behind.
import { totalmem } from 'node:os'
import { unavailable } from '../../base/errors.ts'
import { Thread } from '../pool/thread.ts'
import type { Typeset, TypesetInput } from './typeset-tasks.ts'

export type TypesetDocument = Omit<TypesetInput, 'megabytesMax'>

export type Outcome =
  | { readonly kind: 'done'; readonly pdf: Uint8Array }
  | { readonly kind: 'beyond'; readonly bound: 'time' | 'memory' }
  | { readonly kind: 'failed'; readonly message: string }

export type TypesetBounds = {
  /** Processor time. */
  readonly millisecondsMax: number
  /** WebAssembly memory. */
  readonly megabytesMax: number
}

const MEGABYTE = 1024 * 1024
/** A thousand sheets take some 1.1 GB. */
const MEGABYTES_MAX = 1_536
/** Of the memory of the machine, or of the container. */
const MEMORY_SHARE_MAX = 0.4

const memoryBytes = (): number =>
  Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)

export const TYPESET_BOUNDS: TypesetBounds = {
  millisecondsMax: 120_000,
  megabytesMax: Math.min(MEGABYTES_MAX, Math.floor((memoryBytes() * MEMORY_SHARE_MAX) / MEGABYTE)),
}

/** JavaScript heap: the input texts, and the file. */
const HEAP_MEGABYTES_MAX = 512

export interface Typesetter {
  /**
   * `readPicture` answers the bytes of a picture by its path, or null.
   *
   * @throws Failure unavailable when the server stops.
   */
  typeset(
    document: TypesetDocument,
    readPicture: (path: string) => Promise<Uint8Array | null>,
  ): Promise<Outcome>
  /** Ends running work. */
  close(): Promise<void>
}

export function createTypesetter({
  millisecondsMax,
  megabytesMax,
}: TypesetBounds = TYPESET_BOUNDS): Typesetter {
  const threads = new Set<Thread>()
  let isClosed = false
  return {
    async typeset(document, readPicture) {
      if (isClosed) throw stopping()
      const thread = new Thread(new URL('./typeset-tasks.ts', import.meta.url), HEAP_MEGABYTES_MAX)
      threads.add(thread)
      try {
        // The thread runs one task, which asks for pictures by path and answers a `Typeset`.
        const outcome = await thread.run({
          task: 'typeset',
          input: { ...document, megabytesMax } satisfies TypesetInput,
          millisecondsMax,
          answer: path => readPicture(path as string),
        })
        if (outcome.kind === 'beyond') return outcome
        const typeset = outcome.value as Typeset
        return typeset.kind === 'beyond memory' ? { kind: 'beyond', bound: 'memory' } : typeset
      } catch (error) {
        throw isClosed ? stopping() : error
      } finally {
        threads.delete(thread)
        await thread.end()
      }
    },
    async close() {
      isClosed = true
      await Promise.all([...threads].map(thread => thread.end()))
    },
  }
}

const stopping = () => unavailable('stopping', 'The server is stopping. Try again in a minute.')
