// Spans of traces, wherever work takes time. Without a tracer, which is the rule, `traced` runs its function and does
// nothing else. What a span is called, and what its attributes say, is of the program: nothing that a person wrote, no
// path, query or address of a client, no secret.

export type Attributes = Readonly<Record<string, string | number | boolean>>

/** What a span is about, as OpenTelemetry has it: `server` answers somebody, `client` asks another server. */
export type SpanKind = 'server' | 'client' | 'internal'

export type SpanStart = {
  readonly name: string
  readonly kind: SpanKind
  readonly attributes?: Attributes
  /** The header of this name of a trusted caller (W3C Trace Context). */
  readonly traceparent?: string | undefined
  /** Begins a trace of its own, even within another. */
  readonly isRoot?: boolean
}

export interface Span {
  set(attributes: Attributes): void
  rename(name: string): void
  /** `error`: what went wrong, as a kind or a code; absent: nothing did. Ends it once, however often it is called. */
  end(error?: string): void
}

export interface Tracer {
  start(start: SpanStart): Span
  /** Spans that begin in `run` are below this one. */
  within<T>(span: Span, run: () => T): T
}

let tracer: Tracer | undefined

/** One tracer for the process, as its variables are of the process. Undefined ends the tracing. */
export function setTracer(next: Tracer | undefined): void {
  tracer = next
}

export const currentTracer = (): Tracer | undefined => tracer

/** Runs `run` in a span, which ends with it. */
export function traced<T>(start: SpanStart, run: (span: Span | undefined) => Promise<T>): Promise<T> {
  return tracer === undefined ? run(undefined) : inSpan(tracer, start, run)
}

async function inSpan<T>(by: Tracer, start: SpanStart, run: (span: Span) => Promise<T>): Promise<T> {
  const span = by.start(start)
  try {
    const result = await by.within(span, () => run(span))
    span.end()
    return result
  } catch (error) {
    span.end(nameOf(error))
    throw error
  }
}

/** The code of a failure, else the name of an error. Never its message, which may quote anything. */
export function nameOf(error: unknown): string {
  const { code, name } = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>
  if (typeof code === 'string') return code
  return typeof name === 'string' ? name : 'error'
}
