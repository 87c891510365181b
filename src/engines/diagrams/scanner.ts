// Reads a line from left to right.

export class Scanner {
  readonly #line: string
  #at = 0

  constructor(line: string) {
    this.#line = line
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#line.length
  }

  /** All that is left, unread. */
  rest(): string {
    return this.#line.slice(this.#at)
  }

  skipSpaces(): void {
    while (this.#line[this.#at] === ' ' || this.#line[this.#at] === '\t') this.#at += 1
  }

  /** Whether `text` was next; if so, it is read. */
  take(text: string): boolean {
    if (!this.#line.startsWith(text, this.#at)) return false
    this.#at += text.length
    return true
  }

  /** What a sticky expression matches here. */
  match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at
    const matched = expression.exec(this.#line) ?? undefined
    if (matched !== undefined) this.#at += matched[0].length
    return matched
  }

  /** What is before the nearest of `ends`, which is read as well. */
  until(ends: readonly string[]): { readonly inside: string; readonly end: string } | undefined {
    let nearest: { at: number; end: string } | undefined
    for (const end of ends) {
      const at = this.#line.indexOf(end, this.#at)
      if (at !== -1 && (nearest === undefined || at < nearest.at)) nearest = { at, end }
    }
    if (nearest === undefined) return undefined
    const inside = this.#line.slice(this.#at, nearest.at)
    this.#at = nearest.at + nearest.end.length
    return { inside, end: nearest.end }
  }
}

/** The name of a thing: dashes are in it where a letter follows, so that an arrow may come right after a name. */
export const NAME = /[\p{L}\p{N}_]+(?:[-.][\p{L}\p{N}_]+)*/uy
