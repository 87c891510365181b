// What a revision did: one line for each page, file or variable; a page opens on what differs, as readers see it.
import { useQuery } from '@tanstack/react-query'
import ChevronRight from 'lucide-react/icons/chevron-right'
import FileMinus from 'lucide-react/icons/file-minus'
import FilePen from 'lucide-react/icons/file-pen'
import FilePlus from 'lucide-react/icons/file-plus'
import MoveRight from 'lucide-react/icons/move-right'
import Variable from 'lucide-react/icons/variable'
import { type ReactNode, useMemo, useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { Disclosure, DisclosurePanel } from 'react-aria-components/Disclosure'
import { Link } from 'wouter'
import type { Change } from '../../data/change-request.ts'
import { isStatus } from '../../data/client.ts'
import { pageAddress } from '../../data/pages.ts'
import type { Comparison } from '../../data/review.ts'
import { pageInRevision, type Revision } from '../../data/revisions.ts'
import { t } from '../../messages/messages.ts'
import { Loaded } from '../../parts/state.tsx'
import { Blocks } from '../review/block-list.tsx'
import { blocksOf } from '../review/blocks.ts'

type Props = { readonly spaceId: string; readonly revision: Revision; readonly changes: readonly Change[] }

// Of more, each is opened by itself.
const OPEN_MAX = 3

export const What = ({ spaceId, revision, changes }: Props) => (
  <ul role="list" className="what">
    {changes.map((change, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: one object may have two changes, and their order stays
      <li key={index}>
        {hasText(change) ? (
          <Text spaceId={spaceId} revision={revision} change={change} isOpen={changes.length <= OPEN_MAX} />
        ) : (
          <p className="row">
            <Head spaceId={spaceId} change={change} />
          </p>
        )}
        <Details change={change} />
      </li>
    ))}
  </ul>
)

type ChangeProps = { readonly spaceId: string; readonly change: Change }

const Head = ({ spaceId, change }: ChangeProps) => (
  <>
    {iconOf(change)}
    <span className="grow">{nameOf(spaceId, change)}</span>
    <span className="faint small">{t(`changeRequest.change.${change.type}`)}</span>
  </>
)

type WithText = Extract<Change, { readonly type: 'page_created' | 'page_deleted' | 'page_edited' }>

const hasText = (change: Change): change is WithText =>
  change.type === 'page_edited'
    ? change.attributes.document !== undefined
    : change.type === 'page_created' || change.type === 'page_deleted'

type TextProps = {
  readonly spaceId: string
  readonly revision: Revision
  readonly change: WithText
  readonly isOpen: boolean
}

function Text({ spaceId, revision, change, isOpen: isOpenAtFirst }: TextProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  return (
    <Disclosure isExpanded={isOpen} onExpandedChange={setOpen}>
      <div className="row">
        <Button
          slot="trigger"
          className="tree-chevron"
          aria-label={t('history.showText', { title: change.page.title })}
        >
          <ChevronRight size={14} aria-hidden />
        </Button>
        <Head spaceId={spaceId} change={change} />
      </div>
      <DisclosurePanel className="what-text">
        {isOpen && <Difference spaceId={spaceId} revision={revision} change={change} />}
      </DisclosurePanel>
    </Disclosure>
  )
}

function Difference({ spaceId, revision, change }: Omit<TextProps, 'isOpen'>) {
  const query = useQuery(pageInRevision(spaceId, revision.id, change.page.id))
  if (isStatus(query.error, 413)) return <p className="soft small">{t('review.tooMuch')}</p>
  return (
    <Loaded query={query} lines={4}>
      {found => <Compared comparison={found} />}
    </Loaded>
  )
}

const Compared = ({ comparison }: { readonly comparison: Comparison }) => {
  const blocks = useMemo(() => blocksOf(comparison), [comparison])
  return (
    <>
      <Blocks blocks={blocks} layout="one" />
      {comparison.more > 0 && (
        <p className="faint small">{t('review.moreBlocks', { count: comparison.more })}</p>
      )}
    </>
  )
}

function nameOf(spaceId: string, change: Change): ReactNode {
  if ('page' in change)
    return change.type === 'page_deleted' ? (
      change.page.title
    ) : (
      <Link href={pageAddress(spaceId, change.page.id)}>{change.page.title}</Link>
    )
  if ('file' in change) return change.file.name
  if ('reusableContent' in change) return change.reusableContent.title
  return Object.keys(change.variables).join(', ')
}

/** What differs beside the text. */
function Details({ change }: { readonly change: Change }) {
  if (change.type === 'variables_edited')
    return Object.entries(change.variables).map(([name, { before, after }]) => (
      <Values key={name} label={name} before={textOf(before)} after={textOf(after)} />
    ))
  if (change.type === 'reusable_content_edited')
    return (change.attributes.document?.blocks ?? []).map(({ kind, before, after }) =>
      kind === 'moved' ? null : (
        <Values
          key={`${before?.key}.${after?.key}`}
          before={before?.markdown ?? ''}
          after={after?.markdown ?? ''}
        />
      ),
    )
  if (change.type !== 'page_edited') return null
  const { document: _, ...attributes } = change.attributes
  return Object.entries(attributes).map(([name, value]) => {
    const { before, after } = value as { readonly before?: unknown; readonly after?: unknown }
    if (typeof (before ?? after) !== 'string') return null
    return <Values key={name} label={name} before={textOf(before)} after={textOf(after)} />
  })
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)

type ValuesProps = { readonly label?: string; readonly before: string; readonly after: string }

const Values = ({ label, before, after }: ValuesProps) => (
  <div className="difference">
    {label !== undefined && <span className="faint small">{label}</span>}
    {before !== '' && <del dir="auto">{before}</del>}
    {after !== '' && <ins dir="auto">{after}</ins>}
  </div>
)

function iconOf({ type }: Change): ReactNode {
  if (type.endsWith('_created')) return <FilePlus size={16} className="faint" aria-hidden />
  if (type.endsWith('_deleted')) return <FileMinus size={16} className="faint" aria-hidden />
  if (type.endsWith('_moved')) return <MoveRight size={16} className="faint" aria-hidden />
  if (type === 'variables_edited') return <Variable size={16} className="faint" aria-hidden />
  return <FilePen size={16} className="faint" aria-hidden />
}
