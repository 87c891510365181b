// Parses the documents of a change request in the background, so that merging many of them does not wait for it. A
// merge that comes first computes what is missing.
import type { StoredObject } from '../../engines/content/store.ts'
import type { Services } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import { type Jobs, jobType } from '../../platform/jobs/queue.ts'
import { findChangeRequest } from '../change-requests/rows.ts'
import { findSpace } from '../spaces/rows.ts'
import { knownIn, ReadDocuments, writeDocumentRows } from './document-rows.ts'
import { prepareProjection } from './projections.ts'

export const PREPARE_DOCUMENTS = jobType<{ changeRequest: string }>('content.prepare_documents')

// A merge parses fewer than this in less time than people take from an edit to a merge.
const DOCUMENTS_MIN = 50
// Edits often come in bursts: one job covers all of them.
const DELAY_SECONDS = 5

export async function enqueuePreparation(
  jobs: Jobs,
  trx: Trx,
  changeRequest: string,
  { objects }: { readonly objects: readonly StoredObject[] },
): Promise<void> {
  if (objects.length < DOCUMENTS_MIN) return
  if (objects.filter(({ kind }) => kind === 'document').length < DOCUMENTS_MIN) return
  await jobs.enqueue(
    trx,
    PREPARE_DOCUMENTS,
    { changeRequest },
    { key: changeRequest, delaySeconds: DELAY_SECONDS },
  )
}

/** Idempotent: succeeds if everything is known already, or the change request was deleted. */
export async function prepareDocuments(
  services: Pick<Services, 'compute' | 'db' | 'objects' | 'transaction'>,
  changeRequestId: string,
): Promise<void> {
  const changeRequest = await findChangeRequest(services.db, changeRequestId)
  if (changeRequest === undefined || changeRequest.status === 'merged') return
  const space = await findSpace(services.db, changeRequest.space_id)
  if (space === undefined) return
  const [before, after] = [space.root_hash.toString('hex'), changeRequest.root_hash.toString('hex')]
  const known = knownIn(services.db)
  const read = new ReadDocuments()
  await prepareProjection(services, services.objects, space.id, before, after, known, read)
  await writeDocumentRows(services, read)
}
