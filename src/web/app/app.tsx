// Everything that all screens share: the cache, the address, messages, the session.
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { I18nProvider, RouterProvider } from 'react-aria-components'
import { Router, useLocation } from 'wouter'
import { cache } from '../data/cache.ts'
import { language } from '../messages/messages.ts'
import { Toasts } from '../parts/toasts.tsx'
import { Boundary } from './boundary.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { SessionDialog } from './session-dialog.tsx'
import { Shell } from './shell.tsx'
import { SignOutDialog } from './sign-out-dialog.tsx'

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
      <SignOutDialog />
      <ConfirmDialog />
      <SessionDialog />
      <Toasts />
    </RouterProvider>
  )
}
