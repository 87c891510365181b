// One thing that somebody said: who, when, the text, reactions; and what its author may do with it.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import Ellipsis from 'lucide-react/icons/ellipsis'
import { type ReactNode, useState } from 'react'
import { Menu, MenuItem, MenuTrigger } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import {
  changeRemark,
  deleteRemark,
  hideComment,
  type Remark,
  type RemarkAt,
  readDiscussionAgain,
  showRemark,
} from '../../data/comments.ts'
import { t } from '../../messages/messages.ts'
import { Avatar } from '../avatar.tsx'
import { Button, IconButton } from '../button.tsx'
import { Content } from '../content.tsx'
import { Dialog } from '../dialog.tsx'
import { Time } from '../time.tsx'
import { sayFailure } from '../toasts.tsx'
import { Composer } from './composer.tsx'
import { AddReaction, Reactions } from './reactions.tsx'

type Props = {
  readonly at: RemarkAt
  readonly remark: Remark
  /** Beside the name: what can be done with the thread. */
  readonly actions?: ReactNode
}

export function RemarkView({ at, remark, actions }: Props) {
  const [isEdited, setEdited] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const { postedBy, postedAt, editedAt, permissions, reactions } = remark
  return (
    <div className="remark">
      <Avatar name={postedBy.displayName} />
      <div className="remark-head">
        <span className="remark-by">
          <bdi className="remark-name">{postedBy.displayName}</bdi>
          <span className="faint small">
            <Time value={postedAt} />
            {editedAt !== undefined && ` · ${t('thread.edited')}`}
          </span>
        </span>
        <span className="remark-actions">
          {permissions.reply === true && reactions.length === 0 && <AddReaction at={at} remark={remark} />}
          {(permissions.edit === true || permissions.delete === true) && (
            <MenuTrigger>
              <IconButton label={t('thread.more')}>
                <Ellipsis size={16} aria-hidden />
              </IconButton>
              <Popover className="popover" placement="bottom end">
                <Menu aria-label={t('thread.more')}>
                  {permissions.edit === true && (
                    <MenuItem className="option" onAction={() => setEdited(true)}>
                      {t('thread.edit')}
                    </MenuItem>
                  )}
                  {permissions.delete === true && (
                    <MenuItem className="option" onAction={() => setDeleting(true)}>
                      {t('thread.delete')}
                    </MenuItem>
                  )}
                </Menu>
              </Popover>
            </MenuTrigger>
          )}
          {actions}
        </span>
      </div>
      <div className="remark-body">
        {isEdited ? (
          <Editor at={at} remark={remark} onDone={() => setEdited(false)} />
        ) : (
          <RemarkText remark={remark} />
        )}
        <Reactions at={at} remark={remark} />
      </div>
      {isDeleting && <DeleteDialog at={at} remark={remark} onClose={() => setDeleting(false)} />}
    </div>
  )
}

const RemarkText = ({ remark: { body } }: { readonly remark: Remark }) =>
  body.html === undefined ? <div className="remark-text">{body.markdown}</div> : <Content html={body.html} />

type DialogProps = { readonly at: RemarkAt; readonly remark: Remark }

function Editor({ at, remark, onDone }: DialogProps & { readonly onDone: () => void }) {
  const cache = useQueryClient()
  const { mutateAsync } = useMutation({
    mutationFn: (markdown: string) => changeRemark(at, { body: { markdown } }),
    onSuccess: now => {
      showRemark(cache, at, now)
      onDone()
    },
  })
  return (
    <Composer
      spaceId={at.spaceId}
      place={`edit.${remark.id}`}
      label={t('thread.edit')}
      action={t('thread.save')}
      initial={remark.body.markdown ?? ''}
      isFocused
      onSend={markdown => mutateAsync(markdown)}
      onCancel={onDone}
    />
  )
}

function DeleteDialog({ at, remark, onClose }: DialogProps & { readonly onClose: () => void }) {
  const cache = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => deleteRemark(at),
    onSuccess: () => {
      if (at.replyId !== undefined) return readDiscussionAgain(cache, at)
      hideComment(cache, at, at.commentId)
      return readDiscussionAgain(cache, { spaceId: at.spaceId, changeRequestId: at.changeRequestId })
    },
    onError: sayFailure,
    onSettled: onClose,
  })
  const replies = remark.object === 'comment' ? remark.replies : 0
  return (
    <Dialog title={t('thread.deleteTitle')} isOpen onClose={onClose} isDismissable>
      <p>{replies === 0 ? t('thread.deleteText') : t('thread.deleteThread', { count: replies })}</p>
      <div className="dialog-actions">
        <Button onPress={onClose}>{t('thread.keep')}</Button>
        <Button look="danger" isPending={isPending} onPress={() => mutate()}>
          {t('thread.delete')}
        </Button>
      </div>
    </Dialog>
  )
}
