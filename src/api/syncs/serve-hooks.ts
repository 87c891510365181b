// The webhook that Git hosts call after a push, which makes a pull due. Only the signature of a call counts, not its
// body.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalid, missing, tooLarge, unauthenticated } from '../../base/errors.ts'
import { chunksOf } from '../../http/body-chunks.ts'
import type { Services } from '../../http/context.ts'
import { passBodiesThrough } from '../../http/upload-body.ts'
import { readSecrets } from './actions.ts'
import { findSync, makePullDue } from './rows.ts'
import { isProven } from './signatures.ts'
import { HOOKS } from './wire.ts'

// GitHub sends up to 25 MB.
const BODY_BYTES_MAX = 25 * 1024 * 1024

type HookRequest = { Params: { space: string }; Body: unknown }

export function serveHooks(app: FastifyInstance, services: Services): void {
  app.register(async scope => {
    passBodiesThrough(scope)
    scope.post<HookRequest>(`${HOOKS}/:space`, async (request, reply) => {
      const row = await findSync(services.db, request.params.space)
      // The same for a missing space and for a space without a repository.
      if (row === undefined) throw missing('hook')
      const { hook } = readSecrets(services, row)
      if (!(await isProven(request.headers, bodyOf(request), hook)))
        throw unauthenticated('This call is not signed with the secret of the hook.')
      await makePullDue(services.db, row.space_id)
      return reply.code(204).send()
    })
  })
}

async function* bodyOf({ body }: FastifyRequest<HookRequest>): AsyncGenerator<Uint8Array> {
  if (!(body instanceof Readable))
    throw invalid('body_invalid', 'The body must be the webhook payload of the Git host.')
  let bytes = 0
  for await (const chunk of chunksOf(body)) {
    bytes += chunk.length
    if (bytes > BODY_BYTES_MAX)
      throw tooLarge('body_too_large', `The body has more than ${BODY_BYTES_MAX} bytes.`)
    yield chunk
  }
}
