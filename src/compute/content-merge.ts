// A three-way merge of contents. It asks the caller for what it reads of them.
import { type Merge, merge, type Resolution } from '../engines/content/merge.ts'
import type { Hash } from '../engines/content/records.ts'
import { blocks, textBetweenEntries } from '../engines/markdown/page/page.ts'
import { relink } from './relink.ts'
import type { Task } from './task.ts'

export type ContentMergeInput = {
  readonly base: Hash
  readonly ours: Hash
  readonly theirs: Hash
  readonly resolutions: readonly Resolution[]
}

type AsksObjects = { getMany(hashes: readonly Hash[]): Promise<ReadonlyMap<Hash, Uint8Array>> }

export const contentMerge: Task<ContentMergeInput, Merge, AsksObjects> = (
  { base, ours, theirs, resolutions },
  ask,
) => {
  // One question at a time, however many reads the merge starts at once.
  let last: Promise<unknown> = Promise.resolve()
  const getMany = (hashes: readonly Hash[]): Promise<Map<Hash, Uint8Array>> => {
    const answer = last.then(() => ask.getMany(hashes)).then(found => new Map(found))
    last = answer
    return answer
  }
  return merge({ getMany }, base, ours, theirs, {
    ...{ blocks, relink, textBetween: textBetweenEntries },
    resolutions,
  })
}
