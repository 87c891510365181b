// The semantic diff: what a change request proposes, and what a revision changed.
import { mount, programOperationsOf } from '../../http/operation.ts'
import { findMergedFrom } from '../content/merged-from.ts'
import { type ContentAt, cachedAnswer, onChangeRequestHead, onRevision } from '../content/place.ts'
import { findBase, readChanges } from './reads.ts'
import { Changes, ListChanges } from './schema.ts'

const operation = programOperationsOf<'space', ContentAt>()

export const changeOperations = mount(
  [onChangeRequestHead, onRevision],
  [
    operation({
      id: { changeRequest: 'getChangeRequestChanges', revision: 'getRevisionSemanticChanges' },
      method: 'GET',
      path: '/changes',
      summary: 'List semantic changes',
      description:
        'Compares a change request with its base in the space, and a revision with the one before it. Pages come first, in reading order. Edited documents list their changed blocks.',
      tag: 'Content',
      may: 'access',
      scope: 'space:read',
      by: ['user', 'installation'],
      query: ListChanges,
      reply: Changes,
      run: async ({ context, at, query }) => {
        const base = await findBase(context, at)
        const mergedFrom = at.changeRequest === null ? await findMergedFrom(context, at) : undefined
        return cachedAnswer(context, at, ['changes', base, mergedFrom, query], () =>
          readChanges(context, at, base, mergedFrom, query),
        )
      },
    }),
  ],
)
