// Who may fetch and push: those who may do the same through the API, checked by the same code.
import type { FastifyRequest } from 'fastify'
import { assert } from '../../base/assert.ts'
import { Failure, forbidden } from '../../base/errors.ts'
import { admit, contextTemplateOf } from '../../http/admission.ts'
import type { Context, Services } from '../../http/context.ts'
import type { Operation } from '../../http/operation.ts'
import { compileCheck } from '../../http/validation.ts'
import { contentOperations } from '../content/routes.ts'
import { editOperations } from '../edits/routes.ts'
import { templateOperations } from '../templates/routes.ts'
import { bearerOf, type RemoteRequest, spaceOf } from './requests.ts'

type GateRequest = FastifyRequest<RemoteRequest>
type Admission = (request: GateRequest, params?: Readonly<Record<string, string>>) => Promise<Context>

/** Each throws the Failure that refuses the caller. */
export type Gate = {
  /** Fetching reads the history. */
  readonly admitReader: Admission
  /** Pushing writes something: a change request, or the space itself. */
  readonly admitWriter: Admission
  /** A new branch opens a change request. */
  readonly admitOpening: Admission
  /** `changeRequestId` names one: a push edits it. */
  readonly admitChangeRequest: Admission
  /** A push to main is a live edit. */
  readonly admitLiveEdit: Admission
}

export function createGate(services: Services): Gate {
  const like = (operations: readonly Operation[], id: string): Admission => {
    const operation = operations.find(each => each.id === id)
    assert(operation !== undefined, `there is an operation ${id}`)
    const areParams = compileCheck(operation.params)
    const template = contextTemplateOf(services)
    return async (request, params = {}) => {
      const { context } = await admit(operation, areParams, template, {
        headers: { authorization: bearerOf(request.headers.authorization) },
        params: { spaceId: spaceOf(request), ...params },
        query: {},
        requestId: request.id,
        address: request.ip,
      })
      return context
    }
  }
  const admitReader = like(contentOperations, 'listRevisions')
  const admitOpening = like(templateOperations, 'createChangeRequest')
  const admitLiveEdit = like(editOperations, 'updateSpaceContent')
  return {
    admitReader,
    admitOpening,
    admitChangeRequest: like(editOperations, 'updateChangeRequestContent'),
    admitLiveEdit,
    async admitWriter(request) {
      const context = await admitReader(request)
      if (context.principal.kind !== 'user') throw forbidden('Push with the token of a person.')
      await admitOpening(request).catch(async refusal => {
        if (!(refusal instanceof Failure)) throw refusal
        // A token may have either scope.
        await admitLiveEdit(request).catch(() => {
          throw refusal
        })
      })
      return context
    },
  }
}
