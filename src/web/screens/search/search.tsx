// Pages of all spaces, or of one, with the sections that say most. The address has the words and the space.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, use, useEffect, useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { type Organization, useOrganization } from '../../data/organization.ts'
import { pageAddress } from '../../data/pages.ts'
import { type Hit, hits } from '../../data/search.ts'
import { spacesOf } from '../../data/spaces.ts'
import { isolated, t } from '../../messages/messages.ts'
import { searchTexts } from '../../messages/search.ts'
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { RowList } from '../../parts/row-list.tsx'
import { Screen } from '../../parts/screen.tsx'
import { titleOf } from '../../parts/space-title.ts'
import { Empty, Loaded } from '../../parts/state.tsx'
import { Marked } from './marked.tsx'

const Choice = lazy(() => import('../../parts/choice.tsx'))

const QUERY_CHARACTERS_MAX = 512
/** A search may ask a language model, so not each key searches. */
const PAUSE_MS = 250
const SECTIONS_MAX = 3

export default function Search() {
  if (searchTexts !== undefined) use(searchTexts)
  const organization = useOrganization()
  return (
    <Screen title={t('search.title')}>
      {organization === undefined ? <Empty text={t('home.noOrganization')} /> : <Content of={organization} />}
    </Screen>
  )
}

function Content({ of: { id } }: { readonly of: Organization }) {
  const [params, setParams] = useSearchParams()
  const words = params.get('q') ?? ''
  const change = (name: 'q' | 'space', value: string) =>
    setParams(
      before => {
        const next = new URLSearchParams(before)
        if (value === '') next.delete(name)
        else next.set(name, value)
        return next
      },
      { replace: true },
    )
  const { data: spaces } = useQuery(spacesOf(id))
  const space = spaces?.items.find(one => one.id === params.get('space'))
  return (
    <>
      <div className="list-bar search-bar">
        <Words words={words} onChange={next => change('q', next)} />
        {spaces !== undefined && spaces.items.length > 1 && (
          <Suspense>
            <Choice
              label={t('search.space')}
              all={t('search.everySpace')}
              options={spaces.items.map(one => ({ id: one.id, name: titleOf(one) }))}
              chosen={space?.id}
              onChange={chosen => change('space', chosen ?? '')}
            />
          </Suspense>
        )}
      </div>
      {words === '' ? (
        <Empty text={t('search.begin')} />
      ) : (
        // A space that the address names is known with the others.
        spaces !== undefined && (
          <Results
            organizationId={id}
            space={space && { id: space.id, title: titleOf(space) }}
            words={words}
            onWord={word => change('q', word)}
          />
        )
      )}
    </>
  )
}

type WordsProps = { readonly words: string; readonly onChange: (words: string) => void }

/** What is typed is searched for after a pause. */
function Words({ words, onChange }: WordsProps) {
  const [text, setText] = useState(words)
  const [known, setKnown] = useState(words)
  // Somebody went back, or chose other words elsewhere.
  if (words !== known) {
    setKnown(words)
    if (words !== text.trim()) setText(words)
  }
  useEffect(() => {
    const next = text.trim()
    if (next === words) return
    const timer = setTimeout(() => onChange(next), PAUSE_MS)
    return () => clearTimeout(timer)
  })
  return (
    <Field
      label={t('search.field')}
      type="search"
      value={text}
      onChange={setText}
      maxLength={QUERY_CHARACTERS_MAX}
    />
  )
}

type ResultsProps = {
  readonly organizationId: string
  readonly space: Hit['space'] | undefined
  readonly words: string
  readonly onWord: (word: string) => void
}

function Results({ organizationId, space, words, onWord }: ResultsProps) {
  const query = useInfiniteQuery(hits(organizationId, space, words))
  return (
    <Loaded query={query}>
      {({ pages }) => {
        const items = pages.flatMap(page => page.hits)
        if (items.length === 0)
          return (
            <Empty text={t('palette.nothing')}>
              <Nearest words={pages[0]?.suggestions ?? []} onWord={onWord} />
            </Empty>
          )
        return (
          <div className="stack-small">
            <p className="faint small" role="status">
              {t('search.count', { count: pages[0]?.count ?? items.length })}
            </p>
            <RowList
              label={t('search.results')}
              items={items}
              nameOf={({ page }) => page.title}
              dependencies={[words]}
              more={{
                isLoading: query.isFetchingNextPage,
                load: () => {
                  if (query.hasNextPage) void query.fetchNextPage()
                },
              }}
            >
              {hit => <Row hit={hit} words={words} />}
            </RowList>
          </div>
        )
      }}
    </Loaded>
  )
}

type NearestProps = { readonly words: readonly string[]; readonly onWord: (word: string) => void }

const Nearest = ({ words, onWord }: NearestProps) =>
  words.length > 0 && (
    <div className="row">
      {t('search.nearest')}
      {words.map(word => (
        <Button key={word} onPress={() => onWord(word)}>
          {word}
        </Button>
      ))}
    </div>
  )

function Row({ hit: { space, page }, words }: { readonly hit: Hit; readonly words: string }) {
  const address = pageAddress(space.id, page.id)
  const best = [...(page.sections ?? [])].sort((a, b) => b.score - a.score)
  const titled = best.filter(({ path }) => path.includes('#')).slice(0, SECTIONS_MAX)
  const excerpt = best[0]?.body || page.description
  return (
    <div className="hit" dir="auto">
      <Link href={address} className="rows-title">
        <Marked text={page.title} query={words} />
      </Link>
      <p className="rows-facts">
        <bdi>{[space.title, ...page.ancestors.map(({ title }) => title)].join(' / ')}</bdi>
      </p>
      {excerpt !== '' && (
        <p className="hit-text">
          <Marked text={excerpt} query={words} />
        </p>
      )}
      {titled.length > 0 && (
        <ul
          role="list"
          className="hit-sections"
          aria-label={t('search.sections', { title: isolated(page.title) })}
        >
          {titled.map(({ id, title, urls }) => (
            <li key={id}>
              <Link href={`${address}${new URL(urls.app).hash}`}>
                <Marked text={title} query={words} />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
