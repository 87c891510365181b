import { useQuery } from '@tanstack/react-query'
import { isStatus } from '../data/client.ts'
import { space } from '../data/spaces.ts'
import { t } from '../messages/messages.ts'

/** What is read or written stays on the screen, also when its reader may no longer see the space. */
export function Gone({ spaceId }: { readonly spaceId: string }) {
  const { data, error } = useQuery(space(spaceId))
  if (data === undefined || !isStatus(error, 403, 404)) return null
  return (
    <p className="notice warning" role="alert">
      {t('space.gone')}
    </p>
  )
}
