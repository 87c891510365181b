// The one thread for expressions, which take turns in it. One that it cannot interrupt itself, because it is deep in a
// native function of QuickJS, is ended with the thread; the next one gets a new thread, some 40 ms later.
import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { unavailable } from '../../base/errors.ts'
import { startThread } from '../../base/thread.ts'
import { type Result, type Task, tooLong, tooMuch } from './sandbox.ts'

// Of the clock, after which the thread counts as stuck: several times what it may take, because others work as well.
const STUCK_MILLISECONDS = 500
const LOOK_MILLISECONDS = 20
const THREAD_MEGABYTES_MAX = 64
// Done in a third of a second as a rule; in some ten minutes when each of them is the worst that can be asked for.
const WAITING_MAX = 1000

let thread: Worker | undefined
let lastTurn: Promise<unknown> = Promise.resolve()
let waiting = 0

/** Throws `unavailable` when too many wait; else ends, whatever the task does. */
export function runInThread(task: Task): Promise<Result> {
  if (waiting >= WAITING_MAX)
    throw unavailable(
      'expressions_busy',
      'Too many expressions are waiting to be evaluated. Try again later.',
    )
  waiting += 1
  const turn = lastTurn
    .then(() => takeTurn(task))
    .finally(() => {
      waiting -= 1
    })
  lastTurn = turn.catch(() => {})
  return turn
}

async function takeTurn(task: Task): Promise<Result> {
  thread ??= await startSandbox()
  const holder = thread
  holder.ref()
  const result = await ask(holder, task)
  holder.unref()
  if (result !== 'stuck' && result !== 'dead') return result
  thread = undefined
  await holder.terminate()
  return result === 'stuck' ? tooLong : tooMuch
}

async function startSandbox(): Promise<Worker> {
  const started = startThread(new URL('./sandbox-thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: THREAD_MEGABYTES_MAX },
  })
  // Callers that wait for an answer get the error as well: see ask(). This handles an exit without callers.
  started.on('error', () => {})
  started.on('exit', () => {
    if (thread === started) thread = undefined
  })
  await once(started, 'message')
  return started
}

/** `dead`: the thread broke under it, which takes an exhausted memory or a defect of QuickJS. */
function ask(worker: Worker, task: Task): Promise<Result | 'stuck' | 'dead'> {
  const { promise, resolve } = Promise.withResolvers<Result | 'stuck' | 'dead'>()
  const answer = (result: Result) => resolve(result)
  const die = () => resolve('dead')
  // Two waits instead of one: when it was this thread that was held up, the answer lies there already, and between
  // two timers it is read.
  let timer = setTimeout(() => {
    timer = setTimeout(() => resolve('stuck'), LOOK_MILLISECONDS)
  }, STUCK_MILLISECONDS)
  worker.on('message', answer).on('error', die).on('exit', die)
  worker.postMessage(task)
  return promise.finally(() => {
    clearTimeout(timer)
    worker.off('message', answer).off('error', die).off('exit', die)
  })
}
