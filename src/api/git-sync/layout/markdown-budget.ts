// Bounds the Markdown that one import reads, for pages and reusable contents together.
import { tooLarge } from '../../../base/errors.ts'
import { MARKDOWN_BYTES_MAX } from './bounds.ts'

export class MarkdownBudget {
  #spent = 0

  /** To be called before the bytes are read. @throws Failure too_large `content_too_large` */
  spend(bytes: number): void {
    this.#spent += bytes
    if (this.#spent <= MARKDOWN_BYTES_MAX) return
    throw tooLarge(
      'content_too_large',
      `The new Markdown of this commit is ${this.#spent} bytes; one import reads at most ${MARKDOWN_BYTES_MAX}.`,
    )
  }
}
