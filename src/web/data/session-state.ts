// Whether the session of the browser still counts. It may end in the middle of a sentence: the screen stays, and signing
// in happens above it.
import { createStore } from './store.ts'

type SessionState = 'live' | 'ended'

export const session = createStore<SessionState>('live')

export const sessionEnded = (): void => session.set('ended')
export const sessionBegan = (): void => session.set('live')

/** Runs at the next sign-in that happens here; at once if it has happened. */
export function onceSignedIn(run: () => void): void {
  if (session.get() === 'live') run()
  else {
    const end = session.subscribe(() => {
      if (session.get() !== 'live') return
      end()
      run()
    })
  }
}
