// How PostgreSQL chooses plans, on both engines.

export const PLANNING: readonly string[] = [
  // Compiling a query takes longer than running any of ours.
  ...['-c', 'jit=off'],
  // The cost of a page in memory, or on a disk without seeks. With the default, 4, a table that is believed to be
  // small is scanned for every row that looks something up in it.
  ...['-c', 'random_page_cost=1.1'],
]
