// What a revision did: one line for each page, file or variable, and the texts that differ.
import { FileMinus, FilePen, FilePlus, MoveRight, Variable } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Change } from '../../data/change-request.ts'
import { pageAddress } from '../../data/pages.ts'
import { t } from '../../messages/messages.ts'

type Props = { readonly spaceId: string; readonly changes: readonly Change[] }

export const What = ({ spaceId, changes }: Props) => (
  // biome-ignore lint/a11y/noRedundantRoles: Safari takes the role of a list without marks away
  <ul role="list" className="what">
    {changes.map((change, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: one object may have two changes, and their order stays
      <li key={index}>
        <p className="row">
          {iconOf(change)}
          <span className="grow">{nameOf(spaceId, change)}</span>
          <span className="faint small">{t(`changeRequest.change.${change.type}`)}</span>
        </p>
        <Details change={change} />
      </li>
    ))}
  </ul>
)

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

function Details({ change }: { readonly change: Change }) {
  if (change.type === 'variables_edited')
    return Object.entries(change.variables).map(([name, { before, after }]) => (
      <Difference key={name} label={name} before={textOf(before)} after={textOf(after)} />
    ))
  if (change.type !== 'page_edited' && change.type !== 'reusable_content_edited') return null
  const { document, ...attributes } = change.attributes
  return (
    <>
      {Object.entries(attributes).map(([name, value]) => {
        const { before, after } = value as { readonly before?: unknown; readonly after?: unknown }
        if (typeof (before ?? after) !== 'string') return null
        return <Difference key={name} label={name} before={textOf(before)} after={textOf(after)} />
      })}
      {(document?.blocks ?? []).map(({ kind, before, after }) =>
        kind === 'moved' ? null : (
          <Difference
            key={`${before?.key}.${after?.key}`}
            before={before?.markdown ?? ''}
            after={after?.markdown ?? ''}
          />
        ),
      )}
      {document?.moreBlocks !== undefined && (
        <p className="faint small">{t('history.moreBlocks', { count: document.moreBlocks })}</p>
      )}
    </>
  )
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)

type DifferenceProps = { readonly label?: string; readonly before: string; readonly after: string }

const Difference = ({ label, before, after }: DifferenceProps) => (
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
