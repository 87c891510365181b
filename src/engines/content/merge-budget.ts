// The cost limits of a merge. Both sides get half, so that the limit does not depend on which side is ours; all
// documents share one limit, so that a thousand costly ones take hardly longer than a few.
import { type Budget, newDiffBudget } from './block-diff.ts'

export type { Budget } from './block-diff.ts'

// A document at the limit takes about 0.3 s; real ones need a small part of it.
const COSTLY_DOCUMENTS = 20

/** For one document: each side is compared with the base. */
export function newDocumentBudget(): Budget {
  const { cells, comparisons } = newDiffBudget()
  return { cells: 2 * cells, comparisons: 2 * comparisons }
}

/** Gives the work two halves of a budget, and returns what they leave to it. */
export function inHalves<T>(budget: Budget, work: (first: Budget, second: Budget) => T): T {
  const half = (amount: number): number => Math.floor(amount / 2)
  const first = { cells: half(budget.cells), comparisons: half(budget.comparisons) }
  const second = { ...first }
  const result = work(first, second)
  budget.cells = first.cells + second.cells
  budget.comparisons = first.comparisons + second.comparisons
  return result
}

/** The budget of all documents of a merge. */
export class MergeBudget {
  readonly #left: Budget

  constructor() {
    const { cells, comparisons } = newDocumentBudget()
    this.#left = { cells: COSTLY_DOCUMENTS * cells, comparisons: COSTLY_DOCUMENTS * comparisons }
  }

  /** Runs the work on one document within the limit of a document and the rest of the budget. */
  spend<T>(work: (budget: Budget) => T): T {
    const { cells, comparisons } = newDocumentBudget()
    const given: Budget = {
      cells: Math.min(cells, this.#left.cells),
      comparisons: Math.min(comparisons, this.#left.comparisons),
    }
    const budget = { ...given }
    const result = work(budget)
    this.#left.cells -= given.cells - budget.cells
    this.#left.comparisons -= given.comparisons - budget.comparisons
    return result
  }
}
