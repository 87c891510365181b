// The pages in the side bar of somebody who may write them: to go through, until they begin to change them.
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import Files from 'lucide-react/icons/files'
import ListTree from 'lucide-react/icons/list-tree'
import { type ComponentProps, Suspense, use, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { cache } from '../../data/cache.ts'
import { liveChangeRequest } from '../../data/change-request.ts'
import { keptTitlesOf, readDrafts } from '../../data/drafts.ts'
import { filesAddress } from '../../data/files.ts'
import { lastDraft } from '../../data/page-text.ts'
import { type ContentPlace, readAddress } from '../../data/pages.ts'
import { me } from '../../data/people.ts'
import { t } from '../../messages/messages.ts'
import { treeTexts } from '../../messages/tree.ts'
import { IconButton } from '../../parts/button.tsx'
import { later } from '../../parts/later.tsx'
import { PageTree } from '../../parts/later-tree.tsx'
import { say, sayFailure } from '../../parts/toasts.tsx'

const [NewPage] = later(() => import('./new-page.tsx'))
const [WritingTree] = later(() => import('./writing-tree.tsx'))

type Props = ComponentProps<typeof PageTree> & { readonly place: ContentPlace }

export default function EditableTree({ place, ...tree }: Props) {
  if (treeTexts !== undefined) use(treeTexts)
  const isOpen = useIsOpen(place)
  const { id: personId } = useSuspenseQuery(me).data
  // A title that could not be sent is sent by the tree that is written.
  const [isBegun, setBegun] = useState(() => readDrafts(personId, keptTitlesOf(place)).length > 0)
  // Once there is a draft, it is begun there.
  if (isBegun && place.changeRequestId !== undefined) setBegun(false)
  const isWritten = isOpen && (isBegun || place.changeRequestId !== undefined)
  return (
    <>
      {isOpen && (
        <div className="tree-tools">
          <Suspense>
            <NewPage place={place} look="quiet" />
          </Suspense>
          <Link href={filesAddress(place)} className="button quiet square" aria-label={t('tree.files')}>
            <Files size={15} aria-hidden />
          </Link>
          {place.changeRequestId === undefined && !isBegun && tree.pages.length > 0 && (
            <Begin place={place} currentId={tree.currentId} onBegin={() => setBegun(true)} />
          )}
        </div>
      )}
      <Suspense fallback={<PageTree {...tree} />}>
        {isWritten ? <WritingTree {...tree} place={place} /> : <PageTree {...tree} />}
      </Suspense>
    </>
  )
}

/** Whether it takes changes: a change request that was merged or archived takes none. */
function useIsOpen({ spaceId, changeRequestId }: ContentPlace): boolean {
  const { data } = useQuery({
    ...liveChangeRequest({ spaceId, changeRequestId: changeRequestId ?? '' }),
    enabled: changeRequestId !== undefined,
  })
  return changeRequestId === undefined || data?.status === 'draft' || data?.status === 'open'
}

type BeginProps = Pick<Props, 'place' | 'currentId'> & { readonly onBegin: () => void }

/** In the last draft, which is shown from then on; without one it begins with the first change. */
function Begin({ place: { spaceId }, currentId, onBegin }: BeginProps) {
  const { id: personId } = useSuspenseQuery(me).data
  const [, navigate] = useLocation()
  const { mutate, isPending } = useMutation({
    mutationFn: () => cache.fetchQuery(lastDraft(spaceId, personId)),
    onSuccess: draft => {
      if (draft === null) return onBegin()
      navigate(readAddress({ spaceId, changeRequestId: String(draft.number) }, currentId ?? ''))
      say(t('tree.inDraft', { number: draft.number }))
    },
    onError: sayFailure,
  })
  return (
    <IconButton label={t('tree.edit')} isPending={isPending} onPress={() => mutate()}>
      <ListTree size={15} aria-hidden />
    </IconButton>
  )
}
