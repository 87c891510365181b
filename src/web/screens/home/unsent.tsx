// What this device keeps because it is not sent: where it was written and when, also if that can no longer be reached by
// the tree of pages or a list.
import { use, useState } from 'react'
import { Link } from 'wouter'
import { listUnsent, type Unsent as Written } from '../../data/drafts.ts'
import { discardUnsent, restoreUnsent } from '../../data/unsent.ts'
import { t } from '../../messages/messages.ts'
import { unsentTexts } from '../../messages/unsent.ts'
import { Button } from '../../parts/button.tsx'
import { Time } from '../../parts/time.tsx'
import { say } from '../../parts/toasts.tsx'

export default function Unsent({ personId }: { readonly personId: string }) {
  if (unsentTexts !== undefined) use(unsentTexts)
  const [listed, setListed] = useState(() => listUnsent(personId))
  const discard = ({ address }: Written) => {
    const discarded = discardUnsent(personId, address)
    const list = () => setListed(listUnsent(personId))
    list()
    say(t('unsent.discarded'), {
      label: t('unsent.undo'),
      run: () => {
        restoreUnsent(discarded)
        list()
      },
    })
  }
  if (listed.length === 0) return null
  return (
    <section className="stack" aria-label={t('unsent.title')}>
      <h2>{t('unsent.title')}</h2>
      <p className="soft">{t('unsent.text')}</p>
      <ul role="list" className="card rows">
        {listed.map(one => (
          <li key={one.address} className="rows-row">
            <Link href={one.address} className="grow rows-title" dir="auto">
              {nameOf(one)}
            </Link>
            <span className="rows-facts">
              {one.count > 1 && <>{t('unsent.here', { count: one.count })} </>}
              {one.at > 0 && <Time value={new Date(one.at).toISOString()} />}
            </span>
            <Button
              look="quiet"
              aria-label={t('unsent.discardOf', { title: nameOf(one) })}
              onPress={() => discard(one)}
            >
              {t('unsent.discard')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

const nameOf = ({ title }: Written): string => (title === '' ? t('unsent.untitled') : title)
