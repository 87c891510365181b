// `octavo doctor`: reads all stored data, recomputes what can be computed from the rest, and reports what is lost.
import { createHash } from 'node:crypto'
import { checkHead, type DamagedContent, listHeads } from '../api/content/check-heads.ts'
import { findDamagedObjects, walkRevisions } from '../api/content/check-objects.ts'
import { checkProjection, listProjections } from '../api/content/check-projections.ts'
import { insertNames } from '../api/content/name-blobs.ts'
import { findOpenIdRefusal } from '../api/sso/reads.ts'
import { counted } from '../base/counted.ts'
import type { Hash } from '../engines/content/records.ts'
import type { Services } from '../http/context.ts'
import { listNamesBesideContent } from '../platform/blobs/names.ts'
import { adoptBlobs } from '../platform/blobs/puts.ts'
import { countUnread, countUnremoved } from '../platform/blobs/sweep.ts'
import type { CommandContext } from './command-context.ts'

export type DoctorOptions = {
  /** Only checks; writes nothing. */
  readonly isDryRun: boolean
}

export type DoctorResult = {
  readonly checked: {
    readonly objects: number
    readonly blobs: number
    readonly heads: number
    readonly projections: number
  }
  /** What was recomputed, or would be in a dry run. */
  readonly repaired: readonly string[]
  /** What is not damaged but needs the operator's attention. */
  readonly noticed: readonly string[]
  /** What is lost. */
  readonly lost: readonly string[]
}

export async function diagnose(
  services: Services,
  { isDryRun }: DoctorOptions,
  { emit, signal }: CommandContext,
): Promise<DoctorResult> {
  const { db } = services
  const stage =
    (name: string) =>
    (done: number, total = 0) =>
      emit({ stage: name, done, total })
  const objects = await findDamagedObjects(db, stage('checking objects'), signal)
  const { missing, blobs: named, unknown } = await findMissing(services, signal)
  if (!isDryRun) await insertNames(db, unknown)
  for (const blob of await listNamesBesideContent(db)) named.add(blob)
  const blobs = await checkBlobs(services, named, stage('checking files'), signal)
  const unnamed = [...blobs.there].filter(hash => !named.has(hash))
  const adopted = await adoptBlobs(services, unnamed, isDryRun)
  const bad: DamagedContent = {
    objects: new Set([...objects.damaged, ...missing]),
    blobs: new Set([...blobs.damaged, ...blobs.missing]),
  }
  const lost = [
    ...[...objects.damaged].map(hash => `the bytes of object ${hash} are damaged`),
    ...[...missing].map(hash => `object ${hash} is missing`),
    ...[...blobs.damaged].map(hash => `the bytes of file ${hash} are damaged`),
    ...[...blobs.missing].map(hash => `file ${hash} is missing`),
  ]
  const heads = await listHeads(db)
  const tellHeads = stage('checking heads')
  for (const [done, head] of heads.entries()) {
    signal.throwIfAborted()
    tellHeads(done, heads.length)
    for (const what of await checkHead(db, head, bad)) lost.push(`${head.name}: ${what}`)
  }
  const projections = await listProjections(db)
  const repaired: string[] = []
  if (unknown.blobs.length > 0)
    repaired.push(`${counted(unknown.blobs.length, 'file')} that could have been removed`)
  if (adopted > 0) repaired.push(`${counted(adopted, 'file')} that nothing names, to be removed in a day`)
  const checked = new Set<Hash>()
  const tellProjections = stage('checking live rows')
  for (const [done, at] of projections.entries()) {
    signal.throwIfAborted()
    tellProjections(done, projections.length)
    const { rows, documents } = await checkProjection(services, at, {
      isRepairing: !isDryRun,
      checked,
    }).catch((error: Error) => {
      lost.push(`space ${at.spaceId} (${at.title}): its live rows cannot be computed: ${error.message}`)
      return { rows: 0, documents: 0 }
    })
    const space = `space ${at.spaceId} (${at.title})`
    if (rows > 0) repaired.push(`${space}: ${rows} rows of its pages, paths and links`)
    if (documents > 0) repaired.push(`${space}: ${documents} documents for search`)
  }
  return {
    checked: {
      ...{ objects: objects.count, blobs: blobs.there.size },
      ...{ heads: heads.length, projections: projections.length },
    },
    repaired,
    noticed: await listNoticed(services),
    lost,
  }
}

async function listNoticed({ db, config }: Services): Promise<string[]> {
  const [unread, unremoved] = [await countUnread(db), await countUnremoved(db)]
  const refusal = config.oidc === undefined ? undefined : await findOpenIdRefusal(db, config.oidc.issuer)
  return [
    ...(refusal === undefined ? [] : [refusal]),
    ...(unread > 0
      ? [
          `${unread} objects of an earlier version cannot be read, so files that they may name are kept: restore them from a backup, or delete the spaces that have them`,
        ]
      : []),
    ...(unremoved > 0
      ? [
          `${unremoved} files that nothing names could not be removed and are tried again: the log of the server says why`,
        ]
      : []),
  ]
}

/** Only what is missing in two walks: a space that is purged during one takes its objects with it. */
async function findMissing({ db }: Services, signal: AbortSignal) {
  const first = await walkRevisions(db, signal)
  if (first.missing.size === 0) return first
  const second = await walkRevisions(db, signal)
  return { ...second, missing: new Set([...second.missing].filter(hash => first.missing.has(hash))) }
}

async function checkBlobs(
  { blobs }: Services,
  named: ReadonlySet<Hash>,
  tell: (count: number) => void,
  signal: AbortSignal,
) {
  const damaged = new Set<Hash>()
  const there = new Set<Hash>()
  for await (const { sha256 } of blobs.list()) {
    signal.throwIfAborted()
    const blob = await blobs.read(sha256)
    if (blob === undefined) continue
    const hash = createHash('sha256')
    for await (const chunk of blob.stream) hash.update(chunk)
    if (hash.digest('hex') !== sha256) damaged.add(sha256)
    there.add(sha256)
    tell(there.size)
  }
  return { damaged, missing: new Set([...named].filter(hash => !there.has(hash))), there }
}
