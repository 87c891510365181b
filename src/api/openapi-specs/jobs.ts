// Reading OpenAPI specifications: after they were given, and once a day where they come from an address.
import { monotonicMs, now } from '../../base/clock.ts'
import { Failure } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { ReadSpecification } from '../../compute/specification.ts'
import type { Services } from '../../http/context.ts'
import { createOutgoing, type Outgoing } from '../../platform/fetch.ts'
import { jobType } from '../../platform/jobs/queue.ts'
import { handle, type JobHandler } from '../../platform/jobs/runner.ts'
import {
  findHash,
  findSpecById,
  findText,
  insertVersion,
  listUnrefreshed,
  removeOldVersions,
  type SpecRow,
  updateSpec,
} from './rows.ts'
import { TEXT_MAX } from './schema.ts'

export const PROCESS = jobType<{ spec: string }>('openapi.process')

const FETCH_MILLISECONDS_MAX = 30_000
/** For all documents of a specification together. */
const FETCHING_MILLISECONDS_MAX = 60_000
/** For a specification and everything that it refers to. */
const DOCUMENTS_MAX = 100
const BYTES_MAX = TEXT_MAX
const VERSIONS_MAX = 50
const REFRESH_HOURS = 24
const REFRESHED_AT_ONCE = 200

export function openapiJobs(services: Services): JobHandler[] {
  const outgoing = createOutgoing(services.guard)
  return [
    handle(PROCESS, async ({ spec }, { signal }) => {
      const row = await findSpecById(services.db, spec)
      if (row === undefined) return
      await updateSpec(services.db, spec, { state: 'progress' })
      await new Processing(services, outgoing, row, signal).run()
    }),
  ]
}

type Outcome = ReadSpecification & { readonly raw?: string }

class Processing {
  readonly #services: Services
  readonly #outgoing: Outgoing
  readonly #spec: SpecRow
  readonly #signal: AbortSignal
  readonly #until = monotonicMs() + FETCHING_MILLISECONDS_MAX
  #documents = 0
  #bytes = 0

  constructor(services: Services, outgoing: Outgoing, spec: SpecRow, signal: AbortSignal) {
    this.#services = services
    this.#outgoing = outgoing
    this.#spec = spec
    this.#signal = signal
  }

  async run(): Promise<void> {
    const outcome = await this.#read()
    await this.#services.transaction(async trx => {
      const known = await updateSpec(trx, this.#spec.id, {
        ...{ state: 'complete', last_processed_at: now() },
        last_error_code: outcome.isUsable ? null : outcome.code,
        last_errors: JSON.stringify(outcome.errors),
      })
      if (known === undefined || !outcome.isUsable) return
      const before = known.last_version === null ? undefined : await findHash(trx, known.last_version)
      if (before === outcome.hash) return
      const version = newId()
      await insertVersion(trx, {
        ...{ id: version, spec_id: known.id, hash: Buffer.from(outcome.hash, 'hex') },
        ...{ raw: outcome.raw ?? '', format: outcome.format, document: Buffer.from(outcome.json) },
      })
      await updateSpec(trx, known.id, { last_version: version, updated_at: now() })
      await removeOldVersions(trx, known.id, VERSIONS_MAX)
      await this.#services.events.append(trx, {
        type: 'openapi_spec.published',
        organizationId: known.organization_id,
        payload: { spec: known.id, slug: known.slug, version },
      })
    })
  }

  async #read(): Promise<Outcome> {
    const { source_url: url, id, organization_id: lane } = this.#spec
    const source = url === null ? await this.#text(id) : await this.#fetch(url)
    if ('code' in source) return failed(source.code, source.message)
    const read = await this.#services.compute.run(
      'specification',
      lane,
      { text: source.text, charactersMax: TEXT_MAX, ...(url === null ? {} : { origin: url }) },
      async ({ url: address }) => {
        const found = await this.#fetch(address)
        return 'code' in found ? { ok: false, message: found.message } : { ok: true, text: found.text }
      },
    )
    if (read.kind === 'beyond')
      return failed(
        'PROCESS_TIMEOUT',
        `The specification takes too much ${read.bound} to be read. Make it smaller, or divide it.`,
      )
    return read.value.isUsable ? { ...read.value, raw: source.text } : read.value
  }

  async #text(id: string): Promise<Source> {
    return { text: (await findText(this.#services.db, id)) ?? '' }
  }

  async #fetch(url: string): Promise<Source> {
    this.#documents += 1
    if (this.#documents > DOCUMENTS_MAX)
      return { code: 'TOO_LARGE', message: `It refers to more than ${DOCUMENTS_MAX} documents.` }
    const bytesMax = BYTES_MAX - this.#bytes
    const deadlineMs = Math.min(FETCH_MILLISECONDS_MAX, this.#until - monotonicMs())
    if (deadlineMs <= 0)
      return { code: 'FETCH_TIMEOUT', message: 'What it refers to took more than a minute to be fetched.' }
    try {
      const { status, body } = await this.#outgoing.fetch(url, {
        headers: { accept: 'application/json, application/yaml, text/yaml, */*;q=0.5' },
        ...{ bytesMax, deadlineMs, signal: this.#signal },
      })
      this.#bytes += body.length
      if (status !== 200)
        return { code: 'FETCH_FAILED', message: `The server of ${hostOf(url)} answered ${status}.` }
      return toText(body)
    } catch (error) {
      this.#signal.throwIfAborted()
      if (!(error instanceof Failure)) throw error
      const code = error.code === 'fetch_timeout' ? 'FETCH_TIMEOUT' : 'FETCH_FAILED'
      if (error.kind === 'too_large')
        return {
          code: 'TOO_LARGE',
          message: `A specification has at most ${BYTES_MAX} bytes, with all it refers to.`,
        }
      return { code, message: error.message }
    }
  }
}

type Source = { readonly text: string } | { readonly code: string; readonly message: string }

function toText(body: Buffer): Source {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body)
    // PostgreSQL keeps no NUL.
    if (!text.includes('\u0000')) return { text }
  } catch {
    // Said below.
  }
  return { code: 'PARSE_FAILED', message: 'It is no UTF-8 text.' }
}

const hostOf = (url: string): string => URL.parse(url)?.host ?? ''

const failed = (code: string, message: string): Outcome => ({
  isUsable: false,
  code,
  errors: [{ code, message }],
})

/** Enqueues what was not read for a day. */
export async function refreshSpecs({ db, jobs, transaction }: Services): Promise<void> {
  const before = new Date(now().getTime() - REFRESH_HOURS * 3_600_000)
  const specs = await listUnrefreshed(db, before, REFRESHED_AT_ONCE)
  if (specs.length === 0) return
  await transaction(async trx => {
    for (const spec of specs) await jobs.enqueue(trx, PROCESS, { spec }, { key: spec })
  })
}
