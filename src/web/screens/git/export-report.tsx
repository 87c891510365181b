// What an export writes, or what prevents it.
import type { ExportCheck } from '../../data/git.ts'
import { t } from '../../messages/messages.ts'
import { Problems } from '../../parts/git-problems.tsx'
import { sayGitFailure } from '../../parts/git-words.ts'
import { branchOf } from './operation-row.tsx'

export function ExportReport({ of }: { readonly of: ExportCheck }) {
  const { errorCode, problems, writes, removes, isEmpty, isNewBranch, hasNews, ref } = of
  const branch = branchOf(ref)
  if (errorCode !== undefined)
    return (
      <div className="notice warning">
        <div className="stack grow">
          <p>{sayGitFailure({ errorCode })}</p>
          {problems.length > 0 && <Problems of={problems} />}
        </div>
      </div>
    )
  const isNothing = writes.count === 0 && removes.count === 0
  return (
    <div className="notice info">
      <div className="stack grow export-report">
        {isEmpty && <p>{t('repository.toEmpty', { branch })}</p>}
        {isNewBranch && !isEmpty && <p>{t('repository.toNewBranch', { branch })}</p>}
        {hasNews && <p>{t('repository.hasNews')}</p>}
        {isNothing ? (
          <p>{t('repository.nothingToWrite')}</p>
        ) : (
          <p>
            <strong>
              {t('repository.commitOf', {
                writes: t('repository.writes', { count: writes.count }),
                removes: t('repository.removes', { count: removes.count }),
              })}
            </strong>
          </p>
        )}
        <Paths title={t('repository.writes', { count: writes.count })} of={writes} />
        <Paths title={t('repository.removes', { count: removes.count })} of={removes} />
        {problems.length > 0 && (
          <details>
            <summary>{t('newSpace.problems', { count: problems.length })}</summary>
            <Problems of={problems} />
          </details>
        )}
      </div>
    </div>
  )
}

const Paths = ({
  title,
  of: { count, paths },
}: {
  readonly title: string
  readonly of: ExportCheck['writes']
}) =>
  count > 0 && (
    <details>
      <summary>{title}</summary>
      <ul role="list" className="git-paths small">
        {paths.map(path => (
          <li key={path}>
            <bdi className="mono">{path}</bdi>
          </li>
        ))}
        {count > paths.length && (
          <li className="faint">{t('problem.more_problems', { count: count - paths.length })}</li>
        )}
      </ul>
    </details>
  )
