// What a server spends: the time of a processor in all of its threads, and with PostgreSQL that of its processes on this
// machine.
import { readdirSync, readFileSync } from 'node:fs'
import type { BenchServer } from './measure.ts'

/** For `OCTAVO_METRICS_TOKEN` of the server. */
export const METRICS_TOKEN = 'a-token-for-metrics'

export async function metricsOf({ url }: BenchServer): Promise<string> {
  return (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })).text()
}

/** Milliseconds since it started. */
export async function processorMs(server: BenchServer): Promise<number> {
  const own = Number(/^process_cpu_seconds_total (\S+)/m.exec(await metricsOf(server))?.[1]) * 1_000
  return process.env.DATABASE_URL === undefined ? own : own + postgresMs()
}

const TICK_MS = 10

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
