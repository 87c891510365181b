// Random runs of what people do, on the server and on the model.
import fc from 'fast-check'
import { world } from '../../support/world.ts'
import { begin, runs } from './commands.ts'
import { Server } from './server.ts'

const STEPS_MAX = 30

/** Throws with the smallest run that was found to fail, and the seed that finds it again. */
export async function runModel(options: { readonly runs: number; readonly seed?: number }): Promise<void> {
  const server = new Server(await world())
  await fc.assert(
    fc.asyncProperty(runs(STEPS_MAX), commands => fc.asyncModelRun(() => begin(server), commands)),
    {
      numRuns: options.runs,
      ...(options.seed === undefined ? {} : { seed: options.seed }),
      endOnFailure: false,
    },
  )
}
