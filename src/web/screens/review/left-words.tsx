import { useSuspenseQuery } from '@tanstack/react-query'
import type { ChangeRequest } from '../../data/change-requests.ts'
import { readDrafts } from '../../data/drafts.ts'
import { me } from '../../data/people.ts'
import { t } from '../../messages/messages.ts'
import { type Item, pageOf } from './items.ts'

type Props = { readonly of: Pick<ChangeRequest, 'id'>; readonly items: readonly Item[] }

/** What the device keeps of comments on pages that somebody took out of the change request, to say it elsewhere. */
export function LeftWords({ of, items }: Props) {
  const { id: myId } = useSuspenseQuery(me).data
  const shown = new Set(items.map(item => pageOf(item)?.page.id))
  const left = readDrafts(myId, `comment.${of.id}.`).filter(({ place }) => {
    const [, , pageId = ''] = place.split('.')
    return pageId !== '' && !shown.has(pageId)
  })
  if (left.length === 0) return null
  return (
    <section className="kept-words" aria-label={t('review.gone')}>
      <h2>{t('review.gone')}</h2>
      {left.map(({ place, text }) => (
        <textarea key={place} readOnly dir="auto" rows={3} aria-label={t('thread.write')} value={text} />
      ))}
    </section>
  )
}
