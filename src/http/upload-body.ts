// Bodies that are bytes: whatever type they have, they are handed on as they come, and nothing of them is held.
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { UploadBody } from './operation.ts'
import { readAtPace, UPLOAD_PACE } from './request-time.ts'

/** The routes of `scope` get their bodies unread. */
export function passBodiesThrough(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, body, done) => done(null, body))
}

export function uploadBodyOf({ body, headers }: FastifyRequest): UploadBody {
  const length = headers['content-length']
  return {
    // The parser of uploads passes on the stream that it is given.
    bytes: read(body as IncomingMessage | undefined),
    size: length === undefined ? undefined : Number(length),
    contentType: headers['content-type'],
  }
}

// Without a body there is nothing to parse.
async function* read(body: IncomingMessage | undefined): AsyncGenerator<Uint8Array> {
  if (body !== undefined) yield* readAtPace(body, UPLOAD_PACE)
}
