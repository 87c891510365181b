// Background work on clients and grants.
import type { Services } from '../../http/context.ts'
import { removeEndedGrants, removeUnusedClients } from './rows.ts'

export async function purgeOauth({ db }: Pick<Services, 'db'>): Promise<void> {
  await removeEndedGrants(db)
  await removeUnusedClients(db)
}
