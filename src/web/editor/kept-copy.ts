// The copy of a page that this device keeps for one writer, as long as the page is not saved.
import { type ChangedPage, dropKeptPage, type KeptPage, keepPage, takeKeptPage } from '../data/kept-page.ts'
import type { KeptPlace } from '../data/kept-place.ts'
import type { ContentPlace } from '../data/pages.ts'
import { randomKey } from '../data/random-key.ts'
import { createStore } from '../data/store.ts'

export class KeptCopy {
  /** Another tab has a copy too. */
  readonly writer = randomKey()
  /** Whether the device keeps what it was given: its storage may be full. */
  readonly isKept = createStore(true)
  #place: KeptPlace

  constructor(place: KeptPlace) {
    this.#place = place
  }

  /** What was kept for this place before. */
  take(): KeptPage | undefined {
    return takeKeptPage(this.#place, this.writer)
  }

  keep(page: ChangedPage): void {
    this.isKept.set(keepPage(this.#place, this.writer, page))
  }

  drop(): void {
    dropKeptPage(this.#place, this.writer)
    this.isKept.set(true)
  }

  /** From now on it is kept for another place. What was kept before stays until it is dropped. */
  moveTo(place: ContentPlace): KeptPlace {
    const before = this.#place
    this.#place = { ...before, ...place, changeRequestId: place.changeRequestId }
    return before
  }
}
