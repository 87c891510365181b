// What was imported and exported, newest first.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { operationsOf, type Problem, pageFinder } from '../../data/git.ts'
import { pageAddress } from '../../data/pages.ts'
import { pagesOf } from '../../data/spaces.ts'
import { t } from '../../messages/messages.ts'
import type { ProblemPage } from '../../parts/git-problems.tsx'
import { More } from '../../parts/more.tsx'
import { Empty, Loaded } from '../../parts/state.tsx'
import { OperationRow } from './operation-row.tsx'

export function Operations({ spaceId }: { readonly spaceId: string }) {
  const query = useInfiniteQuery(operationsOf(spaceId))
  const find = pageFinder(useQuery(pagesOf(spaceId)).data?.pages ?? [])
  const pageOf = (problem: Problem): ProblemPage | undefined => {
    const page = find(problem)
    return page && { title: page.title || t('space.untitled'), address: pageAddress(spaceId, page.id) }
  }
  return (
    <section className="stack" aria-label={t('repository.operations')}>
      <h2>{t('repository.operations')}</h2>
      <Loaded query={query} lines={4}>
        {({ pages }) => {
          const operations = pages.flatMap(({ items }) => items)
          if (operations.length === 0) return <Empty text={t('repository.noOperations')} />
          return (
            <>
              <ol role="list" className="card rows">
                {operations.map(one => (
                  <li key={one.id}>
                    <OperationRow of={one} spaceId={spaceId} pageOf={pageOf} />
                  </li>
                ))}
              </ol>
              <More query={query} />
            </>
          )
        }}
      </Loaded>
    </section>
  )
}
