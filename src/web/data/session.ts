// Whether the session of the browser still counts. It may end in the middle of a sentence: the screen stays, and signing
// in happens above it.
import { createStore } from './store.ts'

export type SessionState = 'live' | 'ended'

export const session = createStore<SessionState>('live')

export const sessionEnded = (): void => session.set('ended')
export const sessionBegan = (): void => session.set('live')
