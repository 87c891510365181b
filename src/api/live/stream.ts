// One stream: what happens in the organizations of a person, as far as they may see it.
import { allows } from '../../access/policy.ts'
import { roleInOrganization } from '../../access/roles.ts'
import { isStopping } from '../../http/client-abort.ts'
import type { SignedInContext } from '../../http/operation.ts'
import type { StreamEnd } from '../../http/tallies.ts'
import { isSeenOnSpace, typesInOrganization } from '../events/audience.ts'
import { findSpaceFor } from '../spaces/place.ts'
import { hubOf } from './hub.ts'
import type { LiveEvent, StreamLive } from './schema.ts'
import { awaitExpiry, mayConcern, standingOf } from './standing.ts'
import { type LiveRow, toLiveEvent } from './wire.ts'

/** What waits for a client that reads slowly; beyond it the stream ends, and the client reads everything again. */
const WAITING_MAX = 1000

/** Begins with a hello. Ends when the client leaves, the server stops, or the person's rights change. */
export async function* streamLive(
  context: SignedInContext,
  { spaces }: StreamLive,
  signal: AbortSignal,
): AsyncGenerator<LiveEvent> {
  const { db, changes, principal, tallies } = context
  const hub = hubOf(context)
  const leave = hub.admit(principal.user.id)
  const waiting = new Waiting()
  const end = (why: StreamEnd) => waiting.end(why)
  const endForRights = () => end('rights')
  const endForSignal = () => end(isStopping(signal) ? 'stopping' : 'left')
  const closing: (() => void)[] = [leave, awaitExpiry(principal, endForRights)]
  try {
    const standing = await standingOf(db, principal)
    closing.push(
      changes.subscribe(changed => {
        if (spaces === undefined && changed?.has(announcedFor(principal.user.id))) waiting.add([NOTIFICATION])
        if (mayConcern(changed, principal))
          standingOf(db, principal).then(now => (now === standing ? undefined : endForRights()), endForRights)
      }),
    )
    for (const id of await organizationsOf(context, spaces))
      closing.push(await hub.listen(id, rows => waiting.add(rows)))
    signal.addEventListener('abort', endForSignal)
    if (signal.aborted) return endForSignal()
    yield { type: 'hello' }
    const wanted = spaces && new Set(spaces)
    for (let rows = await waiting.take(); rows !== undefined; rows = await waiting.take())
      for (const row of rows) {
        if (row === NOTIFICATION) {
          tallies.streamEvents.add('sent')
          yield { type: 'notification' }
          continue
        }
        if (wanted !== undefined && !wanted.has(row.space_id ?? '')) continue
        if (!(await maySee(context, row))) continue
        tallies.streamEvents.add('sent')
        yield toLiveEvent(row)
      }
  } finally {
    signal.removeEventListener('abort', endForSignal)
    tallies.streamEnds.add(waiting.ended ?? 'left')
    for (const close of closing) close()
  }
}

/** Those of the person, or those of the spaces that were named, if they may be seen. */
async function organizationsOf(
  context: SignedInContext,
  spaces: StreamLive['spaces'],
): Promise<ReadonlySet<string>> {
  if (spaces === undefined) return new Set(context.principal.memberships.keys())
  const places = await Promise.all(spaces.map(id => findSpaceFor(context, id)))
  return new Set(
    places.flatMap(at =>
      at !== undefined && allows('space', 'view', at.role) ? [at.space.organization_id] : [],
    ),
  )
}

async function maySee(context: SignedInContext, row: LiveRow): Promise<boolean> {
  const { type, organization_id, space_id } = row
  const inOrganization = roleInOrganization(context.principal, organization_id ?? '')
  // That the list of spaces may have changed says nothing about any of them.
  if (toLiveEvent(row).type === 'spaces') return context.principal.memberships.has(organization_id ?? '')
  if (space_id === null) return inOrganization !== null && typesInOrganization(inOrganization).includes(type)
  const at = await findSpaceFor(context, space_id)
  return at !== undefined && isSeenOnSpace(type, at.role)
}

/** That the notifications of the person have changed. */
const NOTIFICATION = Symbol('notification')
type Row = LiveRow | typeof NOTIFICATION

/** The id that migration 0060 announces. */
const announcedFor = (userId: string): string => `notifications:${userId}`

class Waiting {
  #rows: Row[] = []
  #ended: StreamEnd | undefined
  #wake: (() => void) | undefined

  add(rows: readonly Row[]): void {
    if (this.#rows.length + rows.length > WAITING_MAX) this.#ended ??= 'slow'
    else this.#rows.push(...rows)
    this.#wake?.()
  }

  /** Why it is over; undefined while it is not. */
  get ended(): StreamEnd | undefined {
    return this.#ended
  }

  end(why: StreamEnd): void {
    this.#ended ??= why
    this.#wake?.()
  }

  /** Undefined once it is over. */
  async take(): Promise<readonly Row[] | undefined> {
    if (this.#rows.length === 0 && this.#ended === undefined)
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    if (this.#ended !== undefined) return undefined
    const rows = this.#rows
    this.#rows = []
    return rows
  }
}
