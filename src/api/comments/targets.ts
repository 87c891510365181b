// Targets of comments: the whole discussion, a page, a block of it, or a cell of a table. A target has to exist in the
// current content, or nobody would find the comment.
import { invalid, tooLarge } from '../../base/errors.ts'
import type { Cell } from '../../compute/table-cells.ts'
import { type Hash, pageKey } from '../../engines/content/records.ts'
import { readEntries } from '../../engines/content/trie.ts'
import type { Services } from '../../http/context.ts'
import { readText } from '../content/reads.ts'
import type { PostComment } from './schema.ts'

export type CommentTarget = {
  readonly page: string | null
  readonly node: string | null
  readonly cell: Cell | null
}

/** The target that a body names; throws `invalid` for a block without its page, and a cell without its block. */
export function readTarget({ page, node, tableCell }: PostComment): CommentTarget {
  if (node !== undefined && page === undefined)
    throw invalid('target_incomplete', 'body.node: send page as well, the page that has the block.')
  if (tableCell !== undefined && node === undefined)
    throw invalid('target_incomplete', 'body.tableCell: send node as well, the table that has the cell.')
  return { page: page ?? null, node: node ?? null, cell: tableCell ?? null }
}

/** Throws `invalid`, naming the field, if the content of this root does not have the target. */
export async function checkTarget(
  services: Pick<Services, 'compute' | 'objects'>,
  spaceId: string,
  root: Hash,
  { page, node, cell }: CommentTarget,
): Promise<void> {
  if (page === null) return
  const key = pageKey(page)
  const record = (await readEntries(services.objects, root, [key])).get(key)
  if (record === undefined)
    throw invalid('page_unknown', 'body.page: there is no such page in the content now. Take the id of one.')
  if (node === null) return
  const markdown = record.document === null ? '' : await readText(services, record.document)
  const outcome = await services.compute.run('anchorProblem', spaceId, { markdown, node, cell })
  if (outcome.kind === 'beyond')
    throw tooLarge(
      'page_too_large',
      'body.node: this page is too much for comments on its blocks. Comment on the page.',
    )
  const problem = outcome.value
  if (problem !== undefined)
    throw invalid(`${problem.field}_unknown`, `body.${problem.field}: ${problem.message}`)
}
