// Signing in again without leaving the screen: in a window of its own, while what was typed stays where it is.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, dataOf } from '../data/client.ts'
import { session, sessionBegan } from '../data/session-state.ts'
import { useStore } from '../data/store.ts'
import { t } from '../messages/messages.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'

/** The window of the sign-in ends here, and closes itself. */
export const SIGNED_IN_PATH = '/w/signed-in'

const SIGN_IN = `/sign-in?next=${encodeURIComponent(SIGNED_IN_PATH)}`

export function SessionDialog() {
  const isOpen = useStore(session) === 'ended'
  const cache = useQueryClient()
  useEffect(() => {
    if (!isOpen) return
    const look = async () => {
      const person = await dataOf(api.GET('/user')).catch(() => undefined)
      if (person === undefined) return
      sessionBegan()
      await cache.invalidateQueries()
    }
    addEventListener('focus', look)
    return () => removeEventListener('focus', look)
  }, [isOpen, cache])
  return (
    <Dialog title={t('session.ended')} isOpen={isOpen} onClose={() => undefined}>
      <p>{t('session.kept')}</p>
      <div className="dialog-actions">
        <Button look="primary" onPress={() => window.open(SIGN_IN, 'octavo-sign-in', 'width=480,height=640')}>
          {t('session.signIn')}
        </Button>
      </div>
    </Dialog>
  )
}
