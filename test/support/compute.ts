// Tasks of the pool carried out at once, in the thread of the test: where it measures them, or has no pool.
import type { Compute } from '../../src/compute/compute.ts'
import { catalogue } from '../../src/compute/tasks.ts'

export const atOnce: Pick<Compute, 'run'> = {
  run: async (name, _lane, input, ...[answer]) => {
    const task = await catalogue[name].load()
    return { kind: 'done', value: await task(input as never, answer as never) } as never
  },
}
