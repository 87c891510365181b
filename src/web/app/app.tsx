// Everything that all screens share: the cache, the address, messages, the session.
import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, StrictMode, Suspense } from 'react'
import { I18nProvider, RouterProvider } from 'react-aria-components'
import { Router, useLocation } from 'wouter'
import { cache } from '../data/cache.ts'
import { question } from '../data/confirmation.ts'
import { corner } from '../data/corner.ts'
import { useStore } from '../data/store.ts'
import { language } from '../messages/messages.ts'
import { Boundary } from './boundary.tsx'
import { SessionDialog } from './session-dialog.tsx'
import { Shell } from './shell.tsx'
import { leaving } from './sign-out.ts'

// Few are ever asked.
const ConfirmDialog = lazy(() => import('./confirm-dialog.tsx'))
const SignOutDialog = lazy(() => import('./sign-out-dialog.tsx'))

export const App = () => (
  <StrictMode>
    <I18nProvider locale={language}>
      <QueryClientProvider client={cache}>
        <Router>
          <WithAddress />
        </Router>
      </QueryClientProvider>
    </I18nProvider>
  </StrictMode>
)

function WithAddress() {
  const [, navigate] = useLocation()
  return (
    <RouterProvider navigate={navigate}>
      <Boundary>
        <Shell />
      </Boundary>
      <Boundary>
        <Leaving />
        <Confirm />
      </Boundary>
      <SessionDialog />
      <Corner />
    </RouterProvider>
  )
}

function Confirm() {
  const asked = useStore(question)
  return (
    asked !== null && (
      <Suspense>
        <ConfirmDialog answer={asked.answer} />
      </Suspense>
    )
  )
}

const Leaving = () =>
  useStore(leaving) !== null && (
    <Suspense>
      <SignOutDialog />
    </Suspense>
  )

const Corner = () => [...useStore(corner)].map(([name, Shown]) => <Shown key={name} />)
