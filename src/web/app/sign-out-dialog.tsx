import { use, useState } from 'react'
import { Link } from 'wouter'
import { useStore } from '../data/store.ts'
import { t } from '../messages/messages.ts'
import { signOutTexts } from '../messages/sign-out.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { leaving, signOutNow } from './sign-out.ts'

/** Asks before what is not sent yet is dropped: how much it is, and where each was written. */
export default function SignOutDialog() {
  if (signOutTexts !== undefined) use(signOutTexts)
  const unsent = useStore(leaving)
  const [isGoing, setGoing] = useState(false)
  if (unsent === null) return null
  const stay = () => leaving.set(null)
  const count = unsent.reduce((sum, one) => sum + one.count, 0)
  return (
    <Dialog title={t('signOut.title')} isOpen onClose={stay}>
      <p>{t('signOut.unsent', { count })}</p>
      <ul role="list" className="card rows">
        {unsent.map(({ address, title, count: here }) => (
          <li key={address}>
            <Link href={address} onClick={stay} className="rows-row">
              <bdi>{title === '' ? t('signOut.untitled') : title}</bdi>
              {here > 1 && <span className="faint">{t('signOut.here', { count: here })}</span>}
            </Link>
          </li>
        ))}
      </ul>
      <div className="dialog-actions">
        <Button onPress={stay}>{t('signOut.stay')}</Button>
        <Button
          look="danger"
          isPending={isGoing}
          onPress={() => {
            setGoing(true)
            signOutNow()
          }}
        >
          {t('signOut.drop')}
        </Button>
      </div>
    </Dialog>
  )
}
