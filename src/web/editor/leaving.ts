// Pages that are left while they save: who comes back goes on with the same, so that no page has two writers here.
import { type ContentPlace, editAddress } from '../data/pages.ts'
import type { Store } from '../data/store.ts'
import type { Opened } from './opening.ts'

type Left = { readonly opened: Opened; readonly place: Pick<Store<ContentPlace>, 'get'> }

export class Leaving<Writing extends Left> {
  readonly #all = new Set<Writing>()

  /** It may have moved to another place since it was opened. */
  find({ personId, pageId, place }: Opened): Writing | undefined {
    const address = editAddress(place, pageId)
    return [...this.#all].find(({ opened, place: now }) => {
      const isThere = [opened.place, now.get()].some(one => editAddress(one, opened.pageId) === address)
      return isThere && opened.personId === personId
    })
  }

  enter(writing: Writing): void {
    this.#all.add(writing)
  }

  quit(writing: Writing): void {
    this.#all.delete(writing)
  }
}
