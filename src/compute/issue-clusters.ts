// Which issues are about the same, and what they are about.
import { clustersOf } from '../engines/conversations/clusters.ts'
import { type Described, type Description, describe } from '../engines/conversations/description.ts'
import type { Task } from './task.ts'

/** Some texts from a place on, none after the last. */
type AsksTexts = { textsFrom(place: number): Promise<readonly string[]> }

/** The places of the texts of each cluster. The texts are asked for, some at a time, until there are no more. */
export const issueClusters: Task<{ readonly count: number }, number[][], AsksTexts> = async (_input, ask) => {
  const texts: string[] = []
  for (;;) {
    const more = await ask.textsFrom(texts.length)
    if (more.length === 0) return clustersOf(texts)
    for (const text of more) texts.push(text)
  }
}

/** Of each of these clusters. */
export const clusterDescriptions: Task<
  { readonly clusters: readonly (readonly Described[])[] },
  Description[]
> = ({ clusters }) => clusters.map(describe)
