// The spaces of an organization that were deleted and can still be restored.
import { useMutation, useQuery } from '@tanstack/react-query'
import { deletedSpaces, restoreSpace } from '../../data/settings.ts'
import type { Space } from '../../data/spaces.ts'
import { isolated, t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { RowList } from '../../parts/row-list.tsx'
import { Loaded } from '../../parts/state.tsx'
import { Time } from '../../parts/time.tsx'
import { say, sayFailure } from '../../parts/toasts.tsx'

export function DeletedSpaces({ organizationId }: { readonly organizationId: string }) {
  const query = useQuery(deletedSpaces(organizationId))
  return (
    <section className="stack" aria-label={t('settings.deletedSpaces')}>
      <h2>{t('settings.deletedSpaces')}</h2>
      <p className="soft">{t('settings.deletedSpacesText')}</p>
      <Loaded query={query} lines={2}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="soft">{t('settings.noDeletedSpaces')}</p>
          ) : (
            <RowList label={t('settings.deletedSpaces')} items={items} nameOf={titleOf}>
              {space => <Deleted space={space} />}
            </RowList>
          )
        }
      </Loaded>
    </section>
  )
}

// One without a title is known by its id.
const titleOf = ({ id, title }: Space): string => (title.trim() === '' ? id : title)

function Deleted({ space }: { readonly space: Space }) {
  const title = titleOf(space)
  const { mutate, isPending } = useMutation({
    mutationFn: () => restoreSpace(space.id),
    onSuccess: () => say(t('settings.restored', { title: isolated(title) })),
    onError: sayFailure,
  })
  return (
    <>
      <div className="grow">
        <p className="rows-title" dir="auto">
          {title}
        </p>
        {space.deletedAt !== undefined && (
          <p className="rows-facts">
            <span>
              {t('settings.deletedAt')} <Time value={space.deletedAt} />
            </span>
          </p>
        )}
      </div>
      <Button
        look="quiet"
        aria-label={t('settings.restoreOf', { title })}
        isPending={isPending}
        onPress={() => mutate()}
      >
        {t('settings.restore')}
      </Button>
    </>
  )
}
