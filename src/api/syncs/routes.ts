// Keeping a space with a repository, without anybody asking each time.
import { missing } from '../../base/errors.ts'
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
      summary: 'The repository that a space is kept with',
      description: 'Octavo’s own. 404 for a space that is kept with none by itself.',
      reply: GitSync,
      run: async ({ context, at }) => {
        const row = await findSync(context.db, at.space.id)
        if (row === undefined) throw missing('git sync')
        return toGitSync(context.urls, row)
      },
    }),
    operation({
      ...common,
      id: 'setGitSync',
      method: 'PUT',
      scope: 'space:write',
      summary: 'Keep a space with a repository',
      description:
        'Octavo’s own. What the repository has comes in now, whenever its host calls `hook`, and as often as asked for; with `push` what changes in the space is written to it. Where both changed something, what the repository has becomes a change request. Each call makes a new secret.',
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
      summary: 'Keep a space with a repository no longer',
      description: 'Octavo’s own. What the space has stays, and so does the repository.',
      run: ({ context, at }) => removeSync(context, at.space.id),
    }),
  ],
)
