// One import or export: who began it, how it went, and what is to be looked at.
import { Link } from 'wouter'
import type { Operation, Problem } from '../../data/git.ts'
import { historyAddress, spaceAddress } from '../../data/pages.ts'
import { language, t } from '../../messages/messages.ts'
import { type ProblemPage, Problems } from '../../parts/git-problems.tsx'
import { sayGitFailure } from '../../parts/git-words.ts'
import { Time } from '../../parts/time.tsx'

type Props = {
  readonly of: Operation
  readonly spaceId: string
  readonly pageOf: (problem: Problem) => ProblemPage | undefined
}

const LOOKS: Readonly<Record<Operation['state'], string>> = {
  running: 'info',
  success: 'success',
  failure: 'danger',
}

export function OperationRow({ of, spaceId, pageOf }: Props) {
  const { state, direction, problems, changeRequest } = of
  return (
    <div className="git-operation stack">
      <p className="row">
        <span className={`mark ${LOOKS[state]}`}>{t(`repository.state.${state}`)}</span>
        <span className="grow rows-title">{t(`repository.${direction}`)}</span>
        <span className="rows-facts">
          <Facts of={of} />
        </span>
      </p>
      <Place of={of} />
      {state === 'running' && <Running of={of} />}
      {state === 'failure' && <Failed of={of} />}
      {state === 'success' && <Result of={of} spaceId={spaceId} />}
      {changeRequest !== undefined && (
        <p>
          <Link href={`${spaceAddress(spaceId)}/c/${changeRequest}`}>{t('repository.changeRequest')}</Link>
        </p>
      )}
      {problems.length > 0 && (
        <details open={state === 'failure'}>
          <summary>{t('newSpace.problems', { count: problems.length })}</summary>
          <Problems of={problems} pageOf={pageOf} />
        </details>
      )}
    </div>
  )
}

const Facts = ({ of: { createdBy, startedAt, completedAt } }: { readonly of: Operation }) => (
  <>
    {createdBy !== undefined && <bdi>{createdBy.displayName}</bdi>}
    <Time value={startedAt} />
    {completedAt !== undefined && (
      <span>
        {t('repository.took', { time: sayDuration(Date.parse(completedAt) - Date.parse(startedAt)) })}
      </span>
    )}
  </>
)

/** The repository and its branch. */
const Place = ({ of: { url, ref } }: { readonly of: Operation }) => (
  <p className="soft small git-place">
    {ref === '' ? (
      t('repository.upload')
    ) : (
      <>
        {url !== undefined && <bdi>{url}</bdi>} <bdi className="mono">{branchOf(ref)}</bdi>
      </>
    )}
  </p>
)

const Running = ({
  of: { stage, dispatchedTasks: total, completedTasks: done },
}: {
  readonly of: Operation
}) => (
  <div className="stack">
    <p className="soft row" role="status">
      <span className="grow">{t(`newSpace.stage.${stage}`)}</span>
      {total > 0 && <span className="numbers">{t('newSpace.of', { done, total })}</span>}
    </p>
    <progress
      className="new-space-bar"
      aria-label={t(`newSpace.stage.${stage}`)}
      max={Math.max(total, 1)}
      value={total === 0 ? undefined : done}
    />
  </div>
)

/** Where the host said why, its words stand beside ours. */
const SAID_BY_HOST: readonly (string | undefined)[] = ['git_push_refused']

const Failed = ({ of }: { readonly of: Operation }) => (
  <>
    <p>
      {sayGitFailure(of)} {t('repository.kept')}
    </p>
    {SAID_BY_HOST.includes(of.errorCode) && (
      <p className="soft small" lang="en">
        {of.error}
      </p>
    )}
  </>
)

const Result = ({
  of: { direction, skipped, commit },
  spaceId,
}: {
  readonly of: Operation
  readonly spaceId: string
}) => (
  <p className="soft">
    {skipped
      ? t('repository.skipped')
      : direction === 'import' && <Link href={historyAddress(spaceId)}>{t('repository.revision')}</Link>}
    {!skipped && direction === 'export' && t('repository.written')}{' '}
    {commit !== undefined && <span className="mono small">{commit.slice(0, OID_CHARACTERS)}</span>}
  </p>
)

/** As git abbreviates. */
const OID_CHARACTERS = 7

export const branchOf = (ref: string): string => ref.replace(/^refs\/heads\//, '')

const MINUTE_SECONDS = 60

function sayDuration(milliseconds: number): string {
  const seconds = Math.max(1, Math.round(milliseconds / 1000))
  const isLong = seconds >= MINUTE_SECONDS
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: isLong ? 'minute' : 'second',
    maximumFractionDigits: 0,
  }).format(isLong ? seconds / MINUTE_SECONDS : seconds)
}
