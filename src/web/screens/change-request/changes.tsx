// What a change request proposes, in a list.
import { useQuery } from '@tanstack/react-query'
import { changesOf, type Place } from '../../data/change-request.ts'
import type { ChangeRequest } from '../../data/change-requests.ts'
import { t } from '../../messages/messages.ts'
import { Empty, Loaded } from '../../parts/state.tsx'
import { ChangeList } from './change-list.tsx'

type Props = { readonly place: Place; readonly changeRequest: ChangeRequest }

export const Changes = ({ place, changeRequest }: Props) => (
  <Loaded query={useQuery(changesOf(place, changeRequest.revision))}>
    {({ changes, more }) =>
      changes.length === 0 ? (
        <Empty text={t('changeRequest.noChanges')} />
      ) : (
        <section className="card" aria-label={t('changeRequest.tab.changes')}>
          <ChangeList changes={changes} />
          {more !== undefined && <p className="soft small">{t('changeRequest.more', { count: more })}</p>}
        </section>
      )
    }
  </Loaded>
)
