// Says what goes with pages that are deleted: those below them, links of other pages, comments.
import { useQuery } from '@tanstack/react-query'
import { consequencesOf, PAGES_ASKED_MAX } from '../../data/consequences.ts'
import { type ContentPlace, readAddress, type TreePage } from '../../data/pages.ts'
import { withBelow } from '../../data/tree-changes.ts'
import { isolated, t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Loaded } from '../../parts/state.tsx'

type Props = {
  readonly place: ContentPlace
  readonly pages: readonly TreePage[]
  /** Those that are deleted with what is below them. */
  readonly ids: readonly string[]
  readonly onDelete: () => void
  readonly onClose: () => void
}

export function DeleteDialog({ place, pages, ids, onDelete, onClose }: Props) {
  const gone = withBelow(pages, ids)
  const consequences = useQuery(
    consequencesOf(
      place,
      gone.map(({ id }) => id),
    ),
  )
  const below = gone.length - ids.length
  const title = isolated(gone[0]?.title ?? '')
  return (
    <Dialog
      title={t('tree.deleteTitle', { count: ids.length, title })}
      isOpen
      onClose={onClose}
      isDismissable
    >
      {below > 0 && <p>{t('tree.below', { count: below })}</p>}
      <Loaded query={consequences} lines={2}>
        {({ linking, comments }) => (
          <>
            {linking.length === 0 ? (
              <p className="soft">{t('tree.noLinks')}</p>
            ) : (
              <div>
                <p>{t('tree.links', { count: linking.length })}</p>
                <ul className="delete-links">
                  {linking.slice(0, LINKS_SHOWN_MAX).map(page => (
                    <li key={page.id}>
                      <a href={readAddress(place, page.id)} target="_blank" rel="noopener">
                        <bdi>{page.title}</bdi>
                      </a>
                    </li>
                  ))}
                </ul>
              </div>
            )}
            {gone.length > PAGES_ASKED_MAX && <p className="soft">{t('tree.moreLinks')}</p>}
            {comments > 0 && <p>{t('tree.comments', { count: comments })}</p>}
          </>
        )}
      </Loaded>
      <div className="dialog-actions">
        <Button onPress={onClose}>{t('tree.cancel')}</Button>
        <Button
          look="danger"
          onPress={() => {
            onClose()
            onDelete()
          }}
        >
          {t('tree.delete')}
        </Button>
      </div>
    </Dialog>
  )
}

const LINKS_SHOWN_MAX = 10
