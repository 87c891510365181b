// Signing out drops what is kept on this device, so that the next person at it finds nothing; what is not sent yet is
// not dropped unasked.
import { cache } from '../data/cache.ts'
import { dropDrafts, listUnsent, type Unsent } from '../data/drafts.ts'
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

/** By the form that every page has: the server ends the session and leads to what anybody may read. */
export function signOutNow(): void {
  const person = cache.getQueryData(me.queryKey)
  if (person !== undefined) {
    dropDrafts(person.id, '')
    dropRecent(person.id)
  }
  dropOpenBranches()
  const form = document.createElement('form')
  form.method = 'post'
  form.action = '/sign-out'
  document.body.append(form)
  form.submit()
}
