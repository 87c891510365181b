// What a space would be if it had only what an earlier commit has: the base of an export to a repository that is behind.
import { Failure } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { type Content, readContent } from '../../engines/content/content.ts'
import type { Hash } from '../../engines/content/records.ts'
import { overlay } from '../../engines/content/trie-nodes.ts'
import type { Services } from '../../http/context.ts'
import { applyContent } from '../heads/publish.ts'
import type { Source } from './layout/source.ts'
import { planImport } from './layout.ts'

export type CommitContent = {
  readonly content: Content
  /** Also its own documents, which are not stored. */
  readonly readDocuments: Source['readDocuments']
}

type CommitRequest = {
  /** Of a later commit: pages get its ids. */
  readonly root: Hash
  readonly head: Content
  readonly projectDirectory: string
  /** ISO 8601. */
  readonly committedAt: string
}

/** Undefined if nothing of the commit can be read as documentation. */
export async function contentOfCommit(
  { contents, objects, config }: Pick<Services, 'contents' | 'objects' | 'config'>,
  source: Source,
  { root, head, projectDirectory, committedAt }: CommitRequest,
): Promise<CommitContent | undefined> {
  const plan = await planImport(source, await contents.get(root), {
    ...{ projectDirectory, committedAt, newId, here: head },
    fileBytesMax: config.fileBytesMax,
    onProgress: () => {},
  }).catch(error => {
    if (error instanceof Failure && error.kind === 'invalid') return undefined
    throw error
  })
  if (plan === undefined) return undefined
  const made = await applyContent(objects, root, plan.edits, plan.documents)
  const reads = overlay(objects, made.objects)
  return { content: await readContent(reads, made.root), readDocuments: hashes => reads.getMany(hashes) }
}
