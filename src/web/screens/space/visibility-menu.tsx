// Who may read a space without being a member of it.
import { useMutation } from '@tanstack/react-query'
import { refreshSpace } from '../../data/change-request.ts'
import { changeVisibility, type Space } from '../../data/spaces.ts'
import { t } from '../../messages/messages.ts'
import { MenuChoice } from '../../parts/menu-choice.tsx'
import { sayFailure } from '../../parts/toasts.tsx'

type Visibility = Space['visibility']

const VISIBILITIES = [
  'private',
  'in-collection',
  'share-link',
  'visitor-auth',
  'unlisted',
  'public',
] satisfies readonly Visibility[]

export function VisibilityMenu({ space }: { readonly space: Space }) {
  const { mutate, isPending } = useMutation({
    mutationFn: (visibility: Visibility) => changeVisibility(space.id, visibility),
    onSuccess: () => refreshSpace(space.id),
    onError: sayFailure,
  })
  // A space that is in no collection has none to follow.
  const offered = VISIBILITIES.filter(one => one !== 'in-collection' || space.parent !== undefined)
  return (
    <MenuChoice
      label={t('share.whoReads')}
      options={offered.map(id => ({ id, title: t(`share.audience.${id}`) }))}
      chosen={space.visibility}
      isPending={isPending}
      onChange={mutate}
    />
  )
}
