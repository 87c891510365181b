// Writes lines of the log to an open file or pipe. A log that cannot be written, on a full disk or to a reader that has
// left, must not end the server: its lines are dropped, and counted.
import { writeSync } from 'node:fs'
import { isSystemError } from '../base/errors.ts'

// A pipe whose reader is slow, if whoever started this process shares it without blocking.
const FULL_PIPE_WAIT_MS = 10
const FULL_PIPE_WAITS_MAX = 20

const clock = new Int32Array(new SharedArrayBuffer(4))

let dropped = 0
// After a part of a line, the next one begins on a line of its own.
let isWithinLine = false

/** Lines that were lost since the process started. */
export const countDroppedLines = (): number => dropped

/** Writes whole lines at once, or drops what cannot be written. */
export function writeLines(file: number, lines: string): void {
  let rest = Buffer.from(isWithinLine ? `\n${lines}` : lines)
  for (let waits = 0; rest.length > 0; ) {
    try {
      rest = rest.subarray(writeSync(file, rest))
      isWithinLine = rest.length > 0
    } catch (error) {
      const isFullPipe = isSystemError(error) && error.code === 'EAGAIN'
      if (isFullPipe && waits < FULL_PIPE_WAITS_MAX) {
        waits += 1
        Atomics.wait(clock, 0, 0, FULL_PIPE_WAIT_MS)
        continue
      }
      dropped += linesIn(rest)
      return
    }
  }
}

function linesIn(bytes: Buffer): number {
  let lines = 0
  for (const byte of bytes) if (byte === NEWLINE) lines += 1
  return lines
}
const NEWLINE = 0x0a
