// The frame: side bar, and the screen beside it. On a narrow screen the side bar opens over it.
import { useSuspenseQuery } from '@tanstack/react-query'
import { Menu as MenuIcon } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { Link, useLocation } from 'wouter'
import { me } from '../data/people.ts'
import { t } from '../messages/messages.ts'
import { IconButton } from '../parts/button.tsx'
import { Skeleton } from '../parts/state.tsx'
import { Boundary } from './boundary.tsx'
import { OfflineBar } from './offline-bar.tsx'
import { Routes } from './routes.tsx'
import { Sidebar } from './sidebar.tsx'

export const Shell = () => (
  <Suspense fallback={<Skeleton lines={8} />}>
    <Frame />
  </Suspense>
)

function Frame() {
  useSuspenseQuery(me)
  const [location] = useLocation()
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it closes at each new address
  useEffect(() => setDrawerOpen(false), [location])
  return (
    <div className="shell">
      <Sidebar />
      <div>
        <header className="top-bar">
          <IconButton label={t('shell.menu')} onPress={() => setDrawerOpen(true)}>
            <MenuIcon size={18} aria-hidden />
          </IconButton>
          <Link href="/w" className="grow brand">
            {t('shell.name')}
          </Link>
        </header>
        <OfflineBar />
        <main className="main" tabIndex={-1}>
          <Boundary key={location}>
            <Routes />
          </Boundary>
        </main>
      </div>
      <ModalOverlay className="overlay" isOpen={isDrawerOpen} onOpenChange={setDrawerOpen} isDismissable>
        <Modal className="drawer">
          <Dialog aria-label={t('shell.navigation')}>
            <Sidebar />
          </Dialog>
        </Modal>
      </ModalOverlay>
    </div>
  )
}
