// An import while it runs, by its stages.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { type Operation, operation as operationOf } from '../../data/git.ts'
import { t } from '../../messages/messages.ts'
import { Loaded } from '../../parts/state.tsx'

const STAGES = ['repo_fetch', 'config_check', 'content_process', 'finalize'] as const

type Props = {
  readonly spaceId: string
  readonly operationId: string
  readonly onDone: (operation: Operation) => void
  readonly onFailed: (operation: Operation) => void
}

export function ImportProgress({ spaceId, operationId, onDone, onFailed }: Props) {
  const query = useQuery(operationOf(spaceId, operationId))
  const isOver = useRef(false)
  const { data } = query
  useEffect(() => {
    if (data === undefined || data.state === 'running' || isOver.current) return
    isOver.current = true
    if (data.state === 'success') onDone(data)
    else onFailed(data)
  }, [data, onDone, onFailed])
  return (
    <section className="card new-space-card stack" aria-label={t('newSpace.running')}>
      <Loaded query={query} lines={4}>
        {running => <Stages of={running} />}
      </Loaded>
      <p className="soft small">{t('newSpace.leave')}</p>
    </section>
  )
}

function Stages({ of: { stage, state, dispatchedTasks, completedTasks } }: { readonly of: Operation }) {
  const at = STAGES.indexOf(stage)
  const isDone = (index: number) => state === 'success' || index < at
  const counts = t('newSpace.of', { done: completedTasks, total: dispatchedTasks })
  return (
    <>
      <ol role="list" className="stack stages">
        {STAGES.map((one, index) => (
          <li
            key={one}
            className={index === at ? 'row' : 'row soft'}
            aria-current={index === at ? 'step' : undefined}
          >
            <span aria-hidden="true">{isDone(index) ? '✓' : index === at ? '●' : '○'}</span>
            <span className="grow">{t(`newSpace.stage.${one}`)}</span>
            {index === at && dispatchedTasks > 0 && <span className="numbers soft">{counts}</span>}
          </li>
        ))}
      </ol>
      <progress
        className="new-space-bar"
        aria-label={t(`newSpace.stage.${stage}`)}
        max={dispatchedTasks === 0 ? 1 : dispatchedTasks}
        value={dispatchedTasks === 0 ? undefined : completedTasks}
      />
    </>
  )
}
