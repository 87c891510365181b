// The one button that publishes: what stands in its way, what it would show to readers, and bringing it up to date first.
import { useMutation } from '@tanstack/react-query'
import GitMerge from 'lucide-react/icons/git-merge'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import { Link, useLocation } from 'wouter'
import { type Mergeability, merge, updateFromSpace } from '../../data/change-request.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { sayObstacle } from '../../parts/refusals.ts'
import { useShortcuts } from '../../parts/shortcuts.ts'
import { say, sayFailure } from '../../parts/toasts.tsx'
import type { Props as SideProps } from './props.ts'
import { REASONS_ID, Reasons } from './reasons.tsx'

type Props = SideProps & { readonly mergeability: Mergeability }

export function Merge({ place, of, mergeability }: Props) {
  const { mergeable, outdated, conflictCount, publishes, bypass, rules, obstacles } = mergeability
  const merging = useMutation({
    mutationFn: () => merge(place),
    onSuccess: ({ result }) =>
      say(t(result === 'merge' ? 'changeRequest.published' : 'changeRequest.hasConflicts')),
    onError: sayFailure,
  })
  useShortcuts(of.permissions.merge && mergeable && !merging.isPending ? { m: () => merging.mutate() } : {})
  // Who may not merge waits for others, and has nothing to put right.
  const ofRole = obstacles.find(({ reason }) => reason === 'role_too_weak')
  const isReady = obstacles.every(obstacle => obstacle === ofRole)
  const isHeldUp = rules.some(({ passed }) => !passed)
  const isBypassing = bypass && isHeldUp
  // What a rule forbids cannot be finished as a merge.
  const goal = of.permissions.merge && (bypass || !isHeldUp) ? 'merge' : 'update'
  return (
    <section className="side-section merge" aria-labelledby="workspace:merge">
      <h2 id="workspace:merge">{isReady ? t('changeRequest.mergeable') : t('changeRequest.notMergeable')}</h2>
      <Reasons mergeability={mergeability} />
      {ofRole !== undefined && <p className="small soft">{sayObstacle(ofRole)}</p>}
      {isBypassing && <p className="small soft">{t('changeRequest.bypass')}</p>}
      {conflictCount > 0 && of.permissions[goal === 'merge' ? 'merge' : 'edit'] && (
        <Link
          className="button primary"
          href={`/w/s/${place.spaceId}/c/${place.changeRequestId}/conflicts?for=${goal}`}
        >
          {t('changeRequest.settle', { count: conflictCount })}
        </Link>
      )}
      {publishes.length > 0 && (
        <div className="notice info">
          <div>
            <p>{t('changeRequest.publishes')}</p>
            <ul>
              {publishes.map(({ id, slug }) => (
                <li key={id}>{t('changeRequest.specification', { slug })}</li>
              ))}
            </ul>
          </div>
        </div>
      )}
      {of.permissions.merge && (
        <Button
          look="primary"
          aria-describedby={REASONS_ID}
          isDisabled={!mergeable}
          isPending={merging.isPending}
          onPress={() => merging.mutate()}
        >
          <GitMerge size={16} aria-hidden />
          {t('changeRequest.merge')}
        </Button>
      )}
      <UpToDate place={place} isOutdated={outdated} canEdit={of.permissions.edit} />
    </section>
  )
}

type UpToDateProps = Pick<Props, 'place'> & { readonly isOutdated: boolean; readonly canEdit: boolean }

function UpToDate({ place, isOutdated, canEdit }: UpToDateProps) {
  const [, navigate] = useLocation()
  const { mutate, isPending } = useMutation({
    mutationFn: () => updateFromSpace(place),
    onSuccess: ({ result }) => {
      if (result === 'update') return say(t('changeRequest.updated'))
      say(t('changeRequest.hasConflicts'))
      navigate(`/w/s/${place.spaceId}/c/${place.changeRequestId}/conflicts?for=update`)
    },
    onError: sayFailure,
  })
  if (!isOutdated) return <p className="small soft">{t('changeRequest.upToDate')}</p>
  return (
    <>
      <p className="small soft">{t('changeRequest.outdated')}</p>
      {canEdit && (
        <Button isPending={isPending} onPress={() => mutate()}>
          <RefreshCw size={14} aria-hidden />
          {t('changeRequest.update')}
        </Button>
      )}
    </>
  )
}
