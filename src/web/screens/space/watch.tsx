// Watching the page or all of the space: a menu in which each is on or off.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import Eye from 'lucide-react/icons/eye'
import { Menu, MenuItem, MenuTrigger } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import type { TreePage } from '../../data/pages.ts'
import { setWatched, watchedIn } from '../../data/watches.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { sayFailure } from '../../parts/toasts.tsx'

type Props = { readonly spaceId: string; readonly page: TreePage | undefined }

export function Watch({ spaceId, page }: Props) {
  const cache = useQueryClient()
  const { data } = useQuery(watchedIn(spaceId))
  const { mutate } = useMutation({
    mutationFn: (changed: 'space' | 'page') =>
      changed === 'space'
        ? setWatched(cache, { spaceId }, !on.has('space'))
        : setWatched(cache, { spaceId, ...(page && { pageId: page.id }) }, !on.has('page')),
    onError: sayFailure,
  })
  const on = new Set([
    ...(data?.space === true ? ['space'] : []),
    ...(page !== undefined && data?.pages.includes(page.id) === true ? ['page'] : []),
  ])
  const things = page?.type === 'document' ? (['page', 'space'] as const) : (['space'] as const)
  return (
    <MenuTrigger>
      <Button look="quiet" isDisabled={data === undefined}>
        <Eye size={15} aria-hidden />
        <span className="wide-only">{t(on.size > 0 ? 'space.watching' : 'space.watch')}</span>
      </Button>
      <Popover className="popover" placement="bottom end">
        <Menu
          aria-label={t('space.watch')}
          selectionMode="multiple"
          selectedKeys={on}
          onSelectionChange={keys => {
            const next = new Set(keys)
            const changed = things.find(one => next.has(one) !== on.has(one))
            if (changed !== undefined) mutate(changed)
          }}
        >
          {things.map(one => (
            <MenuItem key={one} id={one} className="option">
              {t(`space.watched.${one}`)}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
