// What an export would write, without writing it.
import { Failure } from '../../base/errors.ts'
import type { Services } from '../../http/context.ts'
import { getUndeletedSpace, type SpaceRow } from '../spaces/rows.ts'
import type { ExportPlan } from './export-layout.ts'
import { ExportTarget } from './export-target.ts'
import { type Problem, problemsOf } from './layout/problems.ts'
import { atHand, inItsTurn } from './probe.ts'
import { readExportRequest } from './request.ts'
import type { CheckGitExport, GitExportCheck } from './schema.ts'

const PATHS_MAX = 200
/** Why an export would end: an answer, since nothing is wrong with the question. */
const REFUSALS = ['export_conflicts', 'change_request_open'] as const
type Refusal = (typeof REFUSALS)[number]

/** @throws Failure throttled; those of an export that concern the repository; unavailable `git_timeout`. */
export async function checkExport(
  services: Services,
  space: SpaceRow,
  userId: string,
  body: CheckGitExport,
): Promise<GitExportCheck> {
  const request = readExportRequest({ ...body, commitMessage: '' })
  const target = new ExportTarget(services, space.id, request)
  // It shares the cache of the space's repository with imports and exports.
  return atHand(userId, () =>
    inItsTurn(services, `git:${space.id}`, async signal => {
      const { opened, hasBranch } = await target.open(signal, () => signal.throwIfAborted())
      try {
        const hasNews = hasBranch && (await target.hasNews(opened, signal))
        const { root_hash } = await getUndeletedSpace(services.db, space.id)
        const head = await services.contents.get(root_hash.toString('hex'))
        const planned = await orRefused(async () => {
          if (!request.isForced) await target.refuseProposed()
          return hasNews ? target.planBesideNews(opened, head, signal) : target.plan(opened, head, signal)
        })
        return {
          object: 'git-export-check',
          url: request.remote.url,
          ref: request.ref,
          isNewBranch: !hasBranch,
          isEmpty: opened.commit === undefined,
          hasNews,
          ...toWritten(planned),
        }
      } finally {
        opened.close?.()
      }
    }),
  )
}

type Refused = { readonly errorCode: Refusal; readonly problems: readonly Problem[] }

async function orRefused(plan: () => Promise<ExportPlan>): Promise<ExportPlan | Refused> {
  try {
    return await plan()
  } catch (reason) {
    const errorCode = REFUSALS.find(code => reason instanceof Failure && reason.code === code)
    if (!(reason instanceof Failure) || errorCode === undefined) throw reason
    return { errorCode, problems: problemsOf(reason) }
  }
}

function toWritten(planned: ExportPlan | Refused) {
  if ('errorCode' in planned)
    return { ...planned, problems: [...planned.problems], writes: NONE, removes: NONE }
  const { writes, removes, problems } = planned
  return {
    writes: toFiles(writes.map(({ path }) => path)),
    removes: toFiles(removes),
    problems: [...problems],
  }
}

const toFiles = (paths: readonly string[]) => ({ count: paths.length, paths: paths.slice(0, PATHS_MAX) })

const NONE = toFiles([])
