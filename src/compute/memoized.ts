// Memoizes tasks over one text, for an edit that is repeated on a newer head.
import type { Compute } from './compute.ts'

/**
 * The same `Compute`, except that a task whose only input is a text, and which asks nothing, runs once for each text.
 */
export function memoizeTexts(compute: Compute): Compute {
  const tasks = new Map<string, Map<string, Promise<never>>>()
  return {
    ...compute,
    run(name, lane, input, ...answer) {
      const runTask = () => compute.run(name, lane, input, ...answer)
      if (answer.length > 0 || Object.keys(input).join() !== 'markdown') return runTask()
      const { markdown } = input as { readonly markdown: string }
      const outcomes = tasks.get(name) ?? new Map<string, Promise<never>>()
      tasks.set(name, outcomes)
      const known = outcomes.get(markdown)
      if (known !== undefined) return known
      const outcome = runTask() as Promise<never>
      outcomes.set(markdown, outcome)
      // A refusal because of load says nothing about the text.
      outcome.catch(() => outcomes.delete(markdown))
      return outcome
    },
  }
}
