// A file on its way, where it will be in the text: its name, how much of it is there, and why not where it fails.
import { WidgetType } from '@codemirror/view'
import { isStatus } from '../data/client.ts'
import { randomKey } from '../data/random-key.ts'
import { t } from '../messages/messages.ts'
import { sayWhy } from '../parts/refusals.ts'

type State =
  | { readonly kind: 'waiting' }
  /** `part` is from 0 to 1. */
  | { readonly kind: 'sending'; readonly part: number }
  | { readonly kind: 'failed'; readonly error: unknown }

export class UploadMark extends WidgetType {
  readonly file: File
  /** Several at one place stand in the order in which they were given. */
  readonly order: number
  /** Sent again under it, it is put there once. */
  readonly key = randomKey()
  readonly removed = new AbortController()
  onRetry = (): void => undefined
  onRemove = (): void => undefined
  #state: State = { kind: 'waiting' }
  #element: HTMLElement | undefined

  constructor(file: File, order: number) {
    super()
    this.file = file
    this.order = order
  }

  override eq(other: WidgetType): boolean {
    return other === this
  }

  override toDOM(): HTMLElement {
    this.#element = document.createElement('span')
    this.#element.setAttribute('role', 'group')
    this.#element.setAttribute('aria-label', this.file.name)
    this.#draw()
    return this.#element
  }

  override destroy(): void {
    this.#element = undefined
  }

  /** Its buttons are pressed as any others are. */
  override ignoreEvent(): boolean {
    return true
  }

  become(state: State): void {
    const progress = this.#element?.querySelector('progress')
    const isFurther = state.kind === 'sending' && this.#state.kind === 'sending'
    this.#state = state
    if (isFurther && progress) progress.value = state.part
    else this.#draw()
  }

  #draw(): void {
    const { name } = this.file
    const state = this.#state
    const words = document.createElement('span')
    words.textContent =
      state.kind === 'failed' ? t('suggestions.notSent', { name, why: whyNot(state.error) }) : name
    if (state.kind === 'failed') words.setAttribute('role', 'alert')
    this.#element?.setAttribute('class', `cm-upload ${state.kind}`)
    this.#element?.replaceChildren(
      words,
      ...(state.kind === 'failed'
        ? [button(t('state.retry'), () => this.onRetry())]
        : [this.#progress(state)]),
      button(t(state.kind === 'failed' ? 'suggestions.removeUpload' : 'suggestions.cancelUpload'), () =>
        this.onRemove(),
      ),
    )
  }

  #progress(state: Exclude<State, { kind: 'failed' }>): HTMLProgressElement {
    const progress = document.createElement('progress')
    progress.setAttribute('aria-label', t('suggestions.sending', { name: this.file.name }))
    if (state.kind === 'sending') progress.value = state.part
    return progress
  }
}

/** Of a file, not of what is typed. */
const whyNot = (error: unknown): string => (isStatus(error, 413) ? t('suggestions.tooLarge') : sayWhy(error))

function button(label: string, onPress: () => void): HTMLButtonElement {
  const element = document.createElement('button')
  element.type = 'button'
  element.textContent = label
  element.addEventListener('click', onPress)
  return element
}
