// JSON bodies: possibly absent, never so deep that walking them exhausts the stack, and without half characters.
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Failure, invalid, tooLarge } from '../base/errors.ts'
import type { Compute } from '../compute/compute.ts'
import { BODY_LEVELS_MAX, BODY_VALUES_MAX, type ReadJson } from '../compute/json-body.ts'
import { createBodyBudget, PARSED_BYTES_MAX, returnShares, tooManyBodies } from './body-budget.ts'
import { keepFoldedDocument } from './folded-documents.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The parser of JSON bodies, for other content types that are JSON. */
    readonly readJsonBody: (request: FastifyRequest, payload: IncomingMessage) => Promise<unknown>
  }
  interface FastifyContextConfig {
    /** Only tasks of the pool look into its documents, through `jsonOfDocument`. */
    foldsDocuments?: true
  }
}

/** Clients send `Content-Type: application/json` with no body on merge, restore, ping and every DELETE. */
export function readJsonBodies(
  app: FastifyInstance,
  compute: Pick<Compute, 'run'>,
  parsedBytesMax = PARSED_BYTES_MAX,
): void {
  const parsed = createBodyBudget(parsedBytesMax)
  returnShares(app, parsed)
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('text/plain', async (request: FastifyRequest, payload: IncomingMessage) =>
    (await app.receiveBody(request, payload)).toString(),
  )
  const readJsonBody = async (request: FastifyRequest, payload: IncomingMessage): Promise<unknown> => {
    const body = await app.receiveBody(request, payload)
    if (body.length === 0) return undefined
    if (!parsed.take(request, body.length)) throw tooManyBodies()
    const outcome = await compute.run('jsonBody', laneOf(request), {
      bytes: body,
      isFolding: request.routeOptions.config?.foldsDocuments === true,
      isDigesting: request.headers['idempotency-key'] !== undefined,
    })
    if (outcome.kind === 'beyond') throw tooCostly()
    if (outcome.value.kind === 'refused') throw refusalOf(outcome.value)
    for (const folded of outcome.value.documents) keepFoldedDocument(folded)
    return outcome.value.value
  }
  app.addContentTypeParser('application/json', readJsonBody)
  app.decorate('readJsonBody', readJsonBody)
}

/** Many large bodies from one caller delay only each other. */
function laneOf({ admitted, ip }: FastifyRequest): string {
  const principal = admitted?.context.principal
  return principal?.kind === 'user' ? principal.user.id : ip
}

function refusalOf({ why, path }: Extract<ReadJson, { kind: 'refused' }>): Failure {
  const where = ['body', ...path].join('.')
  switch (why) {
    case 'no_json':
      return invalid('body_no_json', 'body: this is not valid JSON.')
    case 'too_deep':
      return invalid(
        'body_too_deep',
        `body: it is nested more than ${BODY_LEVELS_MAX} levels deep. Make it flatter.`,
      )
    case 'half_character':
      return invalid(
        'text_invalid',
        `${where}: this text has half of a character (a lone surrogate). Send whole characters.`,
      )
    case 'name_forbidden':
      return invalid('name_forbidden', `${where}: no field may have this name.`)
    case 'too_many_values':
      return tooLarge(
        'body_too_many_values',
        `body: it has more than ${BODY_VALUES_MAX} values. Send it in several requests.`,
      )
  }
}

const tooCostly = () =>
  tooLarge(
    'body_too_costly',
    'body: this is too large or too complex to be read. Send it in several requests.',
  )
