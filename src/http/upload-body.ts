// Bodies of bytes: whatever their type, they are handed on as they arrive, and nothing is buffered.
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
    // The upload parser passes the stream through.
    bytes: read(body as IncomingMessage | undefined),
    size: length === undefined ? undefined : Number(length),
    contentType: headers['content-type'],
  }
}

// Without a body the parser does not run.
async function* read(body: IncomingMessage | undefined): AsyncGenerator<Uint8Array> {
  if (body !== undefined) yield* readAtPace(body, UPLOAD_PACE)
}
