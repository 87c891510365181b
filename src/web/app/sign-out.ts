// Signing out drops what is kept on this device, so that the next person at it finds nothing; what is not sent yet is
// not dropped unasked.
import { cache } from '../data/cache.ts'
import { endDrafts, listUnsent, type Unsent } from '../data/drafts.ts'
import { dropOpenBranches } from '../data/open-branches.ts'
import { me } from '../data/people.ts'
import { dropRecent } from '../data/recent.ts'
import { createStore } from '../data/store.ts'

/** What would be lost, while somebody is asked. */
export const leaving = createStore<readonly Unsent[] | null>(null)

export function signOut(): void {
  const person = cache.getQueryData(me.queryKey)
  const unsent = person === undefined ? [] : listUnsent(person.id)
  if (unsent.length === 0) signOutNow()
  else leaving.set(unsent)
}

/**
 * By the form that every page has: the server ends the session and leads to what anybody may read. It asks instead where
 * somebody else has signed in since.
 */
export function signOutNow(): void {
  const person = cache.getQueryData(me.queryKey)
  if (person !== undefined) {
    endDrafts(person.id)
    dropRecent(person.id)
  }
  dropOpenBranches()
  const form = document.createElement('form')
  form.method = 'post'
  form.action = '/sign-out'
  const named = document.createElement('input')
  named.type = 'hidden'
  named.name = 'person'
  named.value = person?.id ?? ''
  form.append(named)
  document.body.append(form)
  form.submit()
}
