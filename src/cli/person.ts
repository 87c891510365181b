// `octavo person export` and `octavo person erase`: what a person may ask of those who keep their data.
import { open, rename, rm } from 'node:fs/promises'
import type { UserRow } from '../access/principal.ts'
import { findUserByEmail } from '../api/accounts/rows.ts'
import { countMadeCommits } from '../api/git-remote/rows.ts'
import { findLastAdminships, lastAdminOf } from '../api/members/leaving.ts'
import { beginErasing, completeErasing } from '../api/people/erase.ts'
import { countPerson, writePerson } from '../api/people/export.ts'
import { invalid } from '../base/errors.ts'
import type { Services } from '../http/context.ts'
import type { CommandContext } from './command-context.ts'

export type PersonExportOptions = {
  readonly email: string
  /** An absolute path. */
  readonly file: string
}

export type PersonExportResult = { readonly bytes: number }

export type PersonEraseOptions = { readonly email: string; readonly isDryRun: boolean }

export type PersonEraseResult = {
  /** Stays, as the name for what they wrote. */
  readonly id: string
  /** Rows that name the person, before; by section of an export. */
  readonly rows: Readonly<Record<string, number>>
  /** Commits of spaces' repositories whose author stays. */
  readonly commits: number
  /** In a dry run: the organizations whose only admin they are, which keeps them from being erased. */
  readonly lastAdminOf: readonly string[]
}

async function requireUser(services: Pick<Services, 'db'>, email: string): Promise<UserRow> {
  const user = await findUserByEmail(services.db, email)
  if (user === undefined) throw invalid('user_missing', `There is no user with the address ${email}.`)
  return user
}

/** All of it or no file; only its owner may read it. @throws {Failure} invalid: `user_missing`, `file_exists`. */
export async function exportPerson(
  services: Services,
  { email, file }: PersonExportOptions,
  { signal }: CommandContext,
): Promise<PersonExportResult> {
  const user = await requireUser(services, email)
  // Reserves the name, so that nothing is overwritten.
  const reserved = await open(file, 'wx', 0o600).catch(error => {
    throw invalid('file_exists', `${file} cannot be made: ${error.message}`, error)
  })
  await reserved.close()
  const unfinished = `${file}.unfinished`
  try {
    const handle = await open(unfinished, 'w', 0o600)
    let bytes = 0
    try {
      for await (const piece of writePerson(services, user)) {
        signal.throwIfAborted()
        bytes += (await handle.write(piece)).bytesWritten
      }
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(unfinished, file)
    return { bytes }
  } catch (error) {
    await rm(unfinished, { force: true })
    await rm(file, { force: true })
    throw error
  }
}

/** @throws {Failure} invalid `user_missing`; conflict `only_admin`. */
export async function erasePerson(
  services: Services,
  { email, isDryRun }: PersonEraseOptions,
  { signal }: CommandContext,
): Promise<PersonEraseResult> {
  const { id } = await requireUser(services, email)
  const result = {
    id,
    rows: (await countPerson(services, id)) as PersonEraseResult['rows'],
    commits: await countMadeCommits(services.db, id),
    lastAdminOf: await findLastAdminships(services.db, id),
  }
  if (isDryRun) return result
  if (result.lastAdminOf.length > 0) throw lastAdminOf(result.lastAdminOf)
  await beginErasing(services, id, null)
  await completeErasing(services, id, signal)
  return result
}
