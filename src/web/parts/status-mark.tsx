import Archive from 'lucide-react/icons/archive'
import CircleDot from 'lucide-react/icons/circle-dot'
import GitMerge from 'lucide-react/icons/git-merge'
import PencilLine from 'lucide-react/icons/pencil-line'
import type { ChangeRequest } from '../data/change-requests.ts'
import { t } from '../messages/messages.ts'

type Status = ChangeRequest['status']

const LOOKS: Readonly<Record<Status, { readonly look: string; readonly Icon: typeof Archive }>> = {
  draft: { look: '', Icon: PencilLine },
  open: { look: 'success', Icon: CircleDot },
  merged: { look: 'info', Icon: GitMerge },
  archived: { look: '', Icon: Archive },
}

export const StatusMark = ({ status }: { readonly status: Status }) => {
  const { look, Icon } = LOOKS[status]
  return (
    <span className={`mark ${look}`}>
      <Icon size={12} aria-hidden />
      {t(`changeRequest.status.${status}`)}
    </span>
  )
}
