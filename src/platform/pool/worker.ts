// The inside of a pool thread: runs tasks one after the other, as thread.ts sends them.
import { parentPort, workerData } from 'node:worker_threads'
import { assert } from '../../base/assert.ts'
import type { FromWorker, TaskFunction, ToWorker } from './messages.ts'

assert(parentPort !== null, 'a worker of the pool runs in a thread of its own')
const port = parentPort
const say = (message: FromWorker, transfer: readonly ArrayBuffer[] = []) =>
  port.postMessage(message, [...transfer])

// The pool names a module that exports the tasks.
const { tasks } = (await import((workerData as { tasks: string }).tasks)) as {
  tasks: Readonly<Record<string, TaskFunction>>
}

let asking: { resolve(answer: unknown): void; reject(error: Error): void } | undefined

function ask(question: unknown): Promise<never> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  asking = { resolve, reject }
  say({ kind: 'question', question })
  // The asking task knows the type of the answer; this thread does not.
  return promise as Promise<never>
}

port.on('message', (message: ToWorker) => {
  if (message.kind === 'answer') return asking?.resolve(message.answer)
  if (message.kind === 'refusal') return asking?.reject(new Error('the question could not be answered'))
  void runTask(message.task, message.input)
})

async function runTask(task: string, input: unknown): Promise<void> {
  try {
    const run = tasks[task]
    assert(run !== undefined, `${task} is a task of the pool`)
    // The pool received the input together with the name of its task.
    const value = await run(input as never, ask)
    say({ kind: 'done', value, processorMs: processorMs() }, ownBuffer(value))
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
    say({ kind: 'failed', message, processorMs: processorMs() })
  }
}

function processorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** Bytes that fill their buffer are transferred instead of copied. */
const ownBuffer = (value: unknown): ArrayBuffer[] =>
  value instanceof Uint8Array &&
  value.buffer instanceof ArrayBuffer &&
  value.byteLength === value.buffer.byteLength
    ? [value.buffer]
    : []

say({ kind: 'ready', processorMs: processorMs() })
