// Work that is done again for the same texts, as an edit whose head has moved: what was read of a text is not read again.
import type { Compute } from './compute.ts'

/** The same, but that a task whose input is one text, and which asks nothing, is carried out once for each text. */
export function rememberTexts(compute: Compute): Compute {
  const known = new Map<string, Promise<never>>()
  return {
    ...compute,
    run(name, lane, input, ...answer) {
      const carryOut = () => compute.run(name, lane, input, ...answer)
      if (answer.length > 0 || Object.keys(input).join() !== 'markdown') return carryOut()
      const { markdown } = input as { readonly markdown: string }
      const key = `${name} ${markdown}`
      const remembered = known.get(key)
      if (remembered !== undefined) return remembered
      const outcome = carryOut() as Promise<never>
      known.set(key, outcome)
      // A refusal for too much other work says nothing about the text.
      outcome.catch(() => known.delete(key))
      return outcome
    },
  }
}
