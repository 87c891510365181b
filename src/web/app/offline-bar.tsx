import { useSyncExternalStore } from 'react'
import { t } from '../messages/messages.ts'

const subscribe = (listener: () => void) => {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

export const OfflineBar = () => {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine)
  return isOnline ? null : (
    <div className="offline" role="status">
      {t('shell.offline')}
    </div>
  )
}
