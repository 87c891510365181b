// Begins to send spans, where the operator has set that up. The library is loaded then, and never otherwise.
import { setTracer } from '../../base/traces.ts'
import type { Log } from '../log.ts'
import type { TraceSettings } from '../trace-settings.ts'

/** Sends what is left, for at most a few seconds, and ends. */
export type EndTracing = () => Promise<void>

export async function startTracing(settings: TraceSettings | undefined, log: Log): Promise<EndTracing> {
  if (settings === undefined) return async () => {}
  try {
    const { openTelemetry } = await import('./open-telemetry.ts')
    const { tracer, end } = openTelemetry(settings, log)
    setTracer(tracer)
    return async () => {
      setTracer(undefined)
      await end()
    }
  } catch (error) {
    log.warn({ err: error }, 'traces cannot be sent')
    return async () => {}
  }
}
