// Identity providers as answers: rows with their default teams.
import type { Services } from '../../http/context.ts'
import { type List, toList } from '../../http/list.ts'
import type { Page } from '../../platform/db/page.ts'
import { findTeams, type TeamRow } from '../teams/rows.ts'
import { findOpenIdOutcomes, type ProviderRow } from './rows.ts'
import type { SAMLProvider } from './schema.ts'
import { toProvider } from './wire.ts'

export async function readProviders(
  { db, urls }: Pick<Services, 'db' | 'urls'>,
  rows: Page<ProviderRow>,
): Promise<List<SAMLProvider>> {
  const teams = await findDefaultTeams(db, rows.items)
  return toList(rows, row => toProvider(urls, row, teams.get(row.default_team_id ?? '')))
}

export async function readProvider(
  { db, urls }: Pick<Services, 'db' | 'urls'>,
  row: ProviderRow,
): Promise<SAMLProvider> {
  const teams = await findDefaultTeams(db, [row])
  return toProvider(urls, row, teams.get(row.default_team_id ?? ''))
}

/** Providers of one organization have teams of that organization. */
async function findDefaultTeams(
  db: Services['db'],
  providers: readonly ProviderRow[],
): Promise<ReadonlyMap<string, TeamRow>> {
  const ids = providers.flatMap(({ default_team_id }) => default_team_id ?? [])
  return findTeams(db, providers[0]?.organization_id ?? '', ids)
}

/** Why the last sign-in with the provider of the installation failed; undefined if it did not. */
export async function findOpenIdRefusal(db: Services['db'], issuer: string): Promise<string | undefined> {
  const row = await findOpenIdOutcomes(db, issuer)
  if (row === undefined || row.last_failed_at === null) return undefined
  if (row.last_signed_in_at !== null && row.last_signed_in_at > row.last_failed_at) return undefined
  return `the last sign-in with ${issuer} failed at ${row.last_failed_at.toISOString()}: ${row.last_failure_code}. ${row.last_failure_reason}`
}
