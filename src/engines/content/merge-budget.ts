// What a merge may cost. Both sides get the same, so that where it runs out it does so alike whichever side is ours; and
// all documents draw from one purse, so that a thousand costly ones take hardly longer than a few.
import { type Budget, newDiffBudget } from './block-diff.ts'

export type { Budget } from './block-diff.ts'

// A document that needs all that one may cost takes some 0.3 s; those that people write need a small part of it.
const COSTLY_DOCUMENTS = 20

/** For one document: that each side is compared with the base. */
export function newDocumentBudget(): Budget {
  const { cells, comparisons } = newDiffBudget()
  return { cells: 2 * cells, comparisons: 2 * comparisons }
}

/** Half of what is left for each of two; what they leave is left. */
export function inHalves<T>(budget: Budget, work: (first: Budget, second: Budget) => T): T {
  const half = (amount: number): number => Math.floor(amount / 2)
  const first = { cells: half(budget.cells), comparisons: half(budget.comparisons) }
  const second = { ...first }
  const result = work(first, second)
  budget.cells = first.cells + second.cells
  budget.comparisons = first.comparisons + second.comparisons
  return result
}

/** What all documents of one merge may cost together. */
export class Purse {
  readonly #left: Budget

  constructor() {
    const { cells, comparisons } = newDocumentBudget()
    this.#left = { cells: COSTLY_DOCUMENTS * cells, comparisons: COSTLY_DOCUMENTS * comparisons }
  }

  /** Work on one document, within what one may cost and what is left. */
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
