// Whether and how spans are sent, from the standard variables of OpenTelemetry
// (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/). Nothing in them keeps a server from
// starting: what cannot be followed is a warning. The exporter reads those of its connection itself.
import { readSecretFile } from './secret-files.ts'

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const
type SamplerName = (typeof SAMPLERS)[number]

export type TraceSettings = {
  readonly sampler: SamplerName
  /** For `traceidratio`. */
  readonly ratio: number
  readonly queueMax: number
  readonly batchMax: number
  readonly delayMs: number
  readonly timeoutMs: number
  /** Of a file, instead of a variable. */
  readonly headers?: Readonly<Record<string, string>>
}

type Environment = Readonly<Record<string, string | undefined>>

const ENDPOINTS = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT']
const HEADERS = 'OTEL_EXPORTER_OTLP_HEADERS'
const PROTOCOL = 'http/protobuf'

/** Absent settings: no spans are made. */
export function readTraceSettings(env: Environment): {
  readonly settings?: TraceSettings
  readonly warnings: readonly string[]
} {
  const given = (name: string): string | undefined => env[name]?.trim() || undefined
  const warnings: string[] = []
  const off = (why?: string) => ({ warnings: why === undefined ? [] : [`${why}; no traces are sent.`] })
  if (given('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return off()
  const hasEndpoint = ENDPOINTS.some(name => given(name) !== undefined)
  const exporter = given('OTEL_TRACES_EXPORTER') ?? (hasEndpoint ? 'otlp' : 'none')
  if (exporter === 'none') return off()
  if (exporter !== 'otlp') return off('OTEL_TRACES_EXPORTER has to be otlp or none')
  const protocol =
    given('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') ?? given('OTEL_EXPORTER_OTLP_PROTOCOL') ?? PROTOCOL
  if (protocol !== PROTOCOL)
    return off(`OTEL_EXPORTER_OTLP_PROTOCOL has to be ${PROTOCOL}, which collectors take at port 4318`)
  for (const name of ENDPOINTS) {
    const address = given(name)
    if (address !== undefined && !/^https?:\/\/[^\s]+$/.test(address))
      return off(`${name} has to be an http:// or https:// address`)
  }
  const number = (name: string, fallback: number, max: number): number => {
    const text = given(name)
    if (text === undefined) return fallback
    const value = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN
    if (value <= max) return value
    warnings.push(`${name} has to be a number up to ${max}; ${fallback} is used.`)
    return fallback
  }
  const named = given('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on'
  const sampler = SAMPLERS.find(one => one === named)
  if (sampler === undefined)
    warnings.push(`OTEL_TRACES_SAMPLER has to be one of ${SAMPLERS.join(', ')}; all traces are sent.`)
  const path = given(`${HEADERS}_FILE`)
  const file = path === undefined ? {} : readSecretFile(HEADERS, path, given(HEADERS) !== undefined)
  if (file.problem !== undefined) return off(file.problem.replace(/\.$/, ''))
  const queueMax = Math.max(1, number('OTEL_BSP_MAX_QUEUE_SIZE', 2048, 1_000_000))
  return {
    settings: {
      sampler: sampler ?? 'parentbased_always_on',
      ratio: number('OTEL_TRACES_SAMPLER_ARG', 1, 1),
      queueMax,
      batchMax: Math.min(queueMax, Math.max(1, number('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512, 1_000_000))),
      delayMs: number('OTEL_BSP_SCHEDULE_DELAY', 5_000, 3_600_000),
      timeoutMs: number('OTEL_BSP_EXPORT_TIMEOUT', 30_000, 3_600_000),
      ...(file.text === undefined ? {} : { headers: parseHeaders(file.text) }),
    },
    warnings,
  }
}

/** `name=value,other=value`, percent-encoded. What is not is left out, as the exporter does. */
function parseHeaders(text: string): Record<string, string> {
  const pairs = text.split(',').flatMap(pair => {
    const at = pair.indexOf('=')
    try {
      return at <= 0
        ? []
        : [[decodeURIComponent(pair.slice(0, at).trim()), decodeURIComponent(pair.slice(at + 1).trim())]]
    } catch {
      return []
    }
  })
  return Object.fromEntries(pairs)
}
