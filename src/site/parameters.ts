// Parameters of addresses, as text: of the path, and of the query.
import type { FastifyRequest } from 'fastify'

/** A parameter of the path; empty where the route has none of this name. */
export function pathParameter({ params }: FastifyRequest, name: string): string {
  // Fastify types parameters by route, which a function for several routes does not know.
  const { [name]: value = '' } = params as Readonly<Record<string, string | undefined>>
  return value
}

/** The rest of the path, of a route that ends with `*`, without slashes around it. */
export const restOfPath = (request: FastifyRequest): string =>
  pathParameter(request, '*').replace(/^\/+|(?<!\/)\/+$/g, '')

/** A parameter of the query; undefined where it is absent, empty where it is repeated. */
export function queryParameter({ query }: FastifyRequest, name: string): string | undefined {
  const { [name]: value } = query as Readonly<Record<string, unknown>>
  return value === undefined || typeof value === 'string' ? value : ''
}
