// What the palette offers for a text, in groups.
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import type { Model } from '../../data/client.ts'
import { listRecent } from '../../data/recent.ts'
import { people, search } from '../../data/search.ts'
import type { Space } from '../../data/spaces.ts'
import { t } from '../../messages/messages.ts'

export type Entry = {
  readonly id: string
  readonly title: string
  readonly note?: string
  /** Where it leads; an action without one runs. */
  readonly href?: string
  readonly run?: () => void
  /** What to search for instead. */
  readonly words?: string
  readonly keys?: string
}

export type Group = {
  readonly id: 'recent' | 'pages' | 'sections' | 'actions' | 'people' | 'nearest'
  readonly entries: readonly Entry[]
}

const PAGES_MAX = 8
const SECTIONS_MAX = 6
/** Text behind it asks for actions alone. */
const ACTIONS_SIGN = '>'

type Asked = {
  readonly text: string
  readonly organizationId: string
  readonly userId: string
  readonly canListMembers: boolean
  readonly spaces: readonly Space[]
  readonly actions: readonly Entry[]
}

/** `isSearching`: the groups may answer another text. */
export type Offered = { readonly groups: readonly Group[]; readonly isSearching: boolean }

export function useEntries({
  text,
  organizationId,
  userId,
  canListMembers,
  spaces,
  actions,
}: Asked): Offered {
  const isActionsOnly = text.startsWith(ACTIONS_SIGN)
  const words = (isActionsOnly ? text.slice(ACTIONS_SIGN.length) : text).trim()
  const asked = useDeferredValue(isActionsOnly ? '' : words)
  const results = useQuery(search(organizationId, asked))
  const members = useQuery(people(organizationId, canListMembers ? asked : ''))
  const matching = [...actions, ...spaces.map(toEntry)].filter(({ title }) => matches(title, words))
  const group = (id: Group['id'], entries: readonly Entry[]): Group[] =>
    entries.length === 0 ? [] : [{ id, entries }]
  if (isActionsOnly) return { groups: group('actions', matching), isSearching: false }
  if (words === '')
    return {
      groups: [...group('recent', recentEntries(userId)), ...group('actions', actions)],
      isSearching: false,
    }
  const items = results.data?.items ?? []
  return {
    groups: [
      ...group('pages', [...pageEntries(items), ...allEntry(results.data?.count ?? 0, asked)]),
      ...group('sections', sectionEntries(items)),
      ...group('actions', matching),
      ...group('people', (members.data?.items ?? []).map(personEntry)),
      ...group('nearest', (results.data?.suggestions ?? []).map(wordEntry)),
    ],
    isSearching: results.isFetching || members.isFetching || asked !== words,
  }
}

const matches = (title: string, words: string): boolean =>
  words
    .toLocaleLowerCase()
    .split(/\s+/)
    .every(word => title.toLocaleLowerCase().includes(word))

const toEntry = ({ id, title }: Space): Entry => ({
  id: `space ${id}`,
  title: title === '' ? t('space.untitled') : title,
  note: t('palette.space'),
  href: `/w/s/${id}`,
})

const recentEntries = (userId: string): Entry[] =>
  listRecent(userId).map(({ spaceId, pageId, title, spaceTitle }) => ({
    id: `recent ${spaceId} ${pageId}`,
    title,
    note: spaceTitle,
    href: `/w/s/${spaceId}/p/${pageId}`,
  }))

type Results = readonly Model<'SearchSpaceResult'>[]

const pageEntries = (results: Results): Entry[] =>
  results
    .flatMap(space => space.pages.map(page => ({ page, space })))
    .sort((a, b) => a.page.rank - b.page.rank)
    .slice(0, PAGES_MAX)
    .map(({ page, space }) => ({
      id: `page ${space.id} ${page.id}`,
      title: page.title,
      note: [space.title, ...page.ancestors.map(one => one.title)].join(' / '),
      href: `/w/s/${space.id}/p/${page.id}`,
    }))

const sectionEntries = (results: Results): Entry[] =>
  results
    .flatMap(space =>
      space.pages.flatMap(page => (page.sections ?? []).map(section => ({ section, page, space }))),
    )
    .filter(({ section }) => section.title !== '')
    .sort((a, b) => b.section.score - a.section.score)
    .slice(0, SECTIONS_MAX)
    .map(({ section, page, space }) => ({
      id: `section ${space.id} ${page.id} ${section.id}`,
      title: section.title,
      note: page.title,
      href: `/w/s/${space.id}/p/${page.id}${new URL(section.urls.app).hash}`,
    }))

/** Leads to all pages, if there are more than are offered. */
const allEntry = (count: number, text: string): Entry[] =>
  count <= PAGES_MAX
    ? []
    : [
        {
          id: 'all pages',
          title: t('palette.all', { count }),
          href: `/w/search?q=${encodeURIComponent(text)}`,
        },
      ]

const wordEntry = (words: string): Entry => ({ id: `words ${words}`, title: words, words })

const personEntry = ({ id, user }: Model<'Member'>): Entry => ({
  id: `person ${id}`,
  title: user.displayName,
  ...(user.email === undefined ? {} : { note: user.email }),
  href: `/w/c?author=${user.id}`,
})
