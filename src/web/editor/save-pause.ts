// When a page is saved that somebody types: one revision a pause, not one a key.

const PAUSE_MS = 5000
/** Who never pauses is saved all the same. */
const UNSAVED_MS_MAX = 30_000

export class SavePause {
  #unsavedSince: number | undefined

  /** Something was typed. In how many milliseconds it is to be saved if nothing follows. */
  begin(): number {
    this.#unsavedSince ??= Date.now()
    return Math.max(0, Math.min(PAUSE_MS, this.#unsavedSince + UNSAVED_MS_MAX - Date.now()))
  }

  /** Nothing is unsaved. */
  end(): void {
    this.#unsavedSince = undefined
  }
}
