// The error page for browsers: the message of the API, with links to continue.
import type { FastifyRequest } from 'fastify'
import { ANONYMOUS } from '../access/principal.ts'
import type { Services } from '../http/context.ts'
import type { ErrorPage } from '../http/error-pages.ts'
import type { Assets } from './assets.ts'
import { readerHeaders } from './headers.ts'
import { renderNotice } from './notice-pages.ts'
import { visitorOf } from './session.ts'
import { shellOf } from './shell.ts'

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Sign in to continue',
  403: 'You do not have permission',
  404: 'Page not found',
  405: 'This is not possible here',
  408: 'That took too long',
  409: 'This is not possible right now',
  410: 'This page is gone',
  413: 'That is too large',
  414: 'This address is too long',
  415: 'This format is not supported',
  421: 'This server has another address',
  429: 'Too many requests',
  500: 'Something went wrong',
  503: 'Not available right now',
  507: 'The server is out of disk space',
}

/** Refusals that reloading the page may resolve. */
const PASSING: ReadonlySet<number> = new Set([408, 429, 500, 503, 507])

export function createErrorPage(
  services: Pick<Services, 'config' | 'principals'>,
  assets: Assets,
): ErrorPage {
  return async (request, { status, headers, body }) => {
    // An overloaded server does not look up who is asking.
    const isShort = PASSING.has(status)
    const visitor = isShort ? ANONYMOUS : await visitorOf(services, request)
    const { 'retry-after': retryAfter } = headers
    return {
      headers: {
        ...readerHeaders(services.config, request),
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
      },
      body: renderNotice(shellOf({ assets }, request, visitor), {
        code: String(status),
        title: TITLES[status] ?? (status < 500 ? 'This is not possible' : 'Something went wrong'),
        words: wordsOf(status, body.error.message),
        requestId: status >= 500 ? request.id : null,
        againHref: isShort && isAddressOfOurs(request) ? request.url : null,
        hidesVisitor: isShort,
      }),
    }
  }
}

/** Messages in the API's terms are reworded for readers. */
function wordsOf(status: number, message: string): string {
  if (status === 404) return 'There is no page at this address, or you do not have access to it.'
  if (status === 500) return 'This is a bug on our side, and it has been logged. Trying again may help.'
  return message
}

/** Whether a link can repeat the request. It must not lead to another host, as `//host` and `/\\host` would. */
const isAddressOfOurs = ({ method, url }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && /^\/(?![/\\])/.test(url)
