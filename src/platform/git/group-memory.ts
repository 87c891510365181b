// The memory of a process and its descendants, as Linux reports it. Git holds in memory what hosts send, without a
// bound: an endless list of refs would take all memory of the machine.
import { readFile } from 'node:fs/promises'

// Git starts a helper for http, which in turn starts the unpacker.
const DEPTH_MAX = 4
const PROCESSES_MAX = 50

/** In bytes, without mapped files; 0 on other systems, which do not report it. */
export async function groupMemory(pid: number): Promise<number> {
  let bytes = 0
  let count = 0
  let level = [pid]
  for (let depth = 0; depth < DEPTH_MAX && level.length > 0 && count < PROCESSES_MAX; depth += 1) {
    const found = await Promise.all(level.slice(0, PROCESSES_MAX).map(readProcess))
    bytes += found.reduce((sum, one) => sum + one.bytes, 0)
    count += level.length
    level = found.flatMap(({ children }) => children)
  }
  return bytes
}

/** A process that has ended uses none. */
async function readProcess(pid: number): Promise<{ bytes: number; children: number[] }> {
  const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'latin1').catch(() => '')
  const [status, children] = await Promise.all([read('status'), read(`task/${pid}/children`)])
  const [, kilobytes = '0'] = /^RssAnon:\s*(\d+) kB$/m.exec(status) ?? []
  return { bytes: Number(kilobytes) * 1024, children: children.split(' ').filter(Boolean).map(Number) }
}
