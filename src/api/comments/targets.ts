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
  /** The words of the block that it is about. */
  readonly range: CommentRange | null
  readonly suggestion: Suggested | null
}

export type CommentRange = { readonly quote: string; readonly prefix: string; readonly suffix: string }
/** In the Markdown of the block. */
export type Suggested = { readonly before: string; readonly after: string }

/** Of a comment on the whole discussion. */
export const WHOLE: CommentTarget = { page: null, node: null, cell: null, range: null, suggestion: null }

/** The target that a body names; throws `invalid` for a block without its page, and a cell without its block. */
export function readTarget({ page, node, tableCell, range, suggestion }: PostComment): CommentTarget {
  if (node !== undefined && page === undefined)
    throw invalid('target_incomplete', 'body.node: send page as well, the page that has the block.')
  if (tableCell !== undefined && node === undefined)
    throw invalid('target_incomplete', 'body.tableCell: send node as well, the table that has the cell.')
  if (range !== undefined && node === undefined)
    throw invalid('target_incomplete', 'body.range: send node as well, the block that has the words.')
  if (suggestion !== undefined && node === undefined)
    throw invalid('target_incomplete', 'body.suggestion: send node as well, the block to change.')
  if (suggestion !== undefined && suggestion.before === suggestion.after)
    throw invalid('suggestion_empty', 'body.suggestion: before and after are the same. Suggest a change.')
  return {
    page: page ?? null,
    node: node ?? null,
    cell: tableCell ?? null,
    range: range === undefined ? null : { prefix: '', suffix: '', ...range },
    suggestion: suggestion ?? null,
  }
}

/** Throws `invalid`, naming the field, if the content of this root does not have the target. */
export async function checkTarget(
  services: Pick<Services, 'compute' | 'objects'>,
  spaceId: string,
  root: Hash,
  { page, node, cell, suggestion }: CommentTarget,
): Promise<void> {
  if (page === null) return
  const key = pageKey(page)
  const record = (await readEntries(services.objects, root, [key])).get(key)
  if (record === undefined)
    throw invalid('page_unknown', 'body.page: there is no such page in the content now. Take the id of one.')
  if (node === null) return
  const markdown = record.document === null ? '' : await readText(services, record.document)
  const outcome = await services.compute.run('anchorProblem', spaceId, {
    markdown,
    node,
    cell,
    suggested: suggestion?.before ?? null,
  })
  if (outcome.kind === 'beyond')
    throw tooLarge(
      'page_too_large',
      'body.node: this page is too much for comments on its blocks. Comment on the page.',
    )
  const problem = outcome.value
  if (problem !== undefined)
    throw invalid(`${problem.field}_unknown`, `body.${problem.field}: ${problem.message}`)
}
