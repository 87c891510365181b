// The most memory that this process had at once, of V8 and of native code alike: what a parser written in another language
// takes is on no heap of JavaScript. Linux reports it, and can reset it; elsewhere nothing is known.
import { readFileSync, writeFileSync } from 'node:fs'

export interface MemoryPeak {
  /** Forgets what was before. */
  begin(): void
  /** Megabytes above the least that there was when one began; 0 where nothing is known. */
  read(): number
}

export function watchMemory(): MemoryPeak {
  // A process that has just let go of much else would seem to take nothing.
  let before = process.memoryUsage.rss()
  let isKnown = true
  return {
    begin() {
      before = Math.min(before, process.memoryUsage.rss())
      try {
        // https://man7.org/linux/man-pages/man5/proc_pid_clear_refs.5.html
        writeFileSync('/proc/self/clear_refs', '5')
      } catch {
        isKnown = false
      }
    },
    read() {
      if (!isKnown) return 0
      const kilobytes = Number(/^VmHWM:\s*(\d+)/m.exec(readStatus())?.[1] ?? 0)
      return Math.max(0, kilobytes * 1024 - before) / 2 ** 20
    },
  }
}

function readStatus(): string {
  try {
    return readFileSync('/proc/self/status', 'latin1')
  } catch {
    return ''
  }
}
