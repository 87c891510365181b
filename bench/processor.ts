// What a server spends: the time of a processor in all of its threads, and with PostgreSQL that of its processes on this
// machine. Read from /proc, which Linux has.
import { readdirSync, readFileSync } from 'node:fs'
import { DATABASE } from './measure.ts'

const TICK_MS = 10

/** Milliseconds since the process started. */
export const ownProcessorMs = (pid: number): number => statOf(String(pid))?.ms ?? 0

/** The same with those of PostgreSQL, where it is used. */
export const processorMs = (pid: number): number =>
  ownProcessorMs(pid) + (DATABASE === 'embedded' ? 0 : postgresMs())

/** The metrics of a server that was started with `METRICS`. */
export async function metricsOf({ url }: { readonly url: string }): Promise<string> {
  return (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })).text()
}
const METRICS_TOKEN = 'a-token-for-metrics'
export const METRICS = { OCTAVO_METRICS_TOKEN: METRICS_TOKEN } as const

/** The milliseconds that the processes take which `pid` has started, and have taken which those had started. */
export function descendantsMs(pid: number): number {
  const stats = processes()
  const of = (parent: number): number =>
    stats
      .filter(stat => stat.parent === parent)
      .reduce((sum, child) => sum + child.ms + child.endedChildrenMs + of(child.pid), 0)
  return of(pid)
}

/** The milliseconds that the processes took which this one has started, once they have ended. */
export const endedChildrenMs = (): number => statOf('self')?.endedChildrenMs ?? 0

const postgresMs = (): number =>
  processes().reduce((sum, { name, ms }) => sum + (name === 'postgres' ? ms : 0), 0)

const processes = () =>
  readdirSync('/proc').flatMap(entry => (/^\d+$/.test(entry) ? (statOf(entry) ?? []) : []))

/** Undefined for a process that has ended. */
function statOf(entry: string) {
  try {
    const stat = readFileSync(`/proc/${entry}/stat`, 'utf8')
    const [open, close] = [stat.indexOf('('), stat.lastIndexOf(')')]
    const fields = stat
      .slice(close + 2)
      .split(' ')
      .map(Number)
    const [, parent = 0, , , , , , , , , , user = 0, system = 0, childrenUser = 0, childrenSystem = 0] =
      fields
    return {
      ...{ pid: Number.parseInt(stat, 10), name: stat.slice(open + 1, close), parent },
      ms: (user + system) * TICK_MS,
      endedChildrenMs: (childrenUser + childrenSystem) * TICK_MS,
    }
  } catch {
    return undefined
  }
}
