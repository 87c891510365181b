// Emoji under a remark: who gave which, and one's own.
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import SmilePlus from 'lucide-react/icons/face-slightly-smiling-plus'
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog'
import { Popover } from 'react-aria-components/Popover'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import { Tooltip, TooltipTrigger } from 'react-aria-components/Tooltip'
import {
  changeRemark,
  isReactedBy,
  type Remark,
  type RemarkAt,
  readDiscussionAgain,
  showRemark,
  withReaction,
} from '../../data/comments.ts'
import { me } from '../../data/people.ts'
import { language, t } from '../../messages/messages.ts'
import { IconButton } from '../button.tsx'
import { sayFailure } from '../toasts.tsx'

const OFFERED = ['👍', '👎', '😄', '🎉', '😕', '❤️', '🚀', '👀']
const NAMED_MAX = 10

const list = new Intl.ListFormat(language)

type Props = { readonly at: RemarkAt; readonly remark: Remark }

/** Nothing if there is none and this person may give none. */
export function Reactions({ at, remark }: Props) {
  const toggle = useReact(at, remark)
  const { id: personId } = useSuspenseQuery(me).data
  if (remark.reactions.length === 0) return null
  return (
    <div className="reactions">
      {remark.reactions.map(({ emoji, count, users }) => (
        <TooltipTrigger key={emoji} delay={400}>
          <ToggleButton
            className="reaction"
            isSelected={isReactedBy(remark, emoji, personId)}
            isDisabled={remark.permissions.reply !== true}
            onChange={() => toggle(emoji)}
            aria-label={t('thread.reaction', { emoji, count })}
          >
            <span aria-hidden>{emoji}</span>
            <span className="numbers" aria-hidden>
              {count}
            </span>
          </ToggleButton>
          <Tooltip className="popover tooltip">
            {namesOf(
              users.map(({ user }) => user.displayName),
              count,
            )}
          </Tooltip>
        </TooltipTrigger>
      ))}
      {remark.permissions.reply === true && <AddReaction at={at} remark={remark} />}
    </div>
  )
}

export function AddReaction({ at, remark }: Props) {
  const toggle = useReact(at, remark)
  const { id: personId } = useSuspenseQuery(me).data
  return (
    <DialogTrigger>
      <IconButton label={t('thread.react')}>
        <SmilePlus size={16} aria-hidden />
      </IconButton>
      <Popover className="popover">
        <Dialog className="emoji" aria-label={t('thread.react')}>
          {({ close }) =>
            OFFERED.map(emoji => (
              <ToggleButton
                key={emoji}
                className="button quiet square"
                isSelected={isReactedBy(remark, emoji, personId)}
                aria-label={emoji}
                onChange={() => {
                  toggle(emoji)
                  close()
                }}
              >
                {emoji}
              </ToggleButton>
            ))
          }
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}

function useReact(at: RemarkAt, remark: Remark): (emoji: string) => void {
  const cache = useQueryClient()
  const person = useSuspenseQuery(me).data
  const { mutate } = useMutation({
    mutationFn: ({ emoji, isOwn }: { readonly emoji: string; readonly isOwn: boolean }) =>
      changeRemark(at, isOwn ? { removedReactions: [emoji] } : { addedReactions: [emoji] }),
    onMutate: ({ emoji }) => showRemark(cache, at, withReaction(remark, emoji, person)),
    onSuccess: now => showRemark(cache, at, now),
    onError: error => {
      sayFailure(error)
      return readDiscussionAgain(cache, at)
    },
  })
  return emoji => mutate({ emoji, isOwn: isReactedBy(remark, emoji, person.id) })
}

function namesOf(names: readonly string[], count: number): string {
  const shown = names.slice(0, NAMED_MAX)
  return list.format(
    count > shown.length ? [...shown, t('thread.others', { count: count - shown.length })] : shown,
  )
}
