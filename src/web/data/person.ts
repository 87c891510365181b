// Whose screens these are. The tabs of a browser share one session, so each call names the person: when somebody else has
// signed in, the server refuses it, and nothing is written in their name or stays before their eyes.
import type { Middleware } from 'openapi-fetch'
import { reasonOf } from './refusals.ts'
import { sessionEnded } from './session-state.ts'

let personId: string | undefined

/** From the first answer that tells who is signed in until the page is loaded again. */
export function workFor(userId: string): void {
  personId ??= userId
}

export const asPerson: Middleware = {
  onRequest({ request }) {
    for (const [name, value] of Object.entries(personHeaders())) request.headers.set(name, value)
  },
  async onResponse({ response }) {
    const reason = response.status === 401 ? await reasonOf(response) : undefined
    if (reason === 'other_person') location.assign('/w')
    // Whatever asked: what is typed on the screen stays below the question to sign in.
    if (reason === 'session_expired') sessionEnded()
  },
}

/** The same for a request that is not one of the client. */
export const personHeaders = (): Readonly<Record<string, string>> =>
  personId === undefined ? {} : { 'Octavo-Person': personId }
