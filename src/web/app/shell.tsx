// The frame: side bar, and the screen beside it. On a narrow screen the side bar opens over it.
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import MenuIcon from 'lucide-react/icons/menu'
import Search from 'lucide-react/icons/search'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { Link, useLocation } from 'wouter'
import { keep } from '../data/device.ts'
import { followLive } from '../data/live.ts'
import { useMayCreate } from '../data/may-create.ts'
import { useOrganization } from '../data/organization.ts'
import { me } from '../data/people.ts'
import { t } from '../messages/messages.ts'
import { IconButton } from '../parts/button.tsx'
import { readPageTree } from '../parts/later-tree.tsx'
import { useShortcuts } from '../parts/shortcuts.ts'
import { Skeleton } from '../parts/state.tsx'
import { SPACES_ID } from '../screens/home/home.tsx'
import { readOthers } from '../screens/space/side.tsx'
import { actionsFor } from './actions.ts'
import { Boundary } from './boundary.tsx'
import { OfflineBar } from './offline-bar.tsx'
import { Routes, readScreens } from './routes.tsx'
import { Sidebar } from './sidebar.tsx'
import { TypedAhead } from './typed-ahead.tsx'

const readPalette = () => import('../screens/palette/palette.tsx')
const Palette = lazy(readPalette)
const Keyboard = lazy(() => import('../screens/keyboard/keyboard.tsx'))

export const Shell = () => (
  <Suspense fallback={<Skeleton lines={8} />}>
    <Frame />
  </Suspense>
)

type Over = 'palette' | 'keyboard' | 'drawer' | null

function Frame() {
  const { id: userId } = useSuspenseQuery(me).data
  const cache = useQueryClient()
  useEffect(() => followLive(cache, userId), [cache, userId])
  const organization = useOrganization()
  const mayCreate = useMayCreate(organization)
  const [location, navigate] = useLocation()
  const [over, setOver] = useState<Over>(null)
  // With the new screen and not after it, or its heading could not take the focus.
  const [last, setLast] = useState(location)
  if (last !== location) {
    setLast(location)
    setOver(null)
  }
  const [hasSidebar, showSidebar] = useSidebar()
  const close = () => setOver(null)
  useEffect(() => {
    // Read once there is nothing else to do, so that they open in one frame.
    const timer = setTimeout(() => {
      void readPalette()
      void readScreens()
      void readPageTree()
      void readOthers()
    }, REST_MS)
    return () => clearTimeout(timer)
  }, [])
  const typed = useRef('')
  const openPalette = () => {
    typed.current = ''
    setOver('palette')
  }
  useShortcuts({
    'mod+k': openPalette,
    '/': openPalette,
    '?': () => setOver('keyboard'),
    '[': () => showSidebar(!hasSidebar),
    'g h': () => navigate('/w'),
    'g s': () => {
      navigate('/w')
      requestAnimationFrame(() => document.getElementById(SPACES_ID)?.focus())
    },
    'g c': () => navigate('/w/c'),
    'g p': () => navigate('/w/people'),
    'g i': () => navigate('/w/inbox'),
  })
  const sidebar = (
    <Boundary>
      <Sidebar onSearch={openPalette} onKeyboard={() => setOver('keyboard')} />
    </Boundary>
  )
  return (
    <div className={hasSidebar ? 'shell' : 'shell without-sidebar'}>
      <a className="skip-link" href={`#${MAIN_ID}`}>
        {t('shell.skip')}
      </a>
      {sidebar}
      <div>
        <header className="top-bar">
          <IconButton label={t('shell.menu')} onPress={() => setOver('drawer')}>
            <MenuIcon size={18} aria-hidden />
          </IconButton>
          <Link href="/w" className="grow brand">
            {organization?.title ?? t('shell.name')}
          </Link>
          <IconButton label={t('shell.search')} onPress={openPalette}>
            <Search size={18} aria-hidden />
          </IconButton>
        </header>
        <OfflineBar />
        <main className="main" id={MAIN_ID} tabIndex={-1}>
          <Boundary key={screenOf(location)}>
            <Routes />
          </Boundary>
        </main>
      </div>
      <ModalOverlay
        className="overlay"
        isOpen={over === 'drawer'}
        onOpenChange={open => setOver(open ? 'drawer' : null)}
        isDismissable
      >
        <Modal className="drawer">
          <Dialog aria-label={t('shell.navigation')}>{sidebar}</Dialog>
        </Modal>
      </ModalOverlay>
      <Suspense fallback={<TypedAhead into={typed} />}>
        {over === 'palette' && organization !== undefined && (
          <Palette
            organization={organization}
            actions={actionsFor(mayCreate, () => setOver('keyboard'))}
            typed={typed}
            onClose={close}
          />
        )}
        {over === 'keyboard' && <Keyboard onClose={close} />}
      </Suspense>
    </div>
  )
}

/** Pages of one space are one screen, and so are a page that is written and the draft that begins with its first save. */
const screenOf = (location: string): string =>
  location
    .replace(/^(\/w\/s\/[^/]+)\/p\/.*$/, '$1')
    .replace(/^(\/w\/s\/[^/]+)(?:\/c\/[^/]+)?(\/edit\/.*)$/, '$1$2')

const SIDEBAR = 'octavo.sidebar'
const HIDDEN = 'hidden'

/** Whether the side bar is shown, as somebody wants it on this device; without it the bar at the top leads to it. */
function useSidebar(): [boolean, (isShown: boolean) => void] {
  const [isShown, setShown] = useState(() => localStorage.getItem(SIDEBAR) !== HIDDEN)
  return [
    isShown,
    next => {
      setShown(next)
      keep(SIDEBAR, next ? null : HIDDEN)
    },
  ]
}

const MAIN_ID = 'workspace:main'
const REST_MS = 1000
