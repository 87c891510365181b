// Malformed or oversized HTTP never becomes a request; its sender still gets an answer in the usual shape.

import type { Socket } from 'node:net'
import type { ConnectionError } from 'fastify'
import { newId } from '../base/ids.ts'
import { STATUS_CODES } from '../base/node-http.ts'
import { toErrorReply } from './failures.ts'

/** Answers on the raw connection, with the same error body as other refusals, and closes it. */
export function answerBrokenRequest(error: Pick<ConnectionError, 'code'>, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return
  const { status, body } = toErrorReply(brokenRequest(error.code))
  const text = JSON.stringify(body)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    `X-Request-Id: ${newId()}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`)
}

/** In the shape of Fastify's own errors: a status, a code, a sentence. */
function brokenRequest(code: string) {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return { statusCode: 431, message: 'headers: more than 16 KB altogether.' }
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { statusCode: 408, message: 'The request took too long to arrive.' }
    default:
      return { statusCode: 400, message: 'This is not a well-formed HTTP request.' }
  }
}
