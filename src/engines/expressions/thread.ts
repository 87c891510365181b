// The one thread for expressions, which take turns in it. An expression that cannot be interrupted, because it is deep
// in a native function of QuickJS, is ended with the thread; the next one gets a new thread, about 40 ms later.
import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { unavailable } from '../../base/errors.ts'
import { startThread } from '../../base/thread.ts'
import { type Result, type Task, tooLong, tooMuch } from './sandbox.ts'

// Elapsed time after which the thread counts as stuck: several times what it may take, because other threads run too.
const STUCK_MILLISECONDS = 500
const LOOK_MILLISECONDS = 20
const THREAD_MEGABYTES_MAX = 64
// Usually done in a third of a second; in about ten minutes if each of them is the worst possible.
const WAITING_MAX = 1000

let thread: Worker | undefined
let lastTurn: Promise<unknown> = Promise.resolve()
let waiting = 0

/** Throws `unavailable` if too many wait; otherwise it ends, whatever the task does. */
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
  // Callers that wait for an answer also get the error: see ask(). This handles an exit without callers.
  started.on('error', () => {})
  started.on('exit', () => {
    if (thread === started) thread = undefined
  })
  await once(started, 'message')
  return started
}

/** `dead`: the thread broke, which takes exhausted memory or a defect in QuickJS. */
function ask(worker: Worker, task: Task): Promise<Result | 'stuck' | 'dead'> {
  const { promise, resolve } = Promise.withResolvers<Result | 'stuck' | 'dead'>()
  const answer = (result: Result) => resolve(result)
  const die = () => resolve('dead')
  // Two waits instead of one: if this thread was held up, the answer is already there, and it is read between the two
  // timers.
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
