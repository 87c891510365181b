// What memory a process of this machine holds. Read from /proc: 0 except on Linux.
import { readFileSync } from 'node:fs'

/** In MiB: the most that was resident since it started. */
export const peakMegabytesOf = (pid: number | undefined): number => statusOf(pid, 'VmHWM')

/** In MiB: what is resident now. */
export const residentMegabytesOf = (pid: number | undefined): number => statusOf(pid, 'VmRSS')

function statusOf(pid: number | undefined, field: 'VmHWM' | 'VmRSS'): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024)
  } catch {
    return 0
  }
}
