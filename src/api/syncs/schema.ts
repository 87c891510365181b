// The wire of synchronizing a space with a repository, an Octavo extension.
import { type Static, Type } from 'typebox'
import { dates, model, Nullable, OneOf, Timestamp, Url } from '../../http/list.ts'

const MINUTES_MIN = 5
const MINUTES_MAX = 7 * 24 * 60

const properties = {
  object: OneOf(['git-sync']),
  space: Type.String(),
  url: Type.String({ description: 'The address of the repository, without user and password.' }),
  ref: Type.String({ description: 'The branch, by its full name.' }),
  repoProjectDirectory: Type.String(),
  pullEveryMinutes: Nullable(Type.Integer()),
  push: Type.Boolean(),
  owner: Nullable(
    Type.String({
      description: 'The user on whose behalf it is synchronized, who must be an admin of the space.',
    }),
  ),
  hook: Type.String({ description: 'The webhook address for the Git host, to call after a push.' }),
  pulledAt: Nullable(Timestamp),
  pushedAt: Nullable(Timestamp),
  failure: Nullable(
    Type.Object(
      { code: Type.String(), message: Type.String(), count: Type.Integer({ minimum: 1 }) },
      { description: 'Why the last attempt failed, and how many have failed since the last success.' },
    ),
  ),
  changeRequest: Nullable(
    Type.String({
      description:
        'The last change request with conflicting changes of the repository. While it, or an earlier one, is a draft or open, nothing is pushed.',
    }),
  ),
  ...dates,
  urls: Type.Object({ location: Url }),
}

export const GitSync = model('GitSync', properties)
export type GitSync = Static<typeof GitSync>

export const GitSyncWithSecret = model('GitSyncWithSecret', {
  ...properties,
  secret: Type.String({
    description: 'The key that the Git host signs its calls with. It is shown once and cannot be read again.',
  }),
})

export const SetGitSync = Type.Object({
  url: Type.String({
    minLength: 1,
    maxLength: 2048,
    description:
      'The repository’s address, over http or https, with the user and password or token to read and write it. They are stored encrypted, and never shown.',
  }),
  ref: Type.String({ minLength: 1, maxLength: 250, description: 'A branch: `refs/heads/main`.' }),
  repoProjectDirectory: Type.Optional(Type.String({ maxLength: 1024 })),
  pullEveryMinutes: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: MINUTES_MIN,
        maximum: MINUTES_MAX,
        description: 'How often the repository is imported; null or absent: only when its host calls.',
      }),
    ),
  ),
  push: Type.Optional(
    Type.Boolean({ description: 'Changes of the space are written to the repository. Default false.' }),
  ),
})
export type SetGitSync = Static<typeof SetGitSync>
