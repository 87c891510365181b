// A page as readers will see it, and what is wrong in its text: asked for when typing pauses, one request at a time.
import type { Text } from '@codemirror/state'
import { type Previewed, previewText } from '../data/page-text.ts'
import { createStore } from '../data/store.ts'
import type { PageWriting } from './page-writing.ts'

/** The last that came stays until the next one is there. `of` is the text that was sent. */
export type Shown = {
  readonly last?: Previewed & { readonly of: string }
  readonly error?: Error
}

// Somebody who pauses so long wants to see it.
const PAUSE_MS = 400
const PAUSE_MS_MAX = 3000
const PAUSE_FACTOR = 5

export class PagePreview {
  readonly shown = createStore<Shown>({})
  /** How many problems are marked in the text now. */
  readonly marked = createStore(0)
  /** The line of the text at the top of the screen, and how much of it is above; 0 where the text begins below. */
  readonly topLine = createStore(0)
  /** Whether their list is shown below the text. */
  readonly isListOpen = createStore(false)
  readonly #writing: PageWriting
  #asked: Text | undefined

  constructor(writing: PageWriting) {
    this.#writing = writing
  }

  retry(): void {
    this.#asked = undefined
  }

  /** Until the function that it returns is called. */
  follow(): () => void {
    const end = new AbortController()
    let seen: Text | undefined
    let pauseMs = PAUSE_MS
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async () => {
      const { text } = this.#writing
      const isTyping = this.#asked !== undefined && !isSame(text, seen)
      seen = text
      if (!isTyping && !isSame(text, this.#asked)) {
        this.#asked = text
        pauseMs = await this.#ask(this.#writing.markdown, end.signal)
      }
      if (!end.signal.aborted) timer = setTimeout(() => void look(), pauseMs)
    }
    void look()
    return () => {
      end.abort()
      clearTimeout(timer)
      this.#asked = undefined
    }
  }

  /** Answers how long to wait before the next: what takes long to draw would hold up keys. */
  async #ask(markdown: string, signal: AbortSignal): Promise<number> {
    const { place, pageId } = this.#writing
    try {
      const previewed = await previewText(place.get(), pageId, markdown, signal)
      const began = performance.now()
      this.shown.set({ last: { ...previewed, of: markdown } })
      await nextPaint()
      return Math.min(PAUSE_MS_MAX, Math.max(PAUSE_MS, (performance.now() - began) * PAUSE_FACTOR))
    } catch (error) {
      if (!signal.aborted)
        this.shown.set({
          ...this.shown.get(),
          error: error instanceof Error ? error : new Error(String(error)),
        })
      return PAUSE_MS
    }
  }
}

/** While somebody types, their lengths differ, and neither is read. */
const isSame = (text: Text, other: Text | undefined): boolean => other !== undefined && text.eq(other)

const nextPaint = (): Promise<void> =>
  new Promise(resolve => {
    requestAnimationFrame(() => setTimeout(resolve))
  })
