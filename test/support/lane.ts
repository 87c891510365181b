// A lane is one process that runs many test files, one after the other (tools/lane.ts). What costs much to open and
// harms nobody when it is shared lives as long as the lane; in a process of one file it lives as long as the file.
import { after } from 'node:test'

type Close = () => unknown

const closes: Close[] = []
let isLane = false

/** Said by the process that runs many files, before the first. */
export function beginLane(): void {
  isLane = true
}

/** Closes what `whenDone` was given, the last first. */
export async function endLane(): Promise<void> {
  for (let close = closes.pop(); close !== undefined; close = closes.pop()) await close()
}

/** Closes something that files share: at the end of the lane, or of the file where it is alone. */
export function whenDone(close: Close): void {
  if (isLane) closes.push(close)
  else after(async () => void (await close()))
}
