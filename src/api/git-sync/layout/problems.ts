// Warnings of an import, which are stored with the operation and do not stop it.

/** `file` is relative to the project root. `code` is stable; `message` is for people. */
export type Problem = { readonly code: string; readonly message: string; readonly file?: string }

// A repository can have as many problems as it has lines; the operation's row stays small.
export const PROBLEMS_MAX = 200

export class Problems {
  readonly #kept: Problem[] = []
  #count = 0

  add(code: string, message: string, file?: string): void {
    this.#count += 1
    if (this.#kept.length < PROBLEMS_MAX)
      this.#kept.push({ code, message, ...(file === undefined ? {} : { file }) })
  }

  /** Adds the first problems of a file that has `count` of them. */
  addAll(problems: readonly Omit<Problem, 'file'>[], count: number, file: string): void {
    for (const { code, message } of problems) this.add(code, message, file)
    this.#count += count - problems.length
  }

  /** The first ones, and how many more there were. */
  list(): Problem[] {
    const more = this.#count - this.#kept.length
    if (more === 0) return [...this.#kept]
    return [...this.#kept, { code: 'more_problems', message: `${more} more problems are not listed.` }]
  }
}
