// Who may be asked for a review: people and teams, found by typing.
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Autocomplete, useFilter } from 'react-aria-components/Autocomplete'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { Collection, Header, ListBox, ListBoxItem, ListBoxSection } from 'react-aria-components/ListBox'
import { SearchField } from 'react-aria-components/SearchField'
import { ListLayout, Virtualizer } from 'react-aria-components/Virtualizer'
import { possibleReviewers, type Reviewers } from '../data/change-request.ts'
import { me } from '../data/people.ts'
import type { Space } from '../data/spaces.ts'
import { t } from '../messages/messages.ts'
import { Avatar, TeamMark } from './avatar.tsx'
import { Loaded } from './state.tsx'

type Props = {
  readonly of: Space
  readonly autoFocus?: boolean
  /** Keys of the list: see `readReviewers`. */
  readonly chosen: ReadonlySet<string>
  readonly onChange: (chosen: ReadonlySet<string>) => void
}

export function ReviewerChoice({ of, autoFocus, chosen, onChange }: Props) {
  const { id: myId } = useSuspenseQuery(me).data
  const { contains } = useFilter({ sensitivity: 'base' })
  return (
    <Loaded query={useQuery(possibleReviewers(of))} lines={4}>
      {({ users, teams }) => (
        <Autocomplete filter={contains}>
          <SearchField className="field" autoFocus={autoFocus}>
            <Label>{t('changeRequest.findReviewer')}</Label>
            <Input />
          </SearchField>
          <Virtualizer layout={ListLayout} layoutOptions={{ rowHeight: ROW_PX, headingHeight: HEADING_PX }}>
            <ListBox
              className="choices"
              aria-label={t('changeRequest.reviewers')}
              selectionMode="multiple"
              selectedKeys={chosen}
              onSelectionChange={keys => onChange(new Set([...keys].map(String)))}
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
  )
}

// Before the id of a team, among the keys of the list.
const TEAM = 'team:'

/** The people and the teams that the keys of the list are of. */
export function readReviewers(chosen: ReadonlySet<string>): Reviewers {
  const keys = [...chosen]
  return {
    users: keys.filter(key => !key.startsWith(TEAM)),
    teams: keys.flatMap(key => (key.startsWith(TEAM) ? [key.slice(TEAM.length)] : [])),
  }
}

const ROW_PX = 40
const HEADING_PX = 28
