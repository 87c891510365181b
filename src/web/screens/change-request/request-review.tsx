// Chooses who is asked for a review. A draft becomes open by it, also if nobody is chosen.
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Autocomplete, useFilter } from 'react-aria-components/Autocomplete'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { SearchField } from 'react-aria-components/SearchField'
import { ListLayout, Virtualizer } from 'react-aria-components/Virtualizer'
import { possibleReviewers, requestReview } from '../../data/change-request.ts'
import { me } from '../../data/people.ts'
import { t } from '../../messages/messages.ts'
import { Avatar } from '../../parts/avatar.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Loaded, sayWhy } from '../../parts/state.tsx'
import { say } from '../../parts/toasts.tsx'
import type { Props } from './props.ts'

export function RequestReview({
  place,
  changeRequest,
  of,
  onClose,
}: Props & { readonly onClose: () => void }) {
  const { id: myId } = useSuspenseQuery(me).data
  const people = useQuery(possibleReviewers(of.id))
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const { contains } = useFilter({ sensitivity: 'base' })
  const isDraft = changeRequest.status === 'draft'
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => requestReview(place, { users: [...chosen] }),
    onSuccess: () => {
      say(t(chosen.size > 0 ? 'changeRequest.requested' : 'changeRequest.isOpen'))
      onClose()
    },
  })
  return (
    <Dialog
      title={t('changeRequest.requestReview')}
      isOpen
      isDismissable={chosen.size === 0}
      onClose={onClose}
    >
      {isDraft && <p className="soft">{t('changeRequest.opensDraft')}</p>}
      <Loaded query={people} lines={4}>
        {found => (
          <Autocomplete filter={contains}>
            <SearchField className="field" autoFocus>
              <Label>{t('changeRequest.findReviewer')}</Label>
              <Input />
            </SearchField>
            <Virtualizer layout={ListLayout} layoutOptions={{ rowHeight: ROW_PX }}>
              <ListBox
                className="choices"
                aria-label={t('changeRequest.reviewers')}
                selectionMode="multiple"
                selectedKeys={chosen}
                onSelectionChange={keys => setChosen(new Set([...keys].map(String)))}
                items={found.filter(({ id }) => id !== myId)}
                renderEmptyState={() => <p className="soft">{t('changeRequest.noPossibleReviewers')}</p>}
              >
                {({ id, displayName }) => (
                  <ListBoxItem id={id} className="option" textValue={displayName}>
                    <Avatar name={displayName} />
                    <bdi className="truncate">{displayName}</bdi>
                  </ListBoxItem>
                )}
              </ListBox>
            </Virtualizer>
          </Autocomplete>
        )}
      </Loaded>
      {error !== null && (
        <p className="field-error" role="alert">
          {sayWhy(error)}
        </p>
      )}
      <div className="dialog-actions">
        <Button onPress={onClose}>{t('changeRequest.cancel')}</Button>
        <Button
          look="primary"
          isPending={isPending}
          isDisabled={chosen.size === 0 && !isDraft}
          onPress={() => mutate()}
        >
          {t('changeRequest.requestReview')}
        </Button>
      </div>
    </Dialog>
  )
}

const ROW_PX = 40
