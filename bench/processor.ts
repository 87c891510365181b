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

function postgresMs(): number {
  let ticks = 0
  for (const name of readdirSync('/proc').filter(entry => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      if (!stat.includes('(postgres)')) continue
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      ticks += Number(fields[11]) + Number(fields[12])
    } catch {
      // It has ended.
    }
  }
  return ticks * TICK_MS
}
