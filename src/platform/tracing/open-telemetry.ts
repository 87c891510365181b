// The tracer of OpenTelemetry: spans go in batches to a collector, as OTLP over HTTP.
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Span as ApiSpan,
  type Context,
  SpanKind as Kind,
  ROOT_CONTEXT,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { monotonicMs } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import type { Attributes, Span, SpanKind, Tracer } from '../../base/traces.ts'
import type { Log } from '../log.ts'
import type { TraceSettings } from '../trace-settings.ts'
import { VERSION } from '../version.ts'

const WARN_EVERY_MS = 60_000
const END_MS_MAX = 3_000
/** Nothing that we name is longer. */
const VALUE_CHARACTERS_MAX = 300

const KINDS: Readonly<Record<SpanKind, Kind>> = {
  server: Kind.SERVER,
  client: Kind.CLIENT,
  internal: Kind.INTERNAL,
}

/** `end`: sends what is left, within a few seconds. */
export function openTelemetry(
  settings: TraceSettings,
  log: Log,
): { readonly tracer: Tracer; end(): Promise<void> } {
  const { headers, queueMax, batchMax, delayMs, timeoutMs } = settings
  const exporter = warning(
    new OTLPTraceExporter(headers === undefined ? {} : { headers: { ...headers } }),
    log,
  )
  const provider = new TracerProvider({
    resource: resourceOf(),
    sampler: samplerOf(settings),
    spanLimits: { attributeValueLengthLimit: VALUE_CHARACTERS_MAX },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: queueMax,
        maxExportBatchSize: batchMax,
        scheduledDelayMillis: delayMs,
        exportTimeoutMillis: timeoutMs,
      }),
    ],
  })
  const made = provider.getTracer('octavo', VERSION)
  const current = new AsyncLocalStorage<Context>()
  const tracer: Tracer = {
    start({ name, kind, attributes = {}, traceparent, isRoot = false }) {
      const parent = isRoot ? ROOT_CONTEXT : (remote(traceparent) ?? current.getStore() ?? ROOT_CONTEXT)
      return new OwnSpan(made.startSpan(name, { kind: KINDS[kind], attributes }, parent), parent)
    },
    within: (span, run) =>
      span instanceof OwnSpan ? current.run(trace.setSpan(span.parent, span.own), run) : run(),
  }
  return {
    tracer,
    end: () =>
      Promise.race([provider.shutdown().catch(() => {}), sleep(END_MS_MAX, undefined, { ref: false })]),
  }
}

class OwnSpan implements Span {
  readonly own: ApiSpan
  readonly parent: Context
  #isOver = false

  constructor(own: ApiSpan, parent: Context) {
    this.own = own
    this.parent = parent
  }

  set(attributes: Attributes): void {
    this.own.setAttributes(attributes)
  }

  rename(name: string): void {
    this.own.updateName(name)
  }

  end(error?: string): void {
    if (this.#isOver) return
    this.#isOver = true
    if (error !== undefined) {
      this.own.setAttribute('error.type', error)
      this.own.setStatus({ code: SpanStatusCode.ERROR })
    }
    this.own.end()
  }
}

// https://www.w3.org/TR/trace-context/#traceparent-header
const TRACEPARENT = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:$|-)/

/** Undefined for a header that is none, or invalid. */
function remote(header: string | undefined): Context | undefined {
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(header ?? '') ?? []
  if (/^0*$/.test(traceId) || /^0*$/.test(spanId) || header?.startsWith('ff')) return undefined
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}

/** OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES go first. */
const resourceOf = (): Resource =>
  defaultResource()
    .merge(
      resourceFromAttributes({
        'service.name': 'octavo',
        'service.version': VERSION,
        'service.instance.id': newId(),
      }),
    )
    .merge(detectResources({ detectors: [envDetector] }))

function samplerOf({ sampler, ratio }: TraceSettings): Sampler {
  const roots = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  }
  switch (sampler) {
    case 'always_on':
    case 'always_off':
    case 'traceidratio':
      return roots[sampler]()
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: roots.always_on() })
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: roots.always_off() })
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: roots.traceidratio() })
  }
}

/** Says once a minute that spans do not arrive. */
function warning(exporter: SpanExporter, log: Log): SpanExporter {
  let warnedAt = Number.NEGATIVE_INFINITY
  return {
    export: (spans, done) =>
      exporter.export(spans, result => {
        if (result.code !== 0 && monotonicMs() - warnedAt > WARN_EVERY_MS) {
          warnedAt = monotonicMs()
          log.warn({ err: result.error, spans: spans.length }, 'the collector of traces does not take spans')
        }
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}
