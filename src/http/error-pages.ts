// Refusals for people: outside the API, a browser gets a page instead of JSON.
import type { FastifyRequest } from 'fastify'
import type { ErrorReply } from './failures.ts'
import { parseQualityValues } from './quality-values.ts'

/** Renders a refusal. If it throws, the caller gets JSON instead. */
export type ErrorPage = (request: FastifyRequest, reply: ErrorReply) => Promise<ErrorPageAnswer>

export type ErrorPageAnswer = { readonly headers: Readonly<Record<string, string>>; readonly body: string }

/** Whether the caller wants a page. Everything below `/v1` is for programs, whatever they claim to accept. */
export const wantsPage = ({ url, headers }: FastifyRequest): boolean =>
  !/^\/v1(?:[/?#]|$)/.test(url) && prefersHtml(headers.accept)

/**
 * RFC 9110 §12.5.1. HTML has to be named: a program that accepts everything gets JSON. HTML with a lower weight than
 * JSON is not preferred.
 */
export function prefersHtml(accept: string | undefined): boolean {
  const weights = parseQualityValues(accept ?? '')
  const html = Math.max(weights.get('text/html') ?? 0, weights.get('application/xhtml+xml') ?? 0)
  return html > 0 && html >= (weights.get('application/json') ?? 0)
}
