// Reads OpenAPI specifications: when they are added, and once a day if they come from an address.
import { monotonicMs, now } from '../../base/clock.ts'
import { Failure } from '../../base/errors.ts'
import { jittered, newId } from '../../base/ids.ts'
import type { OtherDocument, ReadSpecification } from '../../compute/specification.ts'
import type { StoredPart } from '../../compute/specification-parts.ts'
import type { SpecificationError, Unread } from '../../engines/openapi/specification.ts'
import type { Services } from '../../http/context.ts'
import { replaceUnstorable } from '../../platform/db/text.ts'
import { createFairSlots, type FairSlots } from '../../platform/fairness/fair-slots.ts'
import { currentParty } from '../../platform/fairness/party.ts'
import { createOutgoing, type Outgoing } from '../../platform/fetch.ts'
import { jobType } from '../../platform/jobs/queue.ts'
import { handle, type JobHandler, type JobRun, NotYet } from '../../platform/jobs/runner.ts'
import { deflate } from './bodies.ts'
import {
  findHash,
  findSpecById,
  findText,
  hasParts,
  insertParts,
  insertVersion,
  listUnrefreshed,
  removeOldVersions,
  removePartsOfOthers,
  removeUnpublished,
  removeVersion,
  type SpecRow,
  updateReadSpec,
  updateSpec,
} from './rows.ts'
import { type OpenAPISpec, TEXT_MAX } from './schema.ts'

/** Reads a specification from its address, which may take minutes. */
export const PROCESS = jobType<{ spec: string }>('openapi.process')
/** Reads one from its text, which waits for no other server. */
export const READ_TEXT = jobType<{ spec: string }>('openapi.read_text')

const FETCH_MILLISECONDS_MAX = 30_000
/** For all documents of a specification together. */
const FETCHING_MILLISECONDS_MAX = 60_000
/** For a specification and everything that it refers to. */
const DOCUMENTS_MAX = 100
const BYTES_MAX = TEXT_MAX
/** Each level of references parses all documents again. */
const ROUNDS_MAX = 10
const VERSIONS_MAX = 50
const REFRESH_HOURS = 24
const REFRESHED_AT_ONCE = 200
// Each may wait a minute for other servers, and hold a specification meanwhile.
const WAITS = { atOnceMax: 32, ofOrganizationMax: 4 }
const OF_HOST_MAX = 8
const HOST_BUSY_SECONDS = 5
// Parsed and compressed, a specification takes several times its size.
const READING = {
  ...{ atOnceMax: 2, ofOrganizationMax: 1 },
  ...{
    personWaitingMax: WAITS.atOnceMax,
    organizationWaitingMax: WAITS.atOnceMax,
    waitingMax: WAITS.atOnceMax,
  },
}
/** The wait after an address did not answer; it doubles each time, up to the bound. */
const RETRY_SECONDS = 15 * 60
const RETRY_SECONDS_MAX = 7 * 24 * 3600

export function openapiJobs(services: Services): JobHandler[] {
  const means = {
    services,
    outgoing: createOutgoing(services.guard),
    hosts: new Hosts(),
    slots: createFairSlots(READING),
  }
  const read = async ({ spec }: { spec: string }, { signal }: Pick<JobRun, 'signal'>) => {
    const row = await findSpecById(services.db, spec)
    if (row === undefined) return
    await means.hosts.whileAsked(row.source_url, async () => {
      const current = await updateSpec(services.db, spec, { state: 'progress' })
      if (current !== undefined) await new Processing(means, current, signal).run()
    })
  }
  return [handle(PROCESS, read, { waits: WAITS }), handle(READ_TEXT, read)]
}

/** How many specifications of each host are being read: one that never answers holds up only its own. */
class Hosts {
  readonly #asked = new Map<string, number>()

  /** @throws NotYet if the host has enough. */
  async whileAsked<T>(url: string | null, run: () => Promise<T>): Promise<T> {
    if (url === null) return run()
    const host = hostOf(url)
    const count = this.#asked.get(host) ?? 0
    if (count >= OF_HOST_MAX) throw new NotYet(HOST_BUSY_SECONDS)
    this.#asked.set(host, count + 1)
    try {
      return await run()
    } finally {
      const left = (this.#asked.get(host) ?? 1) - 1
      if (left === 0) this.#asked.delete(host)
      else this.#asked.set(host, left)
    }
  }
}

type Means = {
  readonly services: Services
  readonly outgoing: Outgoing
  readonly slots: FairSlots
}

type ErrorCode = NonNullable<OpenAPISpec['lastProcessErrorCode']>

type Outcome =
  | (Extract<ReadSpecification, { isUsable: true }> & { readonly raw: string })
  | { readonly isUsable: false; readonly code: ErrorCode; readonly errors: readonly SpecificationError[] }

class Processing {
  readonly #services: Services
  readonly #outgoing: Outgoing
  readonly #spec: SpecRow
  readonly #signal: AbortSignal
  readonly #until = monotonicMs() + FETCHING_MILLISECONDS_MAX
  readonly #slots: FairSlots
  #documents = 0
  #bytes = 0

  constructor({ services, outgoing, slots }: Means, spec: SpecRow, signal: AbortSignal) {
    this.#services = services
    this.#outgoing = outgoing
    this.#slots = slots
    this.#spec = spec
    this.#signal = signal
  }

  async run(): Promise<void> {
    const outcome = await this.#read()
    const version = outcome.isUsable ? await this.#inSlot(() => this.#keep(outcome)) : undefined
    const published = await this.#services.transaction(async trx => {
      const { id, source_number } = this.#spec
      const known = await updateReadSpec(trx, id, source_number, {
        ...{ state: 'complete', last_processed_at: now() },
        last_error_code: outcome.isUsable ? null : outcome.code,
        last_errors: JSON.stringify(outcome.errors.map(toKept)),
        ...nextAttempt(this.#spec, outcome),
      })
      if (known === undefined || version === undefined || version === known.last_version) return known
      await removeUnpublished(trx, known, version)
      await updateSpec(trx, known.id, { last_version: version, updated_at: now() })
      await removeOldVersions(trx, known.id, VERSIONS_MAX)
      await this.#services.events.append(trx, {
        type: 'openapi_spec.published',
        organizationId: known.organization_id,
        payload: { spec: known.id, slug: known.slug, version },
      })
      return known
    })
    if (version === undefined) return
    // Undefined if it was deleted or replaced in the meantime: another run reads the new source.
    if (published === undefined) await removeVersion(this.#services.db, this.#spec, version)
    else await removePartsOfOthers(this.#services.db, this.#spec.id, version)
  }

  /**
   * Writes a version, unless it equals the last one, and returns its id. Not in a transaction, which would block the
   * database: a version is visible only once published, and incomplete ones are removed when the next is published.
   */
  async #keep(read: Extract<Outcome, { isUsable: true }>): Promise<string> {
    const { db } = this.#services
    const { id, last_version: last } = this.#spec
    const parts = await this.#partsOf(read.json)
    if (last !== null && (await findHash(db, last)) === read.hash) {
      if (!(await hasParts(db, last))) await insertParts(db, last, parts)
      return last
    }
    const version = newId()
    const bodies = { raw: await deflate(read.raw), document: await deflate(read.json), is_deflated: true }
    await insertVersion(db, {
      ...{ id: version, spec_id: id, hash: Buffer.from(read.hash, 'hex'), format: read.format },
      ...bodies,
    })
    await insertParts(db, version, parts)
    return version
  }

  async #read(): Promise<Outcome> {
    const { source_url: url, id } = this.#spec
    const source = url === null ? await this.#text(id) : await this.#fetch(url)
    if ('code' in source) return failed(source.as, source)
    const documents = new Map<string, OtherDocument>()
    for (let round = 0; ; round++) {
      const read = await this.#inSlot(() => this.#parse(source, documents))
      if (!('unread' in read)) return read
      for (const address of read.unread) documents.set(address, await this.#other(address, round))
    }
  }

  /** Work that takes memory. Nothing within it waits for another server. */
  #inSlot<T>(run: () => Promise<T>): Promise<T> {
    return this.#slots.run(currentParty(this.#spec.organization_id), run, this.#signal)
  }

  async #parse(
    { text, url }: FetchedText,
    documents: ReadonlyMap<string, OtherDocument>,
  ): Promise<Outcome | Unread> {
    const read = await this.#orDefect(
      this.#services.compute.run('specification', this.#spec.organization_id, {
        ...{ text, documents, charactersMax: TEXT_MAX },
        ...(url === undefined ? {} : { origin: url }),
      }),
    )
    if (read.kind === 'defect')
      return failed('PARSE_ERROR', {
        code: 'PARSE_ERROR',
        message: 'The specification could not be read; the log of the server says why.',
      })
    if (read.kind === 'beyond')
      return failed('PARSE_ERROR', {
        code: 'PROCESS_TIMEOUT',
        message: `The specification takes too much ${read.bound} to be read. Make it smaller, or divide it.`,
      })
    if ('unread' in read.value) return read.value
    return read.value.isUsable ? { ...read.value, raw: text } : { ...read.value, code: 'PARSE_ERROR' }
  }

  /** `round`: how many references lead to it. */
  async #other(url: string, round: number): Promise<OtherDocument> {
    if (round === ROUNDS_MAX) return { ok: false, message: `more than ${ROUNDS_MAX} documents lead to it.` }
    const found = await this.#fetch(url)
    return 'code' in found ? { ok: false, message: found.message } : { ok: true, text: found.text }
  }

  /** `defect` if a task threw because of a bug: a retry would throw again. */
  async #orDefect<Made>(made: Promise<Made>): Promise<Made | { readonly kind: 'defect' }> {
    try {
      return await made
    } catch (error) {
      this.#signal.throwIfAborted()
      if (error instanceof Failure) throw error
      this.#services.log.error({ err: error, spec: this.#spec.id }, 'a specification cannot be read')
      return { kind: 'defect' }
    }
  }

  /** The parts that pages show; none if they cannot be computed within the bounds. */
  async #partsOf(json: Uint8Array<ArrayBuffer>): Promise<readonly StoredPart[]> {
    const made = await this.#orDefect(
      this.#services.compute.run('specificationParts', this.#spec.organization_id, {
        json,
        slug: this.#spec.slug,
      }),
    )
    return made.kind === 'done' ? made.value : []
  }

  async #text(id: string): Promise<Source> {
    return { text: (await findText(this.#services.db, id)) ?? '' }
  }

  async #fetch(url: string): Promise<Source> {
    this.#documents += 1
    if (this.#documents > DOCUMENTS_MAX)
      return notFetched('TOO_LARGE', `It refers to more than ${DOCUMENTS_MAX} documents.`)
    const bytesMax = BYTES_MAX - this.#bytes
    const deadlineMs = Math.min(FETCH_MILLISECONDS_MAX, this.#until - monotonicMs())
    if (deadlineMs <= 0)
      return notFetched('FETCH_TIMEOUT', 'What it refers to took more than a minute to be fetched.')
    try {
      const {
        status,
        body,
        url: from,
      } = await this.#outgoing.fetch(url, {
        headers: { accept: 'application/json, application/yaml, text/yaml, */*;q=0.5' },
        ...{ bytesMax, deadlineMs, signal: this.#signal },
      })
      this.#bytes += body.length
      if (status === 200) return toText(body, from)
      return notFetched('FETCH_ERROR', `The server of ${hostOf(url)} answered ${status}.`)
    } catch (error) {
      this.#signal.throwIfAborted()
      if (!(error instanceof Failure)) throw error
      if (error.kind === 'too_large')
        return notFetched(
          'TOO_LARGE',
          `A specification has at most ${BYTES_MAX} bytes, with all it refers to.`,
        )
      return notFetched(error.code === 'fetch_timeout' ? 'FETCH_TIMEOUT' : 'FETCH_ERROR', error.message)
    }
  }
}

/** `as`: the error code for clients, if it is the specification itself. */
type Source = FetchedText | (SpecificationError & { readonly as: ErrorCode })

/** `url`: after redirects, the base of its references (RFC 3986 §5.1.3). */
type FetchedText = { readonly text: string; readonly url?: string }

const notFetched = (code: string, message: string): Source => ({
  as: code === 'FETCH_TIMEOUT' ? code : 'FETCH_ERROR',
  code,
  message,
})

function toText(body: Buffer, url: string): Source {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body)
    // PostgreSQL stores no NUL.
    if (!text.includes('\u0000')) return { text, url }
  } catch {
    // Reported below.
  }
  return { as: 'PARSE_ERROR', code: 'PARSE_ERROR', message: 'It is not UTF-8 text.' }
}

const hostOf = (url: string): string => URL.parse(url)?.host ?? ''

const failed = (as: ErrorCode, { code, message }: SpecificationError): Outcome => ({
  isUsable: false,
  code: as,
  errors: [{ code, message }],
})

/** Names in a document can have any characters. */
const toKept = ({ code, message }: SpecificationError): SpecificationError => ({
  code,
  message: replaceUnstorable(message),
})

/** When to ask an address again that did not answer: later each time, and not all addresses of a host at once. */
function nextAttempt({ unanswered }: SpecRow, outcome: Outcome) {
  if (outcome.isUsable || !UNANSWERED.has(outcome.code)) return { unanswered: 0, next_attempt_at: null }
  const seconds = Math.min(RETRY_SECONDS_MAX, RETRY_SECONDS * 2 ** unanswered)
  const next = new Date(now().getTime() + jittered(seconds * 1000))
  return { unanswered: unanswered + 1, next_attempt_at: next }
}

const UNANSWERED: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['FETCH_TIMEOUT', 'FETCH_ERROR'])

/** Enqueues those not read for a day, and those that did not answer and are due again. */
export async function refreshSpecs({ db, jobs, transaction }: Services): Promise<void> {
  const before = new Date(now().getTime() - REFRESH_HOURS * 3_600_000)
  const specs = await listUnrefreshed(db, { before, now: now() }, REFRESHED_AT_ONCE)
  if (specs.length === 0) return
  await transaction(async trx => {
    for (const { id, organization_id } of specs)
      await jobs.enqueue(trx, PROCESS, { spec: id }, { key: id, organization: organization_id })
  })
}
