// A deadline that can be paused, so that time others take does not count.
import { monotonicMs } from '../../base/clock.ts'

export class Deadline {
  readonly #onEnd: () => void
  #leftMs: number
  #began = 0
  #timer: NodeJS.Timeout | undefined
  #isOver = false

  /** Begins paused. `onEnd` is called once it has run for `ms` in total. */
  constructor(ms: number, onEnd: () => void) {
    this.#leftMs = ms
    this.#onEnd = onEnd
  }

  run(): void {
    if (this.#timer !== undefined || this.#isOver) return
    this.#began = monotonicMs()
    this.#timer = setTimeout(this.#onEnd, Math.max(1, this.#leftMs))
  }

  pause(): void {
    if (this.#timer === undefined) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#leftMs -= monotonicMs() - this.#began
  }

  /** The guarded work has ended. */
  end(): void {
    this.pause()
    this.#isOver = true
  }
}
