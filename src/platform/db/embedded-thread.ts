// The thread of the embedded database. It sleeps until there is a request; embedded-session.ts ends it if a statement
// does not end.
import { parentPort, workerData } from 'node:worker_threads'
import { assert } from '../../base/assert.ts'
import { now } from '../../base/clock.ts'
import { type SharedChannel, ThreadEnd } from './embedded-channel.ts'
import { type DatabaseLocation, openPostgres, type Settings } from './embedded-postgres.ts'

export interface Work {
  readonly shared: SharedChannel
  readonly place: DatabaseLocation
  readonly settings: Settings
  readonly compiled: WebAssembly.Module | undefined
}
assert(parentPort !== null, 'the embedded database runs in a thread of its own')
const port = parentPort
// `embedded-session.ts` starts it with these.
const { shared, place, settings, compiled } = workerData as Work
const channel = new ThreadEnd(shared)
const postgres = await openPostgres(place, settings, ms => channel.setAlarm(ms), now, compiled)
port.postMessage(postgres.compiled)

for (;;) {
  const request = channel.take()
  if (request === 'dump') channel.answer(await postgres.dump())
  else if (request === 'close') {
    await postgres.close()
    channel.answer(new Uint8Array(0))
    break
  } else {
    const lastWords = await postgres.run(request, part => channel.append(part))
    if (lastWords !== undefined) channel.giveUp(lastWords)
    channel.answer()
    if (lastWords !== undefined) break
  }
}
