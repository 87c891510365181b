// The repository that a space is kept in sync with, for its admins.
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Model } from '../../data/client.ts'
import { operationsOf, stopSync, syncOf } from '../../data/git.ts'
import { spaceAddress } from '../../data/pages.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { sayGitFailure } from '../../parts/git-words.ts'
import { Time } from '../../parts/time.tsx'
import { sayFailure } from '../../parts/toasts.tsx'
import { branchOf } from './operation-row.tsx'

/** `onChange` asks how it is kept. */
type Props = { readonly spaceId: string; readonly onChange: () => void }

export function Sync({ spaceId, onChange }: Props) {
  const { data } = useQuery(syncOf(spaceId))
  if (data === undefined) return null
  if (data !== null) return <Kept spaceId={spaceId} of={data} onChange={onChange} />
  return <NotKept spaceId={spaceId} onChange={onChange} />
}

function NotKept({ spaceId, onChange }: Props) {
  const operations = useInfiniteQuery(operationsOf(spaceId)).data?.pages[0]?.items
  const last = operations?.find(({ state, ref }) => state === 'success' && ref !== '')
  const isConverted = last?.layout !== undefined && last.layout !== 'gitbook'
  return (
    <section className="card git-operation row" aria-label={t('repository.notKept')}>
      <p className="grow soft">{isConverted ? t('repository.notKeptAs') : t('repository.notKeptBy')}</p>
      {!isConverted && <Button onPress={onChange}>{t('repository.keep')}</Button>}
    </section>
  )
}

function Kept({ spaceId, of, onChange }: Props & { readonly of: Model<'GitSync'> }) {
  const { url, ref, pullEveryMinutes, push, pulledAt, hook, failure, changeRequest } = of
  const { mutate, isPending } = useMutation({ mutationFn: () => stopSync(spaceId), onError: sayFailure })
  return (
    <section className="card git-operation stack" aria-label={t('repository.sync')}>
      <h2>{t('repository.sync')}</h2>
      <p>
        <bdi>{t('repository.syncFacts', { url, branch: branchOf(ref) })}</bdi>
      </p>
      <p className="soft">
        {pullEveryMinutes === null
          ? t('repository.onCall')
          : t('repository.hourly', { count: pullEveryMinutes })}{' '}
        {push && t('repository.pushes')}
      </p>
      {pulledAt !== null && (
        <p className="soft">
          {t('repository.pulled')} <Time value={pulledAt} />
        </p>
      )}
      {failure !== null && (
        <p className="notice danger">
          {t('repository.syncFailed', {
            count: failure.count,
            why: sayGitFailure({ errorCode: failure.code }),
          })}
        </p>
      )}
      {changeRequest !== null && (
        <p>
          <Link href={`${spaceAddress(spaceId)}/c/${changeRequest}`}>{t('repository.changeRequest')}</Link>
        </p>
      )}
      <span className="label">{t('repository.hook')}</span>
      <CopyField label={t('repository.hook')} value={hook} />
      <p className="soft small">{t('repository.hookSecret')}</p>
      <div className="row">
        <Button onPress={onChange}>{t('repository.change')}</Button>
        <Button look="danger" isPending={isPending} onPress={() => mutate()}>
          {t('repository.stop')}
        </Button>
      </div>
    </section>
  )
}
