// What uses files: pages to go to, and blocks that pages include.
import { Link } from 'wouter'
import type { Uses } from '../../data/files.ts'
import { type ContentPlace, readAddress } from '../../data/pages.ts'
import { t } from '../../messages/messages.ts'

type Props = { readonly place: ContentPlace; readonly found: Uses }

export const UsesList = ({ place, found: { uses, count } }: Props) => (
  <>
    <ul className="delete-links file-uses">
      {uses.slice(0, SHOWN_MAX).map(({ kind, id, title }) => (
        <li key={id}>
          {kind === 'page' ? (
            <Link href={readAddress(place, id)}>
              <bdi>{title}</bdi>
            </Link>
          ) : (
            <bdi>{title}</bdi>
          )}
        </li>
      ))}
    </ul>
    {count > SHOWN_MAX && <p className="soft">{t('files.moreUses', { count: count - SHOWN_MAX })}</p>}
  </>
)

const SHOWN_MAX = 20
