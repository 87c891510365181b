// The keys of the installation: one signs, and those before it verify what they signed until they retire. All processes
// share them, and learn of a rotation by its announcement.
import { createSecretKey, type KeyObject } from 'node:crypto'
import { sql } from 'kysely'
import { assertDefined } from '../../base/assert.ts'
import { now } from '../../base/clock.ts'
import { newId, newSecret } from '../../base/ids.ts'
import type { Database, Db, Trx } from '../db/database.ts'
import { findSetting, removeSetting } from '../db/settings.ts'

/** To be asked each time, and not kept: they change while the process runs. */
export interface SigningKeys {
  /** Names `current`, for what is cached with signatures in it. */
  readonly id: string
  /** It signs and encrypts. */
  readonly current: KeyObject
  /** They verify and decrypt; `current` is the first. */
  readonly accepted: readonly KeyObject[]
  /** Those that retired as well, unless they were revoked: they made hashes that nobody can make again. */
  readonly known: readonly KeyObject[]
}

const RETRY_MS = 1_000
/** Where an earlier version keeps its only key. */
const FIRST_KEY = 'signing_key'

type Row = {
  readonly id: string
  readonly secret: string
  readonly retires_at: Date | null
  readonly revoked: boolean
}

/** The same key for ever. */
export const onlyKey = (key: KeyObject): SigningKeys => ({
  id: '',
  current: key,
  accepted: [key],
  known: [key],
})

/** All of them, the one that signs first. */
const listKeys = (db: Db | Trx): Promise<Row[]> =>
  db
    .selectFrom('signing_keys')
    .select(['id', 'secret', 'retires_at', 'revoked'])
    .orderBy('retires_at', order => order.desc().nullsFirst())
    .execute()

/** The first process of an installation makes its first key. */
async function requireKeys({ db, transaction }: Pick<Database, 'db' | 'transaction'>): Promise<Row[]> {
  const rows = await listKeys(db)
  if (rows.length > 0) return rows
  return transaction(async trx => {
    await trx
      .insertInto('signing_keys')
      .values({ id: newId(), secret: (await findSetting<string>(trx, FIRST_KEY)) ?? newSecret() })
      // Another process was faster.
      .onConflict(conflict => conflict.doNothing())
      .execute()
    return listKeys(trx)
  })
}

export class LiveSigningKeys implements SigningKeys {
  #rows: readonly (Row & { readonly key: KeyObject })[] = []

  private constructor(rows: readonly Row[]) {
    this.#take(rows)
  }

  /** Reads them, and reads them again whenever one of them changes. */
  static async open(database: Pick<Database, 'db' | 'transaction' | 'changes'>): Promise<LiveSigningKeys> {
    const keys = new LiveSigningKeys(await requireKeys(database))
    database.changes.subscribe(changed => {
      if (changed === undefined || keys.#rows.some(({ id }) => changed.has(id))) keys.#follow(database.db)
    })
    return keys
  }

  /** Until the database answers. */
  #follow(db: Db): void {
    listKeys(db).then(
      rows => {
        if (rows.length > 0) this.#take(rows)
      },
      () => setTimeout(() => this.#follow(db), RETRY_MS).unref(),
    )
  }

  get id(): string {
    return this.#first.id
  }

  get current(): KeyObject {
    return this.#first.key
  }

  get accepted(): readonly KeyObject[] {
    const at = now()
    return this.#rows.flatMap(({ key, retires_at }) => (retires_at === null || retires_at > at ? [key] : []))
  }

  get known(): readonly KeyObject[] {
    return this.#rows.flatMap(({ key, revoked }) => (revoked ? [] : [key]))
  }

  get #first() {
    return assertDefined(this.#rows[0], 'there is always a key that signs')
  }

  #take(rows: readonly Row[]): void {
    this.#rows = rows.map(row => ({ ...row, key: createSecretKey(row.secret, 'base64url') }))
  }
}

/** All keys verify until `retiresAt`, or until they retire sooner. A new one has to follow. */
export const retireKeys = (trx: Trx, retiresAt: Date) =>
  trx
    .updateTable('signing_keys')
    .set({ retires_at: retiresAt })
    .where(({ or, eb }) => or([eb('retires_at', 'is', null), eb('retires_at', '>', retiresAt)]))
    .execute()

/** All keys verify nothing any more. A new one has to follow. */
export const revokeKeys = (trx: Trx) =>
  trx
    .updateTable('signing_keys')
    .set(({ fn }) => ({ retires_at: fn('least', ['retires_at', sql`now()`]), revoked: true }))
    .execute()

/** It signs from now on. */
export async function insertKey(trx: Trx): Promise<void> {
  await removeSetting(trx, FIRST_KEY)
  await trx.insertInto('signing_keys').values({ id: newId(), secret: newSecret() }).execute()
}

/** The keys in the database, of which all decrypt. They stay until the transaction ends. */
export async function lockKeys(trx: Trx): Promise<SigningKeys> {
  const rows = await trx
    .selectFrom('signing_keys')
    .select(['id', 'secret'])
    .orderBy('retires_at', order => order.desc().nullsFirst())
    .forUpdate()
    .execute()
  const known = rows.map(({ secret }) => createSecretKey(secret, 'base64url'))
  const current = assertDefined(known[0], 'there is always a key that signs')
  return { id: rows[0]?.id ?? '', current, accepted: known, known }
}

export async function wasRotatedSince(trx: Trx, since: Date): Promise<boolean> {
  const rows = await trx.selectFrom('signing_keys').select('created_at').execute()
  return rows.length > 1 && rows.some(row => row.created_at > since)
}

/** Keys that retired before then. */
export async function listRetired(trx: Trx, before: Date): Promise<{ id: string; revoked: boolean }[]> {
  return trx
    .selectFrom('signing_keys')
    .select(['id', 'revoked'])
    .where('retires_at', '<', before)
    .orderBy('id')
    .execute()
}

/** With what they made. */
export const removeKeys = (trx: Trx, ids: readonly string[]) =>
  trx.deleteFrom('signing_keys').where('id', 'in', ids).execute()
