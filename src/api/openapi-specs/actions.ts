// Adding, changing and deleting OpenAPI specifications. Each verb is one transaction; a job reads the documents.
import { now } from '../../base/clock.ts'
import { conflict, invalid } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { SignedInContext } from '../../http/operation.ts'
import type { Trx } from '../../platform/db/database.ts'
import { isStorable } from '../../platform/db/text.ts'
import { deflate } from './bodies.ts'
import { PROCESS, READ_TEXT } from './jobs.ts'
import { countSpecs, deleteSpec, insertSpec, lockSpec, type SpecRow, updateSpec } from './rows.ts'
import type { OpenAPISpecSource } from './schema.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    'openapi_spec.created': { spec: string; slug: string }
    /** Its source was replaced. */
    'openapi_spec.replaced': { spec: string; slug: string }
    'openapi_spec.changed': { spec: string; slug: string; visibility: string }
    'openapi_spec.deleted': { spec: string; slug: string }
    /** A new version of it was read. */
    'openapi_spec.published': { spec: string; slug: string; version: string }
  }
}

const SPECS_MAX = 500

/** @throws Failure conflict `openapi_slug_taken`, `openapi_full`; invalid `openapi_source_invalid`. */
export async function createSpec(
  context: SignedInContext,
  organizationId: string,
  slug: string,
  source: OpenAPISpecSource,
): Promise<SpecRow> {
  const from = await readSource(source)
  return context.transaction(async trx => {
    const row = await begin(trx, context, organizationId, slug, from)
    if (row === undefined) throw taken(slug)
    return row
  })
}

/** Creates the specification, or replaces its source. */
export async function putSpec(
  context: SignedInContext,
  organizationId: string,
  slug: string,
  source: OpenAPISpecSource,
): Promise<{ row: SpecRow; isNew: boolean }> {
  const from = await readSource(source)
  return context.transaction(async trx => {
    const made = await begin(trx, context, organizationId, slug, from)
    if (made !== undefined) return { row: made, isNew: true }
    const known = await lockSpec(trx, organizationId, slug)
    if (known === undefined) throw taken(slug)
    const row = await updateSpec(trx, known.id, {
      ...from,
      ...{ source_number: known.source_number + 1, state: 'pending', updated_at: now() },
      // Asked for by a person, so tried at once.
      ...{ unanswered: 0, next_attempt_at: null },
    })
    if (row === undefined) throw taken(slug)
    await tell(trx, context, row, 'openapi_spec.replaced', {})
    await enqueue(trx, context, row)
    return { row, isNew: false }
  })
}

/** Undefined if there is no such specification. */
export const changeVisibility = (
  context: SignedInContext,
  organizationId: string,
  slug: string,
  visibility: 'private' | 'public',
): Promise<SpecRow | undefined> =>
  context.transaction(async trx => {
    const known = await lockSpec(trx, organizationId, slug)
    if (known === undefined || known.visibility === visibility) return known
    const row = await updateSpec(trx, known.id, { visibility, updated_at: now() })
    if (row !== undefined) await tell(trx, context, row, 'openapi_spec.changed', { visibility })
    return row
  })

/** With all of its versions. Idempotent: succeeds if already deleted. */
export const removeSpec = (context: SignedInContext, organizationId: string, slug: string): Promise<void> =>
  context.transaction(async trx => {
    const known = await lockSpec(trx, organizationId, slug)
    if (known === undefined) return
    await deleteSpec(trx, known.id)
    await tell(trx, context, known, 'openapi_spec.deleted', {})
  })

type From = {
  readonly source_url: string | null
  readonly source_body: Buffer | null
  readonly is_deflated: boolean
}

/** Inserts it, and enqueues its job; undefined if the slug is taken. */
async function begin(
  trx: Trx,
  context: SignedInContext,
  organizationId: string,
  slug: string,
  from: From,
): Promise<SpecRow | undefined> {
  const row = await insertSpec(trx, { id: newId(), organization_id: organizationId, slug, ...from })
  if (row === undefined) return undefined
  if ((await countSpecs(trx, organizationId)) > SPECS_MAX)
    throw conflict(
      'openapi_full',
      `An organization has at most ${SPECS_MAX} OpenAPI specifications. Delete one you no longer need.`,
    )
  await tell(trx, context, row, 'openapi_spec.created', {})
  await enqueue(trx, context, row)
  return row
}

const enqueue = (trx: Trx, { jobs }: SignedInContext, { id, source_url }: SpecRow): Promise<void> =>
  jobs.enqueue(trx, source_url === null ? READ_TEXT : PROCESS, { spec: id }, { key: id })

type SpecEventType =
  | 'openapi_spec.created'
  | 'openapi_spec.replaced'
  | 'openapi_spec.changed'
  | 'openapi_spec.deleted'

const tell = (
  trx: Trx,
  { events, principal }: SignedInContext,
  { id, slug, organization_id }: SpecRow,
  type: SpecEventType,
  more: { readonly visibility?: string },
): Promise<void> =>
  events.append(trx, {
    type,
    organizationId: organization_id,
    actorId: principal.user.id,
    payload: { spec: id, slug, ...more },
  })

async function readSource({ url, text }: OpenAPISpecSource): Promise<From> {
  if ((url === undefined) === (text === undefined))
    throw invalid('openapi_source_invalid', 'body.source: give either url or text.')
  if (text !== undefined) {
    if (!isStorable(text))
      throw invalid('openapi_source_invalid', 'body.source.text: this has characters that no text has.')
    return { source_url: null, source_body: await deflate(text), is_deflated: true }
  }
  const address = URL.parse(url ?? '')
  if (address === null || !/^https?:$/.test(address.protocol))
    throw invalid(
      'openapi_source_invalid',
      'body.source.url: this has to be an address that begins with http:// or https://.',
    )
  if (address.username !== '' || address.password !== '')
    throw invalid(
      'openapi_source_invalid',
      'body.source.url: an address is shown to others, so it must not have a user and password in it.',
    )
  return { source_url: address.href, source_body: null, is_deflated: false }
}

const taken = (slug: string) =>
  conflict(
    'openapi_slug_taken',
    `There is a specification ${slug} already. Replace it with PUT, or take another slug.`,
  )
