// Embeddings are made after a space was published, by a job, so that nothing waits for a model.
import { createHash } from 'node:crypto'
import { Failure } from '../../base/errors.ts'
import type { Hash } from '../../engines/content/records.ts'
import type { Services } from '../../http/context.ts'
import type { Events } from '../../platform/events/append.ts'
import { type Jobs, jobType } from '../../platform/jobs/queue.ts'
import { handle, type JobHandler, type JobRun } from '../../platform/jobs/runner.ts'
import type { Embedder } from '../../platform/model/embedder.ts'
// What is listened to is declared there.
import type {} from '../heads/write.ts'
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

/** Only where the operator has named a model of embeddings. */
export function listenAsEmbeddings(events: Events, jobs: Jobs): void {
  events.within('space.published', (trx, { spaceId }) =>
    spaceId ? jobs.enqueue(trx, MAKE, { space: spaceId }, { key: spaceId }) : Promise.resolve(),
  )
}

type Making = Pick<Services, 'db' | 'transaction' | 'jobs' | 'log'>

const DOCUMENTS_AT_ONCE = 50
// Their vectors are read within a few milliseconds of this thread.
const TEXTS_AT_ONCE = 16
// One run holds one of the few jobs that run at once: what is left is a job of its own.
const CALLS_MAX = 50
// The other half of an hour is for questions.
const LIMIT_SHARE_MAX = 0.5
const CALL_SECONDS_MAX = 30
const BUSY_SECONDS = 5
const SPENT_SECONDS = 15 * 60

export function embeddingJobs(services: Services): JobHandler[] {
  const { embeddings } = services
  let isRunning = false
  return [
    handle(MAKE, async ({ space }, job) => {
      if (embeddings === undefined) return
      // The other jobs of this process have room beside one of these.
      if (isRunning) return later(services, space, BUSY_SECONDS)
      isRunning = true
      try {
        const isWhole = await embedSpace(services, embeddings.embedder, space, job)
        if (!isWhole) await later(services, space, 0)
      } catch (error) {
        if (!(error instanceof Failure) || error.kind !== 'unavailable') throw error
        if (error.code === 'model_failed') throw error
        if (error.code === 'model_spent') await later(services, space, SPENT_SECONDS)
      } finally {
        isRunning = false
      }
    }),
  ]
}

const later = ({ transaction, jobs }: Making, space: string, delaySeconds: number): Promise<void> =>
  transaction(trx => jobs.enqueue(trx, MAKE, { space }, { key: space, delaySeconds }))

/** Of those sections that have none; false where some are left. */
async function embedSpace(
  { db }: Making,
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
  db: Making['db'],
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
  const made = unknown.map(([hash], at) => ({ hash, vector: vectors[at] as Int8Array }))
  if (made.length > 0) await insertEmbeddings(db, model, made)
  await insertEmbeddedSections(db, model, rows)
}

const SPACES_AT_ONCE = 500

/** After the model was named first, or another one, and where a job was given up: jobs for spaces that lack something. */
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
    for (const space of spaces) if (await lacksSome(db, embedder, space)) await later(services, space, 0)
  }
}

async function lacksSome(db: Making['db'], { model }: Embedder, spaceId: string): Promise<boolean> {
  const { documents = [] } = (await findHead(db, spaceId)) ?? {}
  for (let at = 0; at < documents.length; at += DOCUMENTS_AT_ONCE) {
    const some = documents.slice(at, at + DOCUMENTS_AT_ONCE)
    if ((await findUnembedded(db, some, model, 1)).length > 0) return true
  }
  return false
}
