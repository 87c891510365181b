// What is written on the screen: the page in the place that the address names. The first save moves it to a draft, and
// the address follows; an address that leads to another draft opens the page there.
import { useState } from 'react'
import type { PageText } from '../../data/page-text.ts'
import { type ContentPlace, editAddress } from '../../data/pages.ts'
import { PageWriting } from '../../editor/page-writing.ts'
import { t } from '../../messages/messages.ts'

type Asked = {
  readonly personId: string
  readonly place: ContentPlace
  readonly pageId: string
  /** As it was read last; undefined while it is not. */
  readonly page: PageText | undefined
}

/** Undefined until the page is read. */
export function useWriting({ personId, place, pageId, page }: Asked): PageWriting | undefined {
  const [opened, setOpened] = useState<{ readonly writing: PageWriting; readonly at: string }>()
  const at = editAddress(place, pageId)
  const isThere = opened !== undefined && (opened.at === at || addressOf(opened.writing) === at)
  if (isThere && opened.at !== at) setOpened({ ...opened, at })
  if (!isThere && page !== undefined) {
    const subjectOf = (title: string) => t('editor.subject', { title }).slice(0, SUBJECT_CHARACTERS_MAX)
    setOpened({ writing: PageWriting.open({ personId, pageId, place, page, subjectOf }), at })
  }
  return isThere ? opened.writing : undefined
}

const addressOf = ({ place, pageId }: PageWriting): string => editAddress(place.get(), pageId)

const SUBJECT_CHARACTERS_MAX = 100
