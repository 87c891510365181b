// Parameters of addresses as text: those of the path, and those of the query.
import type { FastifyRequest } from 'fastify'

/** A path parameter; empty if the route has none of this name. */
export function pathParameter({ params }: FastifyRequest, name: string): string {
  // Fastify types parameters by route, but this function serves several routes.
  const { [name]: value = '' } = params as Readonly<Record<string, string | undefined>>
  return value
}

/** The rest of the path in a route that ends with `*`, without slashes around it. */
export const restOfPath = (request: FastifyRequest): string =>
  pathParameter(request, '*').replace(/^\/+|(?<!\/)\/+$/g, '')

/** A query parameter; undefined if absent, empty if repeated. */
export function queryParameter({ query }: FastifyRequest, name: string): string | undefined {
  const { [name]: value } = query as Readonly<Record<string, unknown>>
  return value === undefined || typeof value === 'string' ? value : ''
}
