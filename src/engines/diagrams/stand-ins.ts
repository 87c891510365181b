// What the library gets in place of the words of a diagram: names of as many letters as make the room that the words
// need. So it never reads what a stranger wrote, and its guess of the width of a text, which is by the number of its
// letters, is ours.

/** Each is a letter and a number, followed by as many others as it takes. */
const STAND_IN = /T(\d+)x*/g

/** The number of the words that a text has in its place. */
export function numberOf(text: string): number | undefined {
  const number = /^T(\d+)x*$/.exec(text)?.[1]
  return number === undefined ? undefined : Number(number)
}

export class StandIns {
  readonly #words: (readonly string[])[] = []

  /** A name of `letters` letters, or a few more. */
  take(lines: readonly string[], letters: number): string {
    return `T${this.#words.push(lines) - 1}`.padEnd(Math.min(Math.ceil(letters), LETTERS_MAX), 'x')
  }

  linesOf(number: number): readonly string[] {
    return this.#words[number] ?? []
  }

  /** The lines in place of a text of the library. */
  linesFor(text: string): readonly string[] {
    const whole = numberOf(text)
    if (whole !== undefined) return this.#words[whole] ?? []
    if (text === NOTHING_INSIDE) return []
    return [text.replace(STAND_IN, (_, number: string) => (this.#words[Number(number)] ?? []).join(' '))]
  }
}

/** What the library says in an empty box. */
const NOTHING_INSIDE = '(no attributes)'

const LETTERS_MAX = 1_000
