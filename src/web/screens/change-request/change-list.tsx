// What changed, one line each: pages first, then files and the rest.
import FileMinus from 'lucide-react/icons/file-minus'
import FilePen from 'lucide-react/icons/file-pen'
import FilePlus from 'lucide-react/icons/file-plus'
import MoveRight from 'lucide-react/icons/move-right'
import Variable from 'lucide-react/icons/variable'
import type { ReactNode } from 'react'
import type { Change } from '../../data/change-request.ts'
import { t } from '../../messages/messages.ts'

type Props = { readonly changes: readonly Change[] }

export const ChangeList = ({ changes }: Props) => (
  <ul role="list" className="change-list">
    {changes.map((change, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: one object may have two changes, and their order stays
      <li key={index} className="side-item">
        {iconOf(change)}
        <bdi className="grow">{titleOf(change)}</bdi>
        <span className="faint small">{t(`changeRequest.change.${change.type}`)}</span>
      </li>
    ))}
  </ul>
)

function titleOf(change: Change): string {
  if ('page' in change) return change.page.title
  if ('file' in change) return change.file.name
  if ('reusableContent' in change) return change.reusableContent.title
  return Object.keys(change.variables).join(', ')
}

function iconOf({ type }: Change): ReactNode {
  if (type.endsWith('_created')) return <FilePlus size={16} className="success" aria-hidden />
  if (type.endsWith('_deleted')) return <FileMinus size={16} className="danger" aria-hidden />
  if (type.endsWith('_moved')) return <MoveRight size={16} className="info" aria-hidden />
  if (type === 'variables_edited') return <Variable size={16} className="info" aria-hidden />
  return <FilePen size={16} className="info" aria-hidden />
}
