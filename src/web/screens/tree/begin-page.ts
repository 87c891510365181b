// What is inserted into a tree: a page without text, a group, a link. In the draft of the person who does.
import { refreshSpace } from '../../data/change-request.ts'
import {
  type ContentChange,
  changeContent,
  type DraftPlace,
  findDraft,
  insertedPage,
} from '../../data/content-changes.ts'
import type { ContentPlace } from '../../data/pages.ts'
import { sendOnce } from '../../data/send-once.ts'
import { t } from '../../messages/messages.ts'

type Inserted = {
  readonly title: string
  readonly emoji?: string
  /** The page above it; the root when absent. */
  readonly into?: string
} & ({ readonly type: 'document' | 'group' } | { readonly type: 'link'; readonly url: string })

/** As the last one there. */
export async function insertPage(
  place: ContentPlace,
  personId: string,
  { title, emoji, into, ...kind }: Inserted,
): Promise<{ readonly draft: DraftPlace; readonly pageId: string }> {
  const { type } = kind
  const subject = t(type === 'document' ? 'tree.subjectOfNew' : 'tree.subject')
  const draft = await findDraft(place, personId, subject)
  const page: ContentChange = {
    ...{ operation: 'insert_page', type, title },
    ...(into === undefined ? {} : { into }),
    ...(emoji === undefined || emoji === '' ? {} : { emoji }),
    ...(type === 'document' ? { document: {} } : {}),
    ...(kind.type === 'link' ? { target: { kind: 'url', url: kind.url } } : {}),
  }
  const answer = await sendOnce([draft, page], key => changeContent(draft, [page], key))
  void refreshSpace(draft.spaceId)
  return { draft, pageId: insertedPage(answer) }
}
