// Above the editor: where it is written, whether it is saved, and what comes next.
import { useMutation } from '@tanstack/react-query'
import Columns2 from 'lucide-react/icons/columns-2'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Eye from 'lucide-react/icons/eye'
import GitPullRequestArrow from 'lucide-react/icons/git-pull-request-arrow'
import PenLine from 'lucide-react/icons/pen-line'
import Rocket from 'lucide-react/icons/rocket'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import Terminal from 'lucide-react/icons/terminal'
import { lazy, Suspense, useState } from 'react'
import { Menu, MenuItem, MenuTrigger } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup'
import { Link, useLocation } from 'wouter'
import { merge, rollBack } from '../../data/change-request.ts'
import type { ChangeRequest } from '../../data/change-requests.ts'
import { pageAddress, spaceAddress } from '../../data/pages.ts'
import type { Space } from '../../data/spaces.ts'
import { useStore } from '../../data/store.ts'
import type { PagePreview } from '../../editor/page-preview.ts'
import type { PageWriting } from '../../editor/page-writing.ts'
import { t } from '../../messages/messages.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { useMedia } from '../../parts/media.ts'
import { say, sayFailure } from '../../parts/toasts.tsx'
import { Problems } from './problems.tsx'
import { SaveMark } from './save-mark.tsx'

const EditDialog = lazy(() => import('../space/edit-dialog.tsx'))
const PageOptions = lazy(() => import('./page-options.tsx'))
const Propose = lazy(() => import('./propose.tsx'))

export type View = 'text' | 'both' | 'preview'

type Props = {
  readonly of: Space
  readonly writing: PageWriting
  readonly preview: PagePreview
  /** What is written into; none before the first save. */
  readonly changeRequest: ChangeRequest | undefined
  readonly view: View
  readonly views: readonly View[]
  readonly onView: (view: View) => void
}

const MARKS = { text: PenLine, both: Columns2, preview: Eye } as const

export function Bar({ of, writing, preview, changeRequest, view, views, onView }: Props) {
  const [open, setOpen] = useState<'options' | 'elsewhere' | 'propose' | null>(null)
  const [, navigate] = useLocation()
  const done = async () => {
    await writing.save()
    if (writing.isSaved) navigate(afterwards(writing))
  }
  const undoing = useMutation({
    mutationFn: (revision: string) => rollBack(of.id, revision),
    onSuccess: ({ result }) => say(t(result === 'rollback' ? 'conflicts.undone' : 'conflicts.undoConflicts')),
    onError: sayFailure,
  })
  const publishing = useMutation({
    mutationFn: async () => {
      await writing.save()
      const { changeRequestId } = writing.place.get()
      if (!writing.isSaved || changeRequestId === undefined) return
      const { result, revision } = await merge({ spaceId: of.id, changeRequestId })
      if (result === 'conflicts') {
        say(t('changeRequest.hasConflicts'))
        return navigate(`${spaceAddress(of.id)}/c/${changeRequestId}/conflicts?for=merge`)
      }
      say(t('conflicts.published'), { label: t('conflicts.undo'), run: () => undoing.mutate(revision) })
      if (writing.isSaved) return navigate(pageAddress(of.id, writing.pageId))
      // What was typed meanwhile.
      await writing.moveToNewDraft()
      say(t('editor.goesOn'))
    },
    onError: sayFailure,
  })
  const isDraft = changeRequest?.status === 'draft'
  const isNarrow = useMedia(IS_NARROW)
  // First it is chosen which of both texts there is to be.
  const isClash = useStore(writing.state).kind === 'clash'
  return (
    <div className="editor-bar">
      <div className="editor-where">
        <Where of={of} changeRequest={changeRequest} />
        <SaveMark writing={writing} />
      </div>
      <div className="editor-tools">
        <ToggleButtonGroup
          className="switcher"
          aria-label={t('editor.views')}
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[view]}
          onSelectionChange={keys => onView(views.find(one => keys.has(one)) ?? view)}
        >
          {views.map(one => {
            const Mark = MARKS[one]
            return (
              <ToggleButton key={one} id={one} className="switcher-item" aria-label={t(`editor.view.${one}`)}>
                <Mark size={16} aria-hidden />
              </ToggleButton>
            )
          })}
        </ToggleButtonGroup>
        <Problems
          preview={preview}
          onOpen={() => {
            if (view === 'preview') onView(views.includes('both') ? 'both' : 'text')
          }}
        />
        <Tools isNarrow={isNarrow} onOpen={setOpen} />
      </div>
      <div className="editor-actions">
        <Button isDisabled={isClash} onPress={() => void done()}>
          {t('editor.done')}
        </Button>
        {of.editMode === 'live' && of.permissions.merge && (
          <Button
            isPending={publishing.isPending}
            isDisabled={isClash || (changeRequest === undefined && writing.isSaved)}
            onPress={() => publishing.mutate()}
          >
            <Rocket size={15} aria-hidden />
            {t('editor.publish')}
          </Button>
        )}
        {(changeRequest === undefined || isDraft) && (
          <Button look="primary" isDisabled={isClash} onPress={() => setOpen('propose')}>
            <GitPullRequestArrow size={15} aria-hidden />
            {t('editor.propose')}
          </Button>
        )}
      </div>
      {open === 'elsewhere' && (
        <Suspense>
          <EditDialog space={of} changeRequest={changeRequest} onClose={() => setOpen(null)} />
        </Suspense>
      )}
      {open === 'options' && (
        <Suspense>
          <PageOptions writing={writing} onClose={() => setOpen(null)} />
        </Suspense>
      )}
      {open === 'propose' && (
        <Suspense>
          <Propose of={of} writing={writing} onClose={() => setOpen(null)} />
        </Suspense>
      )}
    </div>
  )
}

const Where = ({ of, changeRequest }: Pick<Props, 'of' | 'changeRequest'>) =>
  changeRequest === undefined ? (
    <Link href={spaceAddress(of.id)} className="editor-place">
      <bdi className="truncate">{of.title === '' ? t('space.untitled') : of.title}</bdi>
    </Link>
  ) : (
    <Link href={`${spaceAddress(of.id)}/c/${changeRequest.number}`} className="editor-place">
      <bdi className="truncate">
        {changeRequest.subject === '' ? t('changeRequest.untitled') : changeRequest.subject}
      </bdi>{' '}
      <span className="faint">#{changeRequest.number}</span>
    </Link>
  )

const TOOLS = { options: SlidersHorizontal, elsewhere: Terminal } as const
type Tool = keyof typeof TOOLS

type ToolsProps = { readonly isNarrow: boolean; readonly onOpen: (tool: Tool) => void }

/** Buttons, or entries of a menu where there is no room for them. */
function Tools({ isNarrow, onOpen }: ToolsProps) {
  const tools = Object.entries(TOOLS) as [Tool, typeof Terminal][]
  if (!isNarrow)
    return tools.map(([tool, Mark]) => (
      <IconButton key={tool} label={t(`editor.${tool}`)} onPress={() => onOpen(tool)}>
        <Mark size={16} aria-hidden />
      </IconButton>
    ))
  return (
    <MenuTrigger>
      <IconButton label={t('editor.more')}>
        <Ellipsis size={16} aria-hidden />
      </IconButton>
      <Popover className="popover" placement="bottom end">
        <Menu aria-label={t('editor.more')}>
          {tools.map(([tool]) => (
            <MenuItem key={tool} className="option" onAction={() => onOpen(tool)}>
              {t(`editor.${tool}`)}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}

const IS_NARROW = '(width < 860px)'

/** The page, as it is in what was written into. */
function afterwards({ place, pageId }: PageWriting): string {
  const { spaceId, changeRequestId } = place.get()
  if (changeRequestId === undefined) return pageAddress(spaceId, pageId)
  return `${spaceAddress(spaceId)}/c/${changeRequestId}/preview/${pageId}`
}
