// Runs a command, shows its progress and ends it at a signal: in the server that holds the folder, or in this
// process.
import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicMs } from '../base/clock.ts'
import { Failure } from '../base/errors.ts'
import { type Config, readConfig } from '../platform/config.ts'
import { createLog, type Log } from '../platform/log.ts'
import { type CommandContext, interrupted } from './command-context.ts'
import type { CommandName, OptionsOf, ResultOf } from './commands.ts'
import { createProgressView } from './progress.ts'
import { isServing, runRemotely } from './remote.ts'
import type { Runtime } from './runtime.ts'

export function prepare(logLevel?: string): { config: Config; log: Log } {
  const config = readConfig()
  return { config, log: createLog(logLevel ?? config.logLevel) }
}

export const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const

// npm and the terminal or supervisor that it runs in both pass on the same signal.
const SAME_SIGNAL_MS = 300

/** Tells of the first of `signals`, and resolves with it. A second one ends the process at once, as a crash would. */
export function stopAt(
  signals: readonly NodeJS.Signals[],
  tell: (signal: NodeJS.Signals) => void,
): Promise<NodeJS.Signals> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>()
  let firstAt: number | undefined
  for (const name of signals)
    process.on(name, signal => {
      if (firstAt === undefined) {
        firstAt = monotonicMs()
        tell(signal)
        resolve(signal)
      } else if (monotonicMs() - firstAt > SAME_SIGNAL_MS) {
        process.exit(SIGNAL_STATUS + constants.signals[signal])
      }
    })
  return promise
}

// What shells say of a process that a signal ended.
const SIGNAL_STATUS = 128

/** Runs in the server that holds the folder if there is one, else in this process, which locks the folder. */
export async function runCommand<Name extends CommandName>(
  name: Name,
  options: OptionsOf<Name>,
): Promise<ResultOf<Name>> {
  return withContext(async context => {
    const { config, log } = prepare('warn')
    const runtime = await openUnlessServing(config, log)
    if (runtime === undefined) return await runRemotely(config.home, name, options, context)
    const { commands } = await import('./commands.ts')
    try {
      return await commands[name](runtime.services, options, context)
    } finally {
      await runtime.close()
    }
  })
}

/** Shows progress, and aborts at the first signal. */
export async function withContext<T>(run: (context: CommandContext) => Promise<T>): Promise<T> {
  const view = createProgressView(process.stderr, monotonicMs)
  const abort = new AbortController()
  void stopAt(STOP_SIGNALS, () => abort.abort())
  const context: CommandContext = { emit: view.show, signal: abort.signal }
  try {
    return await run(context)
  } catch (error) {
    throw abort.signal.aborted ? interrupted(error) : error
  } finally {
    view.finish()
  }
}

// A server that has just been started holds the folder for some time before it listens: seconds, or many more on a
// busy machine.
const STARTING_MS_MAX = 60_000
const LOOK_MS = 100

/** Undefined if a server on this folder can be asked instead. */
async function openUnlessServing(config: Config, log: Log): Promise<Runtime | undefined> {
  const end = monotonicMs() + STARTING_MS_MAX
  for (;;) {
    if (await isServing(config.home)) return undefined
    const { openRuntime } = await import('./runtime.ts')
    try {
      return await openRuntime(config, log)
    } catch (error) {
      const isHeld = error instanceof Failure && error.code === 'home_in_use'
      if (!isHeld || monotonicMs() > end) throw error
    }
    await sleep(LOOK_MS)
  }
}
