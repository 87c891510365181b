// The thread of the embedded database. It sleeps until it is asked: embedded.ts watches it, and ends it when a
// statement does not end.
import { parentPort, workerData } from 'node:worker_threads'
import { assert } from '../../base/assert.ts'
import { now } from '../../base/clock.ts'
import { LineEnd, type LineEnds } from './embedded-line.ts'
import { openPostgres, type Place, type Settings } from './embedded-postgres.ts'

export interface Work {
  readonly ends: LineEnds
  readonly place: Place
  readonly settings: Settings
  readonly compiled: WebAssembly.Module | undefined
}
assert(parentPort !== null, 'the embedded database runs in a thread of its own')
const port = parentPort
const { ends, place, settings, compiled } = workerData as Work
const line = new LineEnd(ends)
const postgres = await openPostgres(place, settings, ms => line.setAlarm(ms), now, compiled)
port.postMessage(postgres.compiled)

for (;;) {
  const request = line.take()
  if (request === 'dump') line.answer(await postgres.dump())
  else if (request === 'close') {
    await postgres.close()
    line.answer(new Uint8Array(0))
    break
  } else {
    const lastWords = await postgres.run(request, part => line.append(part))
    if (lastWords !== undefined) line.giveUp(lastWords)
    line.answer()
    if (lastWords !== undefined) break
  }
}
