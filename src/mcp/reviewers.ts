// Who is asked for a review: people who may review in the space by id, name or email address, and teams by id or name, as
// far as the caller may see and ask them. What is wrong with all of them is said at once.
import type { User } from '../api/accounts/schema.ts'
import type { PossibleTeam } from '../api/change-requests/schema.ts'
import { ID_LENGTH } from '../base/ids.ts'
import type { List } from '../http/list.ts'
import type { Api } from './api.ts'
import { contentAt } from './reads.ts'
import { toLine } from './text.ts'
import { ArgumentError } from './tool.ts'

// One more is found than is named.
const CANDIDATES_READ = 11
const CANDIDATES_NAMED = CANDIDATES_READ - 1
const SEARCH_CHARACTERS_MAX = 256

type Named = { readonly space: string; readonly changeRequest: string | number }
type Reviewers = { readonly users: readonly string[]; readonly teams: readonly string[] }
type Candidate = { readonly id: string; readonly name: string; readonly email?: string | undefined }

/** The ids of those named. */
export async function findReviewers(api: Api, { space, changeRequest }: Named, wanted: Reviewers) {
  const isNamed = [...wanted.users, ...wanted.teams].some(text => !isId(text))
  if (!isNamed) return wanted
  const problems: string[] = []
  const possible = `${contentAt(space, changeRequest)}/possible-reviewers`
  const users = await idsOf('users', wanted.users, problems, name => listPeople(api, possible, name))
  const teams = await idsOf('teams', wanted.teams, problems, name => listTeams(api, possible, name))
  if (problems.length > 0) throw new ArgumentError(problems.join('\n'))
  return { users, teams }
}

// As ids are made; the API says whether there is such a person or team.
const isId = (text: string): boolean => text.length === ID_LENGTH && /^[A-Za-z0-9]+$/.test(text)

async function idsOf(
  argument: string,
  names: readonly string[],
  problems: string[],
  find: (name: string) => Promise<readonly Candidate[]>,
): Promise<string[]> {
  const ids = new Set<string>()
  for (const [index, name] of names.entries()) {
    const found = isId(name) ? { id: name } : choose(name, await find(name))
    if ('id' in found) ids.add(found.id)
    else problems.push(`arguments.${argument}.${index}: ${found.problem}`)
  }
  return [...ids]
}

/** Those whose name or address it is, or whose it is a part of; there has to be one. */
function choose(
  name: string,
  candidates: readonly Candidate[],
): { readonly id: string } | { readonly problem: string } {
  const wanted = folded(name)
  const texts = (one: Candidate) => [one.name, one.email ?? ''].map(folded)
  const exact = candidates.filter(one => texts(one).includes(wanted))
  const found =
    exact.length > 0 ? exact : candidates.filter(one => texts(one).some(text => text.includes(wanted)))
  const [only, ...others] = found
  if (only === undefined)
    return {
      problem: `there is nobody called "${toLine(name)}" whom you may ask here. Name an id, as read_change_request and read_comments give them.`,
    }
  if (others.length === 0) return { id: only.id }
  const named = found.slice(0, CANDIDATES_NAMED).map(toCandidate).join(', ')
  const more = found.length > CANDIDATES_NAMED ? ', and more' : ''
  return { problem: `"${toLine(name)}" may be one of several: ${named}${more}. Name one by its id.` }
}

const toCandidate = ({ id, name, email }: Candidate): string =>
  `${toLine(name)} (${email === undefined ? '' : `${email}, `}id ${id})`

const folded = (text: string): string => text.normalize('NFKC').trim().toLowerCase()

async function listPeople(api: Api, possible: string, name: string): Promise<Candidate[]> {
  const search = name.trim().slice(0, SEARCH_CHARACTERS_MAX)
  const { items } = await api.call<List<User>>('GET', possible, {
    query: { search, limit: CANDIDATES_READ },
  })
  return items.map(({ id, displayName, email }) => ({ id, name: displayName, email }))
}

async function listTeams(api: Api, possible: string, name: string): Promise<Candidate[]> {
  const search = name.trim().slice(0, SEARCH_CHARACTERS_MAX)
  const { items } = await api.call<List<PossibleTeam>>('GET', `${possible}/teams`, {
    query: { search, limit: CANDIDATES_READ },
  })
  return items.map(({ id, title }) => ({ id, name: title }))
}
