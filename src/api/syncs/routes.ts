// Synchronizing a space with a repository automatically.
import { orMissing } from '../../base/errors.ts'
import { mount, operationsOf } from '../../http/operation.ts'
import { onSpace, type SpaceAt } from '../spaces/place.ts'
import { removeSync, setSync } from './actions.ts'
import { findSync } from './rows.ts'
import { GitSync, GitSyncWithSecret, SetGitSync } from './schema.ts'
import { toGitSync } from './wire.ts'

const operation = operationsOf<'space', SpaceAt>()
const common = { path: '/git/sync', tag: 'Git', may: 'admin' } as const

export const syncOperations = mount(
  [onSpace],
  [
    operation({
      ...common,
      id: 'getGitSync',
      method: 'GET',
      scope: 'space:read',
      summary: 'Get the repository that a space is synchronized with',
      description: 'Octavo extension. 404 for a space that is not synchronized automatically.',
      reply: GitSync,
      run: async ({ context, at }) => {
        const row = await findSync(context.db, at.space.id)
        return toGitSync(context.urls, orMissing(row, 'git sync'))
      },
    }),
    operation({
      ...common,
      id: 'setGitSync',
      method: 'PUT',
      scope: 'space:write',
      summary: 'Synchronize a space with a repository',
      description:
        'Octavo extension. The repository is imported now, whenever its host calls `hook`, and every `pullEveryMinutes`; with `push`, changes of the space are written to it. If both have changed, the changes of the repository become a change request. Each call creates a new secret.',
      body: SetGitSync,
      reply: GitSyncWithSecret,
      isAnswerSecret: true,
      run: async ({ context, at, body }) => {
        const { row, secret } = await setSync(context, at.space.id, body)
        return { ...toGitSync(context.urls, row), secret }
      },
    }),
    operation({
      ...common,
      id: 'deleteGitSync',
      method: 'DELETE',
      scope: 'space:write',
      summary: 'Stop synchronizing a space with a repository',
      description: 'Octavo extension. The content of the space and the repository stay.',
      run: ({ context, at }) => removeSync(context, at.space.id),
    }),
  ],
)
