// A job makes embeddings after a space is published, so that no request waits for a model.
import { createHash } from 'node:crypto'
import { Failure } from '../../base/errors.ts'
import type { Hash } from '../../engines/content/records.ts'
import type { Services } from '../../http/context.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Events } from '../../platform/events/append.ts'
import { type Jobs, jobType } from '../../platform/jobs/queue.ts'
import { handle, type JobHandler, type JobRun } from '../../platform/jobs/runner.ts'
import type { Embedder } from '../../platform/model/embedder.ts'
// These events are declared there.

import { embeddedText } from './embedded-text.ts'
import {
  findHead,
  findKnown,
  findUnembedded,
  insertEmbeddedSections,
  insertEmbeddings,
  listSpacesAfter,
  removeUnused,
  type SectionText,
} from './rows.ts'

const MAKE = jobType<{ space: string }>('embeddings.make')

/** Only if the operator has configured an embedding model. */
export function listenAsEmbeddings(events: Events, jobs: Jobs): void {
  events.within('space.published', (trx, { spaceId }) =>
    spaceId ? jobs.enqueue(trx, MAKE, { space: spaceId }, { key: spaceId }) : Promise.resolve(),
  )
}

const DOCUMENTS_AT_ONCE = 50
// Parsing their vectors takes a few milliseconds of this thread.
const TEXTS_AT_ONCE = 16
// A run blocks one of the few job slots, so the rest becomes another job.
const CALLS_MAX = 50
// The rest of the hourly limit is for queries.
const LIMIT_SHARE_MAX = 0.5
const CALL_SECONDS_MAX = 30
// Each waits for the model, which takes one call at a time; organizations take turns.
const CALLS = { atOnceMax: 1, ofOrganizationMax: 1 }
const SPENT_SECONDS = 15 * 60

export function embeddingJobs(services: Services): JobHandler[] {
  const { embeddings } = services
  return [
    handle(
      MAKE,
      async ({ space }, job) => {
        if (embeddings === undefined) return
        try {
          const isWhole = await embedSpace(services, embeddings.embedder, space, job)
          if (!isWhole) await enqueueSpace(services, space, 0)
        } catch (error) {
          if (!(error instanceof Failure) || error.kind !== 'unavailable') throw error
          if (error.code === 'model_failed') throw error
          if (error.code === 'model_spent') await enqueueSpace(services, space, SPENT_SECONDS)
        }
      },
      { waits: CALLS },
    ),
  ]
}

const enqueueSpace = (
  { transaction, jobs }: Pick<Services, 'transaction' | 'jobs'>,
  space: string,
  delaySeconds: number,
): Promise<void> => transaction(trx => jobs.enqueue(trx, MAKE, { space }, { key: space, delaySeconds }))

/** Embeds the sections without embeddings; false if some are left. */
async function embedSpace(
  { db }: Pick<Services, 'db'>,
  embedder: Embedder,
  spaceId: string,
  { signal }: JobRun,
): Promise<boolean> {
  const head = await findHead(db, spaceId)
  if (head === undefined) return true
  let calls = 0
  for (let at = 0; at < head.documents.length; ) {
    signal.throwIfAborted()
    const documents = head.documents.slice(at, at + DOCUMENTS_AT_ONCE)
    const sections = await findUnembedded(db, documents, embedder.model, TEXTS_AT_ONCE)
    if (sections.length === 0) {
      at += DOCUMENTS_AT_ONCE
      continue
    }
    if (calls === CALLS_MAX) return false
    calls += 1
    await embedSections(db, embedder, head.organizationId, sections, signal)
  }
  return true
}

async function embedSections(
  db: Db,
  embedder: Embedder,
  organizationId: string,
  sections: readonly SectionText[],
  signal: AbortSignal,
): Promise<void> {
  const { model } = embedder
  const texts = new Map<Hash, string>()
  const rows = sections.map(({ document, ordinal, ...section }) => {
    const text = embeddedText(section)
    const hash = createHash('sha256').update(text).digest('hex')
    texts.set(hash, text)
    return { document, ordinal, hash }
  })
  const known = await findKnown(db, model, [...texts.keys()])
  const unknown = [...texts].filter(([hash]) => !known.has(hash))
  const vectors = await embedder.embed({
    ...{ organizationId, shareMax: LIMIT_SHARE_MAX, secondsMax: CALL_SECONDS_MAX, signal },
    texts: unknown.map(([, text]) => text),
  })
  const made = unknown.flatMap(([hash], at) => {
    const vector = vectors[at]
    return vector === undefined ? [] : [{ hash, vector }]
  })
  if (made.length > 0) await insertEmbeddings(db, model, made)
  await insertEmbeddedSections(db, model, rows)
}

const SPACES_AT_ONCE = 500

/** Enqueues spaces without all embeddings: the model is new or has changed, or a job was given up. */
export async function prepareEmbeddings(services: Services): Promise<void> {
  const { db, embeddings } = services
  if (embeddings === undefined) return
  const { embedder } = embeddings
  while ((await removeUnused(db, embedder.model)) > 0);
  let after = ''
  for (;;) {
    const spaces = await listSpacesAfter(db, after, SPACES_AT_ONCE)
    const last = spaces.at(-1)
    if (last === undefined) return
    after = last
    for (const space of spaces)
      if (await lacksSome(db, embedder, space)) await enqueueSpace(services, space, 0)
  }
}

async function lacksSome(db: Db, { model }: Embedder, spaceId: string): Promise<boolean> {
  const { documents = [] } = (await findHead(db, spaceId)) ?? {}
  for (let at = 0; at < documents.length; at += DOCUMENTS_AT_ONCE) {
    const some = documents.slice(at, at + DOCUMENTS_AT_ONCE)
    if ((await findUnembedded(db, some, model, 1)).length > 0) return true
  }
  return false
}
