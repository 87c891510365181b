// Which revisions of a space changed a page: written with the head, so that its history costs what the page has seen, and
// not what the space has.
import { type RawBuilder, sql } from 'kysely'
import { isPageEdited, splitKey } from '../../engines/content/records.ts'
import { batchesOf } from '../../platform/db/batches.ts'
import type { PageChange } from './live-pages.ts'

// Per statement.
const ROWS_INSERTED_MAX = 10_000

/** The pages whose own words or fields changed, came or went; what only moved did not change. */
export const editedPagesOf = (changes: readonly PageChange[]): string[] =>
  changes.flatMap(({ key, before, after }) =>
    before === null || after === null || isPageEdited(before, after) ? [splitKey(key)[1]] : [],
  )

export function* pageRevisionWrites(
  spaceId: string,
  revisionId: string,
  pages: readonly string[],
): Generator<RawBuilder<unknown>> {
  for (const ids of batchesOf(pages, ROWS_INSERTED_MAX))
    yield sql`insert into page_revisions (space_id, page_id, revision_id)
      select ${spaceId}, page_id, ${revisionId} from unnest(${ids}::text[]) as page_id`
}
