// Who may read a space without being a member of it.
import { useMutation } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { Menu, MenuItem, MenuTrigger } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { refreshSpace } from '../../data/change-request.ts'
import { changeVisibility, type Space } from '../../data/spaces.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
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
    <MenuTrigger>
      <Button isPending={isPending}>
        <span className="visually-hidden">{t('share.whoReads')}</span>
        {t(`share.audience.${space.visibility}`)}
        <ChevronDown size={14} aria-hidden />
      </Button>
      <Popover className="popover" placement="bottom end">
        <Menu
          aria-label={t('share.whoReads')}
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[space.visibility]}
          onSelectionChange={keys => {
            const chosen = offered.find(one => one === [...keys][0])
            if (chosen !== undefined && chosen !== space.visibility) mutate(chosen)
          }}
        >
          {offered.map(one => (
            <MenuItem key={one} id={one} className="option">
              {t(`share.audience.${one}`)}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
