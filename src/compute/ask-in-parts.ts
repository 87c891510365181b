// Asks a task's many questions in batches.

// A message of this size delays neither side for long.
const ASKED_AT_ONCE_MAX = 1_000

/** The answers to all items, in order. */
export async function askInParts<Item, Answer>(
  items: readonly Item[],
  ask: (some: readonly Item[]) => Promise<readonly Answer[]>,
): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let at = 0; at < items.length; at += ASKED_AT_ONCE_MAX)
    for (const answer of await ask(items.slice(at, at + ASKED_AT_ONCE_MAX))) answers.push(answer)
  return answers
}
