// Shows in a corner what is sent, from the first time on.
import { showInCorner } from '../data/corner.ts'
import { putUnderWay, type UnderWay } from '../data/under-way.ts'

/** A new one, or what has become of it. */
export function showUnderWay(one: UnderWay): void {
  putUnderWay(one)
  // Without a network it comes with the next one.
  import('./under-way-corner.tsx').then(
    ({ default: Corner }) => showInCorner('sent', Corner),
    () => {},
  )
}
