// Warnings of an import, which are stored with the operation and do not stop it.
import type { Failure } from '../../../base/errors.ts'
import type { SaidProblem } from '../../../base/problems.ts'

export type Problem = SaidProblem & {
  /** From the root of the project. */
  readonly file?: string
  /** The page that it is about, once there is one. */
  readonly page?: string
}

/** A failure that names what it failed on, which the row of its operation lists. */
export const namingProblems = (failure: Failure, problems: readonly Problem[]): Failure =>
  failure.withDetails({ problems: problems.slice(0, PROBLEMS_MAX) })

export const problemsOf = ({ details }: Failure): readonly Problem[] =>
  // Only `namingProblems` gives a failure of an operation details.
  (details?.problems as readonly Problem[] | undefined) ?? []

// A repository can have as many problems as it has lines; the operation's row stays small.
export const PROBLEMS_MAX = 200

export class Problems {
  readonly #kept: Problem[] = []
  #count = 0

  add(problem: Problem): void {
    this.#count += 1
    if (this.#kept.length < PROBLEMS_MAX) this.#kept.push(problem)
  }

  /** Adds the first problems of a file that has `count` of them. */
  addAll(problems: readonly SaidProblem[], count: number, file: string): void {
    for (const problem of problems) this.add({ ...problem, file })
    this.#count += count - problems.length
  }

  /** The first ones, and how many more there were. */
  list(): Problem[] {
    const count = this.#count - this.#kept.length
    if (count === 0) return [...this.#kept]
    const message = `${count} more problems are not listed.`
    return [...this.#kept, { code: 'more_problems', message, values: { count } }]
  }
}
