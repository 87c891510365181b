// Inviting: by email address, at once, and by links.
import type { Address } from './addresses.ts'
import { cache } from './cache.ts'
import { type ApiError, api, dataOf, isStatus, type Model } from './client.ts'
import type { Role } from './roles.ts'

export type InviteLink = Model<'OrganizationInviteLink'>

/** The most that the API takes at once. */
const AT_ONCE = 100
const EVERYTHING = 1000

export type Invited = {
  /** Addresses of people who were made members now or before. */
  readonly taken: readonly Address[]
  /** The ids of those who are new. */
  readonly people: readonly string[]
  readonly isMailed: boolean
  /** What the server says is no address. */
  readonly wrong: readonly string[]
  /** What was not sent any more after a failure. */
  readonly left: readonly Address[]
  readonly error: Error | null
}

const NOBODY: Invited = { taken: [], people: [], isMailed: false, wrong: [], left: [], error: null }

/** In portions: what was taken stays so if a later one fails. */
export async function invitePeople(
  organizationId: string,
  addresses: readonly Address[],
  role: Role | null,
): Promise<Invited> {
  let sum = NOBODY
  let waiting = addresses
  while (waiting.length > 0 && sum.error === null) {
    const emails = waiting.slice(0, AT_ONCE)
    try {
      const { users, mailed } = await dataOf(
        api.POST('/orgs/{organizationId}/invites', {
          params: { path: { organizationId } },
          body: { emails, role },
        }),
      )
      sum = { ...sum, taken: [...sum.taken, ...emails], people: [...sum.people, ...users], isMailed: mailed }
      waiting = waiting.slice(emails.length)
    } catch (error) {
      const refused = isStatus(error, 400) ? wrongIn(error as ApiError, emails) : undefined
      if (refused === undefined) sum = { ...sum, left: waiting, error: error as Error }
      else {
        sum = { ...sum, wrong: [...sum.wrong, refused] }
        waiting = waiting.filter(({ email }) => email !== refused)
      }
    }
  }
  await cache.invalidateQueries({ queryKey: ['organization', organizationId] })
  return sum
}

/** The server takes all of a call or none, and names the first that is wrong: `body.emails.3: …`. */
const wrongIn = ({ message }: ApiError, emails: readonly Address[]): string | undefined =>
  emails[Number(/^body\.emails\.(\d+)\b/.exec(message)?.[1] ?? -1)]?.email

/** To what the person may invite to. In no cache, which would read them again by itself: reading them asks who is there. */
export async function readInviteLinks(organizationId: string): Promise<readonly InviteLink[]> {
  const { items } = await dataOf(
    api.GET('/orgs/{organizationId}/link-invites', {
      params: { path: { organizationId }, query: { limit: EVERYTHING } },
    }),
  )
  return items
}

/** To the organization. */
export const createInviteLink = (
  organizationId: string,
  body: {
    readonly role: Role | null
    readonly expiresAt: string | null
    readonly usesMax: number | null
  },
): Promise<InviteLink> =>
  dataOf(api.POST('/orgs/{organizationId}/link-invites', { params: { path: { organizationId } }, body }))

export const endInviteLink = (organizationId: string, inviteId: string): Promise<unknown> =>
  dataOf(
    api.DELETE('/orgs/{organizationId}/link-invites/{inviteId}', {
      params: { path: { organizationId, inviteId } },
    }),
  )
