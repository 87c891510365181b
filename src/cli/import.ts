// `octavo import`: a repository or a folder on this machine becomes a space. The operator acts as the first
// administrator of the organization.
import { basename } from 'node:path'
import type { UserPrincipal } from '../access/principal.ts'
import { type ImportOutcome, importFolder, importRepository } from '../api/git-sync/import.ts'
import type { Problem } from '../api/git-sync/layout.ts'
import type { Layout, Stage } from '../api/git-sync/schema.ts'
import { createSpace, deleteSpace } from '../api/spaces/actions.ts'
import { getUndeletedSpace, type SpaceRow } from '../api/spaces/rows.ts'
import { TITLE_CHARACTERS_MAX } from '../api/spaces/schema.ts'
import { invalid } from '../base/errors.ts'
import { percentDecode } from '../base/percent-decode.ts'
import { FORMATS, type Format } from '../engines/conversion/formats.ts'
import type { Services } from '../http/context.ts'
import type { CommandContext } from './command-context.ts'
import { findOperator } from './operator.ts'
import { isRepository } from './source.ts'

export type ImportOptions = {
  /** The address of a repository, or the absolute path of a folder or a zip archive. */
  readonly source: string
  /** The layout of a folder or an archive; absent: recognized from its files. */
  readonly from?: string
  /** Absent: a new space. */
  readonly space?: string
  readonly title?: string
  readonly ref: string
  /** The directory of the documentation in the source; absent: its top. */
  readonly directory?: string
  /** Replaces the content of `space`, whatever it has. */
  readonly force?: boolean
  /** For the new space; absent: the oldest. */
  readonly organization?: string
  readonly isPublic?: boolean
}

export type ImportResult = {
  readonly space: string
  readonly url: string
  readonly pages: number
  /** The layout that a folder or an archive was read in. */
  readonly layout?: Layout
  /** What was noticed without stopping the import, each with its file. */
  readonly problems: readonly string[]
}

const STAGES: Readonly<Record<Stage, string>> = {
  repo_fetch: 'fetching',
  config_check: 'reading the configuration',
  content_process: 'reading content',
  finalize: 'publishing',
}

/** A new space that could not be filled is deleted again. */
export async function importInto(
  services: Services,
  options: ImportOptions,
  context: CommandContext,
): Promise<ImportResult> {
  if (options.from !== undefined && isRepository(options.source)) {
    const message = '--from: a repository in another layout is cloned first, and its folder imported.'
    throw invalid('format_of_repository', message)
  }
  const operator = await findOperator(services, options.organization)
  if (options.space !== undefined) {
    const space = await getUndeletedSpace(services.db, options.space)
    return toResult(services, space, await fill(services, options, space, operator, context))
  }
  const title = options.title === undefined ? titleOf(options.source) : readTitle(options.title)
  const visibility = options.isPublic === true ? 'public' : 'private'
  const [organizationId = ''] = operator.memberships.keys()
  const space = await createSpace({ ...services, principal: operator }, organizationId, { title, visibility })
  try {
    return toResult(services, space, await fill(services, options, space, operator, context))
  } catch (error) {
    await deleteSpace({ ...services, principal: operator }, space)
    throw error
  }
}

async function fill(
  services: Services,
  { source, ref, from, directory, force = false }: ImportOptions,
  space: SpaceRow,
  operator: UserPrincipal,
  { emit, signal }: CommandContext,
): Promise<ImportOutcome> {
  const show = (stage: Stage, done: number, total: number) => emit({ stage: STAGES[stage], done, total })
  const common = {
    spaceId: space.id,
    createdBy: operator.user.id,
    isForced: force,
    signal,
    onProgress: (operation: { stage: Stage; completedTasks: number; dispatchedTasks: number }) =>
      show(operation.stage, operation.completedTasks, operation.dispatchedTasks),
  }
  // A silent host reports no progress, so the bar says what it is waiting for.
  show('repo_fetch', 0, 0)
  const outcome = isRepository(source)
    ? await importRepository(services, {
        ...{ ...common, url: source, ref },
        ...(directory === undefined ? {} : { projectDirectory: directory }),
      })
    : await importFolder(services, {
        ...{ ...common, folder: source, format: readFormat(from), projectDirectory: directory },
      })
  if (outcome.history !== undefined) emit({ stage: 'fetching what came before', done: 0, total: 0 })
  // The command's process ends after this, and would take unfinished work with it.
  await outcome.history
  return outcome
}

export function readFormat(from: string | undefined): Format | undefined {
  const format = FORMATS.find(name => name === from)
  if (from === undefined || format !== undefined) return format
  throw invalid('format_unknown', `--from: there are ${FORMATS.join(', ')}; this is ${from}.`)
}

const toResult = (
  services: Services,
  space: SpaceRow,
  { pages, problems, layout }: ImportOutcome,
): ImportResult => ({
  space: space.id,
  url: services.urls.space(space.id),
  pages,
  ...(layout === undefined ? {} : { layout }),
  problems: problems.map(sayProblem),
})

const sayProblem = ({ file, message }: Problem): string =>
  file === undefined ? message : `${file}: ${message}`

function readTitle(title: string): string {
  if (title.length <= TITLE_CHARACTERS_MAX) return title
  const message = `--title: at most ${TITLE_CHARACTERS_MAX} characters; this has ${title.length}.`
  throw invalid('title_too_long', message)
}

/** `https://host/team/guide.git` and `/home/ada/guide/` are both titled `guide`. */
export function titleOf(source: string): string {
  const path = isRepository(source) ? percentDecode(URL.parse(source)?.pathname ?? '') : source
  const characters = [...basename(path).replace(/\.(?:git|zip)$/, '')]
  while (characters.join('').length > TITLE_CHARACTERS_MAX) characters.pop()
  return characters.join('') || 'Imported'
}
