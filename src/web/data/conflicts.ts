// The conflicts between a space and a change request, told by these two whichever is merged into the other, and how they
// are settled.
import { queryOptions } from '@tanstack/react-query'
import { cache } from './cache.ts'
import type { Place } from './change-request.ts'
import { api, dataOf, type Model } from './client.ts'
import { fingerprint } from './fingerprint.ts'

export const SIDES = ['base', 'space', 'changeRequest'] as const
export type Side = (typeof SIDES)[number]
/** What is done once all are settled: the change request is published, or takes in what the space has. */
export type Goal = 'merge' | 'update'

type Wire = Model<'MergeConflict'>

export type Conflict = Omit<Wire, 'base' | 'ours' | 'theirs'> & {
  /** The same as long as what it is about and its versions are the same. */
  readonly identity: string
  /** What it is about, whatever its versions are. */
  readonly address: string
  /** Values or texts; null where there is none. */
  readonly versions: Readonly<Record<Side, unknown>>
  /** The line of the frontmatter that says the same: one question for a person, two conflicts for the server. */
  readonly line: string | undefined
}

/** How somebody settled a conflict: a version, or what they wrote. */
export type Answer = { readonly keep: Side } | { readonly markdown: string } | { readonly value: string }

export type Conflicts = {
  readonly conflicts: readonly Conflict[]
  /** Not listed: they follow once those are settled. */
  readonly more: number
  readonly compared: Model<'MergeCompared'> | undefined
  /** Rules of the space that do not let it be merged. */
  readonly obstacles: readonly Model<'MergeRuleOutcome'>[]
}

type Found = {
  readonly conflicts?: readonly Wire[]
  readonly more?: number
  readonly compared?: Model<'MergeCompared'>
}

const at = ({ spaceId, changeRequestId }: Place) => ({ params: { path: { spaceId, changeRequestId } } })

export const conflictsOf = (place: Place, goal: Goal) =>
  queryOptions({
    queryKey: ['space', place.spaceId, 'change-request', place.changeRequestId, 'conflicts', goal],
    queryFn: ({ signal }) => (goal === 'merge' ? readForMerge(place, signal) : readForUpdate(place, signal)),
  })

/** Rules that are not fulfilled yet do not hide the conflicts. */
async function readForMerge(place: Place, signal: AbortSignal): Promise<Conflicts> {
  const found = await dataOf(
    api.GET('/spaces/{spaceId}/change-requests/{changeRequestId}/mergeability', { ...at(place), signal }),
  )
  const { rules, bypass } = found
  const failed = bypass ? [] : rules.filter(({ passed }) => !passed)
  return { ...toConflicts(found, 'merge'), obstacles: failed }
}

async function readForUpdate(place: Place, signal: AbortSignal): Promise<Conflicts> {
  const found = await dataOf(
    api.POST('/spaces/{spaceId}/change-requests/{changeRequestId}/update', {
      params: { ...at(place).params, query: { dryRun: true } },
      signal,
    }),
  )
  return { ...toConflicts(found, 'update'), obstacles: [] }
}

const toConflicts = ({ conflicts = [], more = 0, compared }: Found, goal: Goal) => ({
  conflicts: identify(conflicts, goal),
  more,
  compared,
})

/** Alike ones in one place are told apart by their order. */
function identify(wires: readonly Wire[], goal: Goal): Conflict[] {
  const seen = new Map<string, number>()
  const lines = new Set(wires.filter(isOfFrontmatter).map(({ page, block }) => `${page} ${block}`))
  const lineOf = ({ page, field }: Wire): string | undefined =>
    field !== undefined && lines.has(`${page} ${FRONTMATTER}${field}`) ? FRONTMATTER + field : undefined
  const said = new Set(wires.map(wire => `${wire.page} ${lineOf(wire)}`))
  return wires
    .filter(wire => !isOfFrontmatter(wire) || !said.has(`${wire.page} ${wire.block}`))
    .map(({ base, ours, theirs, ...wire }) => {
      const [space, changeRequest] = goal === 'merge' ? [ours, theirs] : [theirs, ours]
      const { page, file, reusableContent, variable, key, field, block, kind } = wire
      const address = JSON.stringify([page, file, reusableContent, variable, key, field, block])
      // The key of a block is that of one text among others: it may be another after an update.
      const name = isOfFrontmatter(wire) ? block : undefined
      const thing = [page, file, reusableContent, variable, key, field, name, kind]
      const print = fingerprint(JSON.stringify([thing, [base, space, changeRequest].map(contentOf)]))
      const count = seen.get(print) ?? 0
      seen.set(print, count + 1)
      const identity = count === 0 ? print : `${print}.${count}`
      const versions = { base, space, changeRequest }
      return { ...wire, identity, address, versions, line: lineOf({ ...wire, base, ours, theirs }) }
    })
}

/** Without the signature of an address, which says nothing about the bytes. */
function contentOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('downloadURL' in value)) return value
  const [, hash] = /\/files\/([^/]+)\//.exec(String(value.downloadURL)) ?? []
  return { ...value, downloadURL: hash }
}

export const isOfFrontmatter = ({ block }: Pick<Wire, 'block'>): boolean =>
  block?.startsWith(FRONTMATTER) ?? false
export const FRONTMATTER = 'frontmatter.'

export type Settled = { readonly conflict: Conflict; readonly answer: Answer }
/** `revealed`: nothing was written, since what was settled led to more conflicts. */
export type Outcome =
  | { readonly kind: 'done'; readonly revision: string }
  | { readonly kind: 'revealed'; readonly conflicts: readonly Conflict[] }

/** Throws an ApiError of the status 409 if a side has moved since. */
export async function settle(
  place: Place,
  goal: Goal,
  settled: readonly Settled[],
  compared: Conflicts['compared'],
): Promise<Outcome> {
  const body = {
    resolutions: settled.flatMap(one => toResolutions(one, goal)),
    ...(compared === undefined ? {} : { compared: { ours: compared.ours, theirs: compared.theirs } }),
  }
  const asked = { ...at(place), body }
  const answer =
    goal === 'merge'
      ? await dataOf(api.POST('/spaces/{spaceId}/change-requests/{changeRequestId}/merge', asked))
      : await dataOf(api.POST('/spaces/{spaceId}/change-requests/{changeRequestId}/update', asked))
  if (answer.result === 'conflicts')
    return { kind: 'revealed', conflicts: toConflicts(answer, goal).conflicts }
  await cache.invalidateQueries({ queryKey: ['space', place.spaceId] })
  return { kind: 'done', revision: answer.revision }
}

function toResolutions({ conflict, answer }: Settled, goal: Goal): Model<'MergeResolution'>[] {
  const { page, file, reusableContent, variable, key, field, block, line } = conflict
  const address = { page, file, reusableContent, variable, key, field, block }
  const take = 'keep' in answer ? takeOf(answer.keep, goal) : answer
  if (line === undefined) return [{ ...address, take }]
  const written =
    typeof take === 'object' && 'value' in take
      ? { markdown: `${line.slice(FRONTMATTER.length)}: ${JSON.stringify(take.value)}` }
      : take
  return [
    { ...address, take },
    { page, block: line, take: written },
  ]
}

/** In a merge the space is `ours`, in an update the change request is. */
function takeOf(side: Side, goal: Goal): 'base' | 'ours' | 'theirs' {
  if (side === 'base') return 'base'
  return (side === 'space') === (goal === 'merge') ? 'ours' : 'theirs'
}

// Each pause in writing makes another.
const PREVIEW_KEPT_MS = 60_000

/** A text of a side as readers would see it there. */
export const previewOf = (place: Place, side: Side, page: string | undefined, markdown: string) =>
  queryOptions({
    queryKey: ['preview', place.spaceId, side === 'changeRequest' && place.changeRequestId, page, markdown],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: PREVIEW_KEPT_MS,
    queryFn: async ({ signal }) => {
      const body = { markdown, ...(page === undefined ? {} : { page }) }
      const { html } =
        side === 'changeRequest'
          ? await dataOf(
              api.POST('/spaces/{spaceId}/change-requests/{changeRequestId}/content/preview', {
                ...at(place),
                body,
                signal,
              }),
            )
          : await dataOf(
              api.POST('/spaces/{spaceId}/content/preview', {
                params: { path: { spaceId: place.spaceId } },
                body,
                signal,
              }),
            )
      return typeof html === 'string' ? html : html.join('')
    },
  })

/** A page as a side has it. */
export const pageHtmlOf = (place: Place, side: Side, pageId: string, base: string | undefined) => {
  const { spaceId, changeRequestId } = place
  const ask = async (signal: AbortSignal) => {
    if (side === 'changeRequest')
      return dataOf(
        api.GET('/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/html', {
          params: { path: { spaceId, changeRequestId, pageId } },
          signal,
        }),
      )
    if (side === 'space' || base === undefined)
      return dataOf(
        api.GET('/spaces/{spaceId}/content/page/{pageId}/html', {
          params: { path: { spaceId, pageId } },
          signal,
        }),
      )
    return dataOf(
      api.GET('/spaces/{spaceId}/revisions/{revisionId}/page/{pageId}/html', {
        params: { path: { spaceId, revisionId: base, pageId } },
        signal,
      }),
    )
  }
  return queryOptions({
    queryKey: ['space', spaceId, 'change-request', changeRequestId, 'html', side, pageId, base],
    queryFn: async ({ signal }) => (await ask(signal)).html,
  })
}
