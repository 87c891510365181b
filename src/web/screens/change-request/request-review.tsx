// Chooses who is asked for a review. A draft becomes open by it, also if nobody is chosen.
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Autocomplete, useFilter } from 'react-aria-components/Autocomplete'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { Collection, Header, ListBox, ListBoxItem, ListBoxSection } from 'react-aria-components/ListBox'
import { SearchField } from 'react-aria-components/SearchField'
import { ListLayout, Virtualizer } from 'react-aria-components/Virtualizer'
import { possibleReviewers, requestReview } from '../../data/change-request.ts'
import { me } from '../../data/people.ts'
import { t } from '../../messages/messages.ts'
import { Avatar, TeamMark } from '../../parts/avatar.tsx'
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
  const people = useQuery(possibleReviewers(of))
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const { contains } = useFilter({ sensitivity: 'base' })
  const isDraft = changeRequest.status === 'draft'
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => requestReview(place, readChoice(chosen)),
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
        {({ users, teams }) => (
          <Autocomplete filter={contains}>
            <SearchField className="field" autoFocus>
              <Label>{t('changeRequest.findReviewer')}</Label>
              <Input />
            </SearchField>
            <Virtualizer layout={ListLayout} layoutOptions={{ rowHeight: ROW_PX, headingHeight: HEADING_PX }}>
              <ListBox
                className="choices"
                aria-label={t('changeRequest.reviewers')}
                selectionMode="multiple"
                selectedKeys={chosen}
                onSelectionChange={keys => setChosen(new Set([...keys].map(String)))}
                renderEmptyState={() => <p className="soft">{t('changeRequest.noPossibleReviewers')}</p>}
              >
                <ListBoxSection id="users">
                  <Header className="menu-heading">{t('changeRequest.people')}</Header>
                  <Collection items={users.filter(({ id }) => id !== myId)}>
                    {({ id, displayName }) => (
                      <ListBoxItem id={id} className="option" textValue={displayName}>
                        <Avatar name={displayName} />
                        <bdi className="truncate grow">{displayName}</bdi>
                      </ListBoxItem>
                    )}
                  </Collection>
                </ListBoxSection>
                <ListBoxSection id="teams">
                  <Header className="menu-heading">{t('changeRequest.teams')}</Header>
                  <Collection items={teams}>
                    {({ id, title }) => (
                      <ListBoxItem id={TEAM + id} className="option" textValue={title}>
                        <TeamMark />
                        <bdi className="truncate grow">{title}</bdi>
                      </ListBoxItem>
                    )}
                  </Collection>
                </ListBoxSection>
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

// Before the id of a team, among the keys of the list.
const TEAM = 'team:'

function readChoice(chosen: ReadonlySet<string>) {
  const keys = [...chosen]
  return {
    users: keys.filter(key => !key.startsWith(TEAM)),
    teams: keys.flatMap(key => (key.startsWith(TEAM) ? [key.slice(TEAM.length)] : [])),
  }
}

const ROW_PX = 40
const HEADING_PX = 28
