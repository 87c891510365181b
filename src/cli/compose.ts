// The composition root: the only place that knows everything. It opens the neighbours, hands them to the frame and
// closes them again in reverse order.
import { EventEmitter } from 'node:events'
import { join } from 'node:path'
import { createDecisions } from '../access/decisions.ts'
import { createLinkUses } from '../access/link-uses.ts'
import { createPrincipals } from '../access/principals.ts'
import { createContents } from '../api/content/contents.ts'
import { makeIndex } from '../api/content/index-of-content.ts'
import { createObjectStore } from '../api/content/objects.ts'
import { createEmbeddings } from '../api/embeddings/embeddings.ts'
import { listenAsEmbeddings } from '../api/embeddings/jobs.ts'
import { listen } from '../api/index.ts'
import { createExpansion } from '../api/openapi-specs/expansion.ts'
import { createRendering } from '../api/rendering/rendering.ts'
import { createComputedIndexes } from '../api/search/computed-indexes.ts'
import { createSearchIndexes } from '../api/search/indexes.ts'
import { createSectionTexts } from '../api/search/texts.ts'
import { Failure } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import { createCompute } from '../compute/compute.ts'
import { createCachedBodies } from '../http/cached-body.ts'
import type { Services } from '../http/context.ts'
import { createTallies } from '../http/tallies.ts'
import { createUrls } from '../http/urls.ts'
import { addressGuard } from '../platform/addresses.ts'
import { countBlobs } from '../platform/blobs/counted.ts'
import { openBlobStore } from '../platform/blobs/open.ts'
import { recordPuts } from '../platform/blobs/puts.ts'
import { openSpool } from '../platform/blobs/spool.ts'
import { createBlobSweep } from '../platform/blobs/sweep.ts'
import { createImmutableCache, createInvalidatingCache, entries } from '../platform/cache/cache.ts'
import type { Config } from '../platform/config.ts'
import type { Database } from '../platform/db/database.ts'
import { INSTALLATION, readSetting } from '../platform/db/settings.ts'
import { createEmailDomains } from '../platform/email-domains.ts'
import { createEvents } from '../platform/events/append.ts'
import { createOutgoing } from '../platform/fetch.ts'
import { createRunner, type Runner } from '../platform/jobs/runner.ts'
import { createTasks } from '../platform/jobs/tasks.ts'
import { LiveSigningKeys } from '../platform/keys/signing-keys.ts'
import type { Log } from '../platform/log.ts'
import { createMail } from '../platform/mail.ts'
import { createEmbedder } from '../platform/model/embedder.ts'
import { createModel } from '../platform/model/model.ts'
import { readReferenceAssets } from '../site/reference/assets.ts'

// Rows that decide about access: a space takes some 2 KB, a change request with its description up to 130 KB.
const CACHED_ROWS_BYTES_MAX = 40 * 2 ** 20
// A glossary of 10,000 terms in five languages takes some 30 MB.
const GLOSSARIES_MAX = 10
// Records are shared with the object store's cache; an entry here is two pointers and a key.
const CONTENT_ENTRIES_MAX = 500_000
// Two imports of an organization use both cores of a small machine, and one more is for others.
const TASKS_MAX = 3
/** A silent bucket is asked again later. */
const CLAIM_MS_MAX = 5_000

/** The services over a database that is open and migrated. */
export async function createServices(
  config: Config,
  log: Log,
  database: Database,
): Promise<{ services: Services; runner: Runner }> {
  const { db, transaction, changes } = database
  const deliveries = new EventEmitter<{ due: [] }>()
  const events = createEvents(deliveries)
  const runner = createRunner(database, log)
  const compute = createCompute()
  listen(events, runner.jobs, compute)
  const objects = createObjectStore(db, config.cacheBytes / 2)
  const signingKey = await LiveSigningKeys.open(database)
  const urls = createUrls(config.publicUrl)
  const contents = createContents(objects, CONTENT_ENTRIES_MAX, createExpansion(db, urls, makeIndex))
  const embeddings =
    config.model?.embeddingModel === undefined
      ? undefined
      : createEmbeddings(
          { db, contents, log },
          createEmbedder(config.model, config.model.embeddingModel, db),
          config.model,
        )
  if (embeddings !== undefined) listenAsEmbeddings(events, runner.jobs)
  const blobs = countBlobs(await openBlobStore(config, join(config.home, 'blobs'), recordPuts(db)))
  // A folder is locked; a bucket is not.
  const installation = config.s3 === undefined ? '' : await readSetting(database, INSTALLATION, newId)
  await blobs.claim(installation, AbortSignal.timeout(CLAIM_MS_MAX)).catch(error => {
    // The claim is repeated before anything is removed.
    if (error instanceof Failure && error.code === 'bucket_taken') throw error
    log.warn({ err: error }, 'the file store does not answer')
  })
  const guard = addressGuard(config.allowPrivateHosts)
  const services: Services = {
    config,
    log,
    tallies: createTallies(),
    db,
    transaction,
    changes,
    databaseRoom: database.room,
    databaseCounts: database.counts,
    copyDatabase: database.copyTo,
    events,
    rowCache: createInvalidatingCache(changes, CACHED_ROWS_BYTES_MAX),
    decisions: createDecisions(),
    principals: createPrincipals(db, changes),
    linkUses: createLinkUses(),
    objects,
    contents,
    searchIndexes: createSearchIndexes({ db, objects, contents, compute, log }, config.searchBytes),
    computedIndexes: createComputedIndexes({ contents, compute, log }),
    sectionTexts: createSectionTexts(db, config.cacheBytes / 8),
    glossaries: createImmutableCache(entries(GLOSSARIES_MAX)),
    bodies: createCachedBodies((config.cacheBytes * 3) / 8, undefined, signingKey),
    blobs,
    blobSweep: createBlobSweep({ db, transaction, blobs, log }, installation),
    archives: await openSpool(join(config.home, 'archives')),
    jobs: runner.jobs,
    jobCounts: runner.counts,
    mail: createMail(config.mail),
    model: config.model && createModel(config.model, db),
    embeddings,
    tasks: createTasks(TASKS_MAX, (error, key) => log.error({ err: error, task: key }, 'a task failed')),
    compute,
    rendering: createRendering({ compute, log, objects, urls, signingKey, db, blobs }, readReferenceAssets()),
    guard,
    outgoing: createOutgoing(guard),
    deliveries,
    urls,
    signingKey,
    emailDomains: createEmailDomains({
      trusted: config.emailDomains,
      servers: config.dnsServers,
      signingKey,
    }),
  }
  return { services, runner }
}
