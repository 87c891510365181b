// How far the import of a new space is. Its address names it, so that a page that is loaded again shows it as well.
import { useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { Operation } from '../../data/git.ts'
import { readBeginning, spacesChanged } from '../../data/new-space.ts'
import { spaceAddress } from '../../data/pages.ts'
import { t } from '../../messages/messages.ts'
import { say } from '../../parts/toasts.tsx'

type Running = { readonly spaceId: string; readonly operationId: string }

export type Import = {
  /** The space that it fills; it stays the same after a failure. */
  readonly spaceId: string | undefined
  readonly running: Running | undefined
  readonly failure: { readonly spaceId: string; readonly operation: Operation } | undefined
  spaceMade(spaceId: string): void
  begun(operationId: string): void
  failed(operation: Operation): void
  /** Leads to the first page, after `alongside`. */
  end(operation: Operation, alongside: (spaceId: string) => Promise<void>): void
}

export function useImport(organizationId: string): Import {
  const [path, navigate] = useLocation()
  const search = new URLSearchParams(useSearch())
  const spaceId = search.get('space') ?? undefined
  const operationId = search.get('operation') ?? undefined
  const [failure, setFailure] = useState<Operation>()
  const lead = (to: Record<string, string>) =>
    navigate(`${path}?${new URLSearchParams(to)}`, { replace: true })
  return {
    spaceId,
    running: spaceId === undefined || operationId === undefined ? undefined : { spaceId, operationId },
    failure: failure === undefined || spaceId === undefined ? undefined : { spaceId, operation: failure },
    spaceMade(id) {
      lead({ space: id })
    },
    begun(id) {
      setFailure(undefined)
      lead({ space: new URLSearchParams(location.search).get('space') ?? '', operation: id })
    },
    failed(operation) {
      setFailure(operation)
      if (spaceId !== undefined) lead({ space: spaceId })
    },
    async end(operation, alongside) {
      if (spaceId === undefined) return
      await alongside(spaceId)
      await spacesChanged(organizationId)
      // Without a network the space says itself what it has, once there is one.
      const beginning = await readBeginning(spaceId).catch(() => undefined)
      navigate(beginning?.address ?? spaceAddress(spaceId))
      if (beginning === undefined) return
      const { length: count } = operation.problems
      const words = t('newSpace.pages', { count: beginning.pages })
      if (count === 0) say(t('newSpace.doneAll', { pages: words }))
      else
        say(t('newSpace.done', { pages: words, count }), {
          label: t('newSpace.report'),
          run: () => navigate(`/w/s/${spaceId}/git`),
        })
    },
  }
}
