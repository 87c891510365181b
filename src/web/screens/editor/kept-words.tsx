import { readKeptPage } from '../../data/kept-page.ts'
import type { ContentPlace } from '../../data/pages.ts'
import { t } from '../../messages/messages.ts'

type Props = { readonly personId: string; readonly place: ContentPlace; readonly pageId: string }

/** What the device keeps of a page that its writer cannot open any more, to take it elsewhere. */
export function KeptWords({ personId, place, pageId }: Props) {
  const kept = readKeptPage({ ...place, personId, pageId })
  if (kept === undefined) return null
  return (
    <section className="kept-words" aria-label={t('editor.keptWords')}>
      <h2>{t('editor.keptWords')}</h2>
      <textarea readOnly dir="auto" rows={16} aria-label={t('editor.text')} value={kept.text} />
    </section>
  )
}
