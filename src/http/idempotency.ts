// Idempotency-Key: a POST repeated under the same key gets the same answer and is not executed again. A row per key
// records who holds it; docs/decisions/0016-idempotency-keys.md describes its states and their consequences.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Principal } from '../access/principal.ts'
import { monotonicMs } from '../base/clock.ts'
import { conflict, invalid } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import { pause } from '../base/slices.ts'
import type { Context } from './context.ts'
import { toErrorReply } from './failures.ts'
import { digestOfDocument } from './folded-documents.ts'
import {
  expireLease,
  findKey,
  insertKey,
  type KeyedRequest,
  type KeyRow,
  LEASE_SECONDS,
  markCommitted,
  removeKey,
  takeOverKey,
  updateKeyAnswer,
} from './idempotency-rows.ts'
import type { Input, Operation } from './operation.ts'
import { asJson, type Rendered } from './replies.ts'

export const KEY_CHARACTERS_MAX = 255
const KEY = new RegExp(`^[\\x20-\\x7e]{1,${KEY_CHARACTERS_MAX}}$`)
/** A longer answer is not kept: a repeated request only learns that the original was executed. */
export const ANSWER_BYTES_MAX = 256 * 1024
// How long a second request waits for the first, and how often it checks.
export const KEY_WAIT_MS = 3_000
const PAUSE_MS = 20
const PAUSE_MS_MAX = 500

/** The name that a caller gives a request. */
export interface Key {
  readonly caller: string
  readonly text: string
}

type OperationInput = Input<unknown, unknown, unknown, unknown>

/**
 * The request's key, if it has one. Only a POST can, and a PUT that starts something: others may be repeated anyway, and
 * ignore the header. A caller without a token has none, nor has what is about a session: of its passwords no hash is
 * kept.
 *
 * @throws {Failure} `invalid` for a malformed key.
 */
export function readKey(operation: Operation, { principal }: Context, header: unknown): Key | undefined {
  if ((operation.method !== 'POST' && !operation.isKeyed) || header === undefined) return undefined
  const caller = callerOf(principal)
  if (caller === undefined) return undefined
  if (typeof header === 'string' && KEY.test(header))
    return operation.isReadOnly || !operation.isKeyed ? undefined : { caller, text: header }
  throw invalid(
    'idempotency_key_invalid',
    `Idempotency-Key: send 1 to ${KEY_CHARACTERS_MAX} printable ASCII characters, for example a UUID.`,
  )
}

/** The owner of the keys: a program has the same keys with all of its tokens. */
function callerOf(principal: Principal): string | undefined {
  switch (principal.kind) {
    case 'user':
      return principal.user.id
    case 'installation':
      return principal.installationId
    case 'integration':
      // Ids have no colon, so they cannot collide with this.
      return `integration:${principal.integration}`
    default:
      return undefined
  }
}

/**
 * The answer of `run`, or its answer when the same request was sent before. `run` has to write in the transactions of
 * the given context: the first of them to commit marks the key, so that nothing is written twice, whatever crashes.
 * Writes outside of them are repeated if the process dies before the answer is kept.
 *
 * Statements: one to claim the key, one in the first transaction, one to keep the answer; two for a repeated request.
 */
export async function answerOnce(
  key: Key,
  operation: Operation,
  asked: OperationInput,
  waitMs: number,
  run: (context: Context) => Promise<Rendered>,
): Promise<Rendered> {
  const { context } = asked
  const claim = await toKeyedRequest(key, operation, asked)
  const kept = await claimKeyOrFindAnswer(context, claim, operation, waitMs)
  if (kept !== undefined) return kept
  const request = { isOver: false }
  try {
    const answer = await run(markingContext(context, claim, request))
    request.isOver = true
    await ignoreFailure(context, keepAnswer(context, claim, operation.isAnswerSecret ? null : answer))
    return answer
  } catch (error) {
    request.isOver = true
    await ignoreFailure(context, releaseKey(context, claim, error))
    throw error
  }
}

async function toKeyedRequest(
  { caller, text }: Key,
  { id }: Operation,
  { params, query, body }: OperationInput,
): Promise<KeyedRequest> {
  const requestHash = await digestOfRequest([text, id, params, query, body ?? null])
  return { id: newId(), caller, keyHash: createHash('sha256').update(text).digest(), requestHash }
}

// Serializing and hashing the largest body takes a tenth of a second, so texts of this length are hashed in pieces.
const LONG_CHARACTERS = 1_000
const PIECE_CHARACTERS = 1_000_000

/** Equal requests have equal digests, whatever the order of their members. */
async function digestOfRequest(request: unknown): Promise<Buffer> {
  const long: string[] = []
  const spelt = JSON.stringify(request, (_, value: unknown) => {
    if (typeof value === 'string' && value.length > LONG_CHARACTERS)
      return { text: long.push(value), characters: value.length }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return digestOfDocument(value) ?? sortedMembers(value)
  })
  const hash = createHash('sha256').update(spelt)
  for (const text of long) {
    for (let at = 0; at < text.length; at += PIECE_CHARACTERS) {
      hash.update(text.slice(at, at + PIECE_CHARACTERS), 'utf16le')
      await pause()
    }
  }
  return hash.digest()
}

const sortedMembers = (object: object): object =>
  Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)))

/** Undefined if the key is now ours; else the answer of the request that holds it, once there is one. */
async function claimKeyOrFindAnswer(
  { db }: Context,
  claim: KeyedRequest,
  operation: Operation,
  waitMs: number,
): Promise<Rendered | undefined> {
  const end = monotonicMs() + waitMs
  for (let pauseMs = PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS_MAX)) {
    if (await insertKey(db, claim)) return undefined
    const row = await findKey(db, claim)
    if (row?.state === 'running' && row.isOver) {
      if (await takeOverKey(db, claim)) return undefined
    } else if (row !== undefined) {
      if (!row.request_hash.equals(claim.requestHash)) throw reused()
      const answer = answerOf(row, operation)
      if (answer !== undefined) return answer
    }
    if (monotonicMs() + pauseMs > end) throw inProgress()
    await sleep(pauseMs)
  }
}

/** The answer to a repeated request; undefined while the original is running. */
function answerOf(row: KeyRow, operation: Operation): Rendered | undefined {
  if (row.state === 'answered') {
    // An answer has its status and headers: see `keepAnswer`.
    const headers = { ...(row.headers as Record<string, string>), 'idempotency-replayed': 'true' }
    return { status: row.status as number, headers, body: row.body ?? undefined }
  }
  if (row.state === 'withheld') throw withheld(operation)
  if (row.state === 'committed' && row.isOver) throw lost()
  return undefined
}

/** The same context, except that its first transaction to commit marks the key's row. */
function markingContext(
  context: Context,
  claim: KeyedRequest,
  request: { readonly isOver: boolean },
): Context {
  let isMarked = false
  return {
    ...context,
    async transaction(run) {
      // Work that continues after the answer, such as an import, no longer belongs to the request.
      if (isMarked || request.isOver) return context.transaction(run)
      const result = await context.transaction(async trx => {
        if (!(await markCommitted(trx, claim))) throw superseded()
        return run(trx)
      })
      isMarked = true
      return result
    },
  }
}

async function keepAnswer({ db }: Context, claim: KeyedRequest, answer: Rendered | null): Promise<void> {
  const body = answer?.body === undefined ? null : Buffer.from(answer.body)
  const isKept = answer !== null && (body?.length ?? 0) <= ANSWER_BYTES_MAX
  await updateKeyAnswer(db, claim, isKept ? { ...answer, body } : null)
}

/**
 * A failed request frees its key, unless it has written something: then the failure is its answer. A server failure
 * (5xx) is not kept, because it says that a retry may help.
 */
async function releaseKey(context: Context, claim: KeyedRequest, error: unknown): Promise<void> {
  if (await removeKey(context.db, claim)) return
  const { status, headers, body } = toErrorReply(error)
  if (status >= 500) await expireLease(context.db, claim)
  else await keepAnswer(context, claim, asJson(status, headers, JSON.stringify(body)))
}

/** The request is over and answered, even if its key cannot be updated: the claim expires by itself. */
async function ignoreFailure(context: Context, settling: Promise<void>): Promise<void> {
  await settling.catch(error =>
    context.log.warn(
      { err: error, request: context.requestId },
      'the end of a request could not be recorded',
    ),
  )
}

const reused = () =>
  conflict(
    'idempotency_key_reused',
    'Idempotency-Key: this key belongs to another request. Send that one again unchanged, or use a new key.',
  )

const inProgress = () =>
  conflict(
    'request_in_progress',
    'The request that was first sent with this Idempotency-Key is still running. Send it again later.',
  )

const lost = () =>
  conflict(
    'answer_lost',
    'This request was executed, at least in part, and its answer was lost. Read the current state; to execute it again, use a new Idempotency-Key.',
  )

const withheld = ({ isAnswerSecret }: Operation) =>
  conflict(
    'answer_not_kept',
    `This request was executed. Its answer ${isAnswerSecret ? 'holds a secret' : `has more than ${ANSWER_BYTES_MAX / 1024} KB`} and is not kept: read the current state. To execute it again, use a new Idempotency-Key.`,
  )

const superseded = () =>
  conflict(
    'request_superseded',
    `This request took longer than ${LEASE_SECONDS} seconds, and another one with its Idempotency-Key was begun in its place. Nothing of this one was written.`,
  )
