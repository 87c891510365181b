// Which issues are about the same thing, and a description of each group.
import { clustersOf } from '../engines/conversations/clusters.ts'
import { type Described, type Description, describe } from '../engines/conversations/description.ts'
import type { Task } from './task.ts'

/** Some texts from an index on; none after the last. */
type AsksTexts = { textsFrom(place: number): Promise<readonly string[]> }

/** The indexes of the texts in each cluster. Texts are requested in batches until there are no more. */
export const issueClusters: Task<{ readonly count: number }, number[][], AsksTexts> = async (_input, ask) => {
  const texts: string[] = []
  for (;;) {
    const more = await ask.textsFrom(texts.length)
    if (more.length === 0) return clustersOf(texts)
    for (const text of more) texts.push(text)
  }
}

/** One description for each cluster. */
export const clusterDescriptions: Task<
  { readonly clusters: readonly (readonly Described[])[] },
  Description[]
> = ({ clusters }) => clusters.map(describe)
