/** Maps each run of items that belong together, and every other item by itself, in order. */
export function flatMapRuns<Item, Result>(
  items: readonly Item[],
  belongs: (item: Item) => boolean,
  ofRun: (run: Item[]) => readonly Result[],
  ofOther: (item: Item) => readonly Result[],
): Result[] {
  const results: Result[] = []
  let run: Item[] = []
  const add = (more: readonly Result[]): void => {
    for (const one of more) results.push(one)
  }
  const close = (): void => {
    if (run.length > 0) add(ofRun(run))
    run = []
  }
  for (const item of items) {
    if (belongs(item)) run.push(item)
    else {
      close()
      add(ofOther(item))
    }
  }
  close()
  return results
}
