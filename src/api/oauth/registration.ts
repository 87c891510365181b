// Clients that register themselves (RFC 7591). Anybody may, so registrations that nobody uses are few, and short-lived.
import { now } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import type { Services } from '../../http/context.ts'
import { networkOf } from '../../platform/networks.ts'
import { isRefused, type RefusedMetadata, readMetadata } from './clients.ts'
import { countUnusedClients, insertClient } from './rows.ts'

/** Not used yet, from one network: an office whose programs register at once stays below. */
export const UNUSED_OF_NETWORK_MAX = 50
/** Not used yet, in all. A row has up to 20 KB. */
const UNUSED_MAX = 5000

export type Registered = {
  readonly client_id: string
  readonly client_id_issued_at: number
  readonly client_name?: string
  readonly redirect_uris: readonly string[]
  readonly grant_types: readonly string[]
  readonly response_types: readonly string[]
  readonly token_endpoint_auth_method: 'none'
}

export type Registration =
  | { readonly kind: 'done'; readonly client: Registered }
  | { readonly kind: 'refused'; readonly refusal: RefusedMetadata }
  /** Too many that nobody has used. */
  | { readonly kind: 'full' }

export async function registerClient(
  { transaction }: Pick<Services, 'transaction'>,
  body: unknown,
  address: string,
): Promise<Registration> {
  const read = await readMetadata(body)
  if (isRefused(read)) return { kind: 'refused', refusal: read }
  const network = networkOf(address)
  return transaction(async trx => {
    const ofNetwork = await countUnusedClients(trx, network, UNUSED_OF_NETWORK_MAX)
    if (ofNetwork >= UNUSED_OF_NETWORK_MAX) return { kind: 'full' }
    if ((await countUnusedClients(trx, null, UNUSED_MAX)) >= UNUSED_MAX) return { kind: 'full' }
    const { id, name, redirect_uris } = await insertClient(trx, {
      ...{ id: newId(), kind: 'registered', name: read.name, redirect_uris: [...read.redirectUris], network },
    })
    const client: Registered = {
      client_id: id,
      client_id_issued_at: Math.floor(now().getTime() / 1000),
      ...(name === '' ? {} : { client_name: name }),
      redirect_uris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      // No client has a secret: each proves with PKCE that it is the one that asked.
      token_endpoint_auth_method: 'none',
    }
    return { kind: 'done', client }
  })
}
