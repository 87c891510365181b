// Begins a page at the end of the tree, in a draft, and opens it.
import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import { use } from 'react'
import { useLocation } from 'wouter'
import { NEW_PAGE } from '../../data/new-page.ts'
import { type ContentPlace, editAddress } from '../../data/pages.ts'
import { me } from '../../data/people.ts'
import { t } from '../../messages/messages.ts'
import { treeTexts } from '../../messages/tree.ts'
import { Button } from '../../parts/button.tsx'
import { sayFailure } from '../../parts/toasts.tsx'
import { insertPage } from './begin-page.ts'

type Props = { readonly place: ContentPlace; readonly look: 'primary' | 'quiet' }

export default function NewPage({ place, look }: Props) {
  if (treeTexts !== undefined) use(treeTexts)
  const { id: personId } = useSuspenseQuery(me).data
  const [, navigate] = useLocation()
  const { mutate, isPending } = useMutation({
    mutationFn: () => insertPage(place, personId, { type: 'document', title: t('tree.newTitle') }),
    onSuccess: ({ draft, pageId }) => navigate(editAddress(draft, pageId), { state: NEW_PAGE }),
    onError: sayFailure,
  })
  return (
    <Button look={look} isPending={isPending} onPress={() => mutate()}>
      <Plus size={15} aria-hidden />
      {t('tree.newPage')}
    </Button>
  )
}
