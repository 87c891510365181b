// What an operator can ask for on the command line, whether a server runs or not: `control.ts` carries these to the
// server that has the folder, `main.ts` runs them itself when there is none. Options and results are plain JSON.
import { resolve } from 'node:path'
import { issueToken } from '../api/accounts/actions.ts'
import { findUserByEmail } from '../api/accounts/rows.ts'
import { importFolder, importRepository } from '../api/git-sync/import.ts'
import { createSpace } from '../api/spaces/actions.ts'
import { findSpace } from '../api/spaces/rows.ts'
import { now } from '../base/clock.ts'
import { invalid, missing } from '../base/errors.ts'
import type { Services } from '../http/context.ts'
import type { Progress } from './progress.ts'

export type Emit = (progress: Progress) => void

export type TokenOptions = { email: string; scopes?: string[]; expires?: string }
export type ImportOptions = {
  source: string
  space?: string
  title?: string
  ref: string
  organization?: string
  isPublic?: boolean
}
export type ImportResult = { space: string; url: string; pages: number; problems: { message: string }[] }

export type CommandName = keyof typeof commands

export const commands = {
  token: (services: Services, options: TokenOptions): Promise<{ token: string }> =>
    makeToken(services, options),
  import: (services: Services, options: ImportOptions, emit: Emit): Promise<ImportResult> =>
    importInto(services, options, emit),
} as const

const TOKEN_LABEL = 'made by the octavo command'

async function makeToken(
  services: Services,
  { email, scopes, expires }: TokenOptions,
): Promise<{ token: string }> {
  const user = await findUserByEmail(services.db, email)
  if (user === undefined) throw invalid('user_missing', `There is no user with the address ${email}.`)
  const expiresAt = expires === undefined ? null : readExpiry(expires, now())
  const { secret } = await services.transaction(trx =>
    issueToken(trx, user.id, TOKEN_LABEL, scopes ?? null, expiresAt),
  )
  return { token: secret }
}

const UNITS_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

/** `30d`, `12h`, `2w`, `45m`, or an ISO 8601 date. */
export function readExpiry(text: string, from: Date): Date {
  const [, count, unit] = /^(\d{1,6})([mhdw])$/.exec(text) ?? []
  const date =
    count === undefined
      ? new Date(text)
      : new Date(from.getTime() + Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS])
  if (Number.isNaN(date.getTime())) {
    throw invalid(
      'expiry_invalid',
      `--expires: write 30d, 12h or a date such as 2030-01-31; this is ${text}.`,
    )
  }
  if (date <= from) throw invalid('expiry_past', `--expires: ${text} has passed already.`)
  return date
}

async function importInto(services: Services, options: ImportOptions, emit: Emit): Promise<ImportResult> {
  const isRepository = /^https?:\/\//i.test(options.source)
  const { spaceId, createdBy } = await targetOf(services, options)
  const onProgress = (operation: { stage: string; completedTasks: number; dispatchedTasks: number }) =>
    emit({ stage: operation.stage, done: operation.completedTasks, total: operation.dispatchedTasks })
  const outcome = isRepository
    ? await importRepository(services, {
        spaceId,
        url: options.source,
        ref: options.ref,
        createdBy,
        onProgress,
      })
    : await importFolder(services, { spaceId, folder: resolve(options.source), createdBy, onProgress })
  return {
    space: spaceId,
    url: services.urls.space(spaceId),
    pages: outcome.pages,
    problems: [...outcome.problems],
  }
}

/** The space that is named, or a new one titled after the source. The first administrator is its creator. */
async function targetOf(
  services: Services,
  options: ImportOptions,
): Promise<{ spaceId: string; createdBy: string }> {
  const admin = await findAdministrator(services, options.organization)
  if (options.space !== undefined) {
    const space = await findSpace(services.db, options.space)
    if (space === undefined || space.deleted_at !== null) throw missing('space')
    return { spaceId: space.id, createdBy: admin.userId }
  }
  const space = await createSpace(
    services,
    { kind: 'user', user: { id: admin.userId } } as never,
    admin.organizationId,
    {
      title: (options.title ?? titleOf(options.source)).slice(0, 50),
      visibility: options.isPublic === true ? 'public' : 'private',
    },
  )
  return { spaceId: space.id, createdBy: admin.userId }
}

/** `https://host/team/guide.git` and `../guide/` are both titled `guide`. */
export const titleOf = (source: string): string =>
  source
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .split('/')
    .pop() || 'Imported'

async function findAdministrator({ db }: Services, organizationId: string | undefined) {
  const query = db
    .selectFrom('members')
    .innerJoin('organizations', 'organizations.id', 'members.organization_id')
    .select(['members.user_id as userId', 'organizations.id as organizationId'])
    .where('members.role', '=', 'admin')
    .orderBy('organizations.created_at')
    .orderBy('members.joined_at')
    .limit(1)
  const row = await (organizationId === undefined
    ? query
    : query.where('organizations.id', '=', organizationId)
  ).executeTakeFirst()
  if (row === undefined) throw missing('organization')
  return row
}
