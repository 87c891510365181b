// The files of a space or of a change request, with their pictures, and at each of them where it is used.
import { useQuery } from '@tanstack/react-query'
import LayoutGrid from 'lucide-react/icons/layout-grid'
import List from 'lucide-react/icons/list'
import { use, useState } from 'react'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup'
import { Link } from 'wouter'
import { liveChangeRequest } from '../../data/change-request.ts'
import { keep } from '../../data/device.ts'
import {
  type ContentFile,
  FILE_KINDS,
  FILE_ORDERS,
  type FileKind,
  type FileOrder,
  filesOf,
  findFiles,
} from '../../data/files.ts'
import { type ContentPlace, spaceAddress } from '../../data/pages.ts'
import { type Space, space } from '../../data/spaces.ts'
import { filesTexts } from '../../messages/files.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { ChangeRequestCrumbs } from '../../parts/change-request-crumbs.tsx'
import { Field } from '../../parts/field.tsx'
import { Gone } from '../../parts/gone.tsx'
import { Screen } from '../../parts/screen.tsx'
import { SpaceCrumbs } from '../../parts/space-crumbs.tsx'
import { Empty, Loaded } from '../../parts/state.tsx'
import { DeleteFiles } from './delete-files.tsx'
import { FileDialog } from './file-dialog.tsx'
import { FileList, VIEWS, type View } from './file-list.tsx'
import type { FileAction } from './file-menu.tsx'
import { MoveFiles } from './move-files.tsx'
import { DropZone, Sendings, Upload } from './upload.tsx'

type Props = { readonly spaceId: string; readonly number?: string | undefined }

export default function FilesScreen({ spaceId, number }: Props) {
  if (filesTexts !== undefined) use(filesTexts)
  const place: ContentPlace = { spaceId, changeRequestId: number }
  const of = useQuery(space(spaceId)).data
  const mayEdit = useIsOpen(place) && of?.permissions.edit === true
  const content = (
    <>
      {mayEdit && <Upload place={place} />}
      <Sendings spaceId={spaceId} />
      <Loaded query={useQuery(filesOf(place))}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty text={t(mayEdit ? 'files.empty' : 'files.emptyRead')} />
          ) : (
            <Files items={items} place={place} mayEdit={mayEdit} />
          )
        }
      </Loaded>
    </>
  )
  return (
    <>
      <Gone spaceId={spaceId} />
      <Screen
        title={number === undefined ? t('files.title') : t('files.titleIn', { number })}
        crumbs={of && <Crumbs of={of} number={number} />}
      >
        {mayEdit ? <DropZone place={place}>{content}</DropZone> : content}
      </Screen>
    </>
  )
}

const Crumbs = ({ of, number }: { readonly of: Space; readonly number: string | undefined }) =>
  number === undefined ? (
    <SpaceCrumbs of={of} />
  ) : (
    <ChangeRequestCrumbs of={of}>
      <span aria-hidden="true">/</span>
      <Link href={`${spaceAddress(of.id)}/c/${number}`} dir="ltr">
        #{number}
      </Link>
    </ChangeRequestCrumbs>
  )

/** A change request that was merged or archived takes no files. */
function useIsOpen({ spaceId, changeRequestId }: ContentPlace): boolean {
  const { data } = useQuery({
    ...liveChangeRequest({ spaceId, changeRequestId: changeRequestId ?? '' }),
    enabled: changeRequestId !== undefined,
  })
  return changeRequestId === undefined || data?.status === 'draft' || data?.status === 'open'
}

type FilesProps = {
  readonly items: readonly ContentFile[]
  readonly place: ContentPlace
  readonly mayEdit: boolean
}

const NONE: ReadonlySet<string> = new Set()

function Files({ items, place, mayEdit }: FilesProps) {
  const [openId, setOpen] = useState<string | null>(null)
  const [selected, setSelected] = useState(NONE)
  const [begin, setBegin] = useState<'name' | 'folder'>()
  const [acting, setActing] = useState<{
    readonly kind: 'move' | 'delete'
    readonly ids: ReadonlySet<string>
  }>()
  const [order, setOrder] = useState<FileOrder>('name')
  const [words, setWords] = useState('')
  const [kind, setKind] = useState<FileKind>('all')
  const [view, setView] = useState(readView)
  const found = findFiles(items, words, kind, order)
  const chosen = items.filter(({ id }) => selected.has(id))
  const open = items.find(({ id }) => id === openId)
  const acted = items.filter(({ id }) => acting?.ids.has(id))
  const ending = {
    onDone: () => {
      setActing(undefined)
      setSelected(NONE)
    },
    onClose: () => setActing(undefined),
  }
  const show = (id: string | null, changing?: 'name' | 'folder') => {
    setBegin(changing)
    setOpen(id)
  }
  const act = (action: FileAction, { id }: ContentFile) => {
    if (action === 'rename') show(id, 'name')
    else setActing({ kind: action, ids: new Set([id]) })
  }
  return (
    <>
      <div className="files-bar">
        <Field label={t('files.find')} type="search" value={words} onChange={setWords} />
        <Kinds chosen={kind} onChange={setKind} />
      </div>
      <div className="files-line">
        <span className={chosen.length === 0 ? 'soft' : ''} role="status">
          {chosen.length === 0
            ? t('files.count', { count: found.length })
            : t('files.selected', { count: chosen.length })}
        </span>
        {chosen.length > 0 && (
          <>
            <Button onPress={() => setActing({ kind: 'move', ids: selected })}>{t('files.move')}</Button>
            <Button look="danger" onPress={() => setActing({ kind: 'delete', ids: selected })}>
              {t('files.delete')}
            </Button>
            <Button look="quiet" onPress={() => setSelected(NONE)}>
              {t('files.clearSelection')}
            </Button>
          </>
        )}
        <div className="file-orders">
          <Orders chosen={order} onChange={setOrder} />
        </div>
        <Views
          chosen={view}
          onChange={next => {
            setView(next)
            keep(VIEW_KEY, next)
          }}
        />
      </div>
      {found.length === 0 ? (
        <Empty text={t('files.nothing')}>
          <Button
            onPress={() => {
              setWords('')
              setKind('all')
            }}
          >
            {t('files.clear')}
          </Button>
        </Empty>
      ) : (
        <FileList
          {...{ view, mayEdit, selected }}
          files={found}
          onSelect={setSelected}
          onOpen={show}
          onAct={act}
        />
      )}
      {open !== undefined && (
        <FileDialog place={place} file={open} {...{ mayEdit, begin }} onClose={() => show(null)} />
      )}
      {acting?.kind === 'move' && acted.length > 0 && <MoveFiles place={place} files={acted} {...ending} />}
      {acting?.kind === 'delete' && acted.length > 0 && (
        <DeleteFiles place={place} files={acted} {...ending} />
      )}
    </>
  )
}

const VIEW_KEY = 'octavo.files.view'
const readView = (): View => (localStorage.getItem(VIEW_KEY) === 'list' ? 'list' : 'grid')

type ChoiceProps<Id> = { readonly chosen: Id; readonly onChange: (id: Id) => void }

const Kinds = (choice: ChoiceProps<FileKind>) => (
  <Choice label={t('files.kinds')} ids={FILE_KINDS} titleOf={one => t(`files.kind.${one}`)} {...choice} />
)

const Orders = (choice: ChoiceProps<FileOrder>) => (
  <Choice label={t('files.order')} ids={FILE_ORDERS} titleOf={one => t(`files.orders.${one}`)} {...choice} />
)

type ChoicesProps<Id> = ChoiceProps<Id> & {
  readonly label: string
  readonly ids: readonly Id[]
  readonly titleOf: (id: Id) => string
}

const Choice = <Id extends string>({ label, ids, titleOf, chosen, onChange }: ChoicesProps<Id>) => (
  <ToggleButtonGroup
    className="filters"
    aria-label={label}
    selectionMode="single"
    disallowEmptySelection
    selectedKeys={[chosen]}
    onSelectionChange={keys => onChange(ids.find(one => keys.has(one)) ?? chosen)}
  >
    {ids.map(one => (
      <ToggleButton key={one} id={one} className="filter">
        {titleOf(one)}
      </ToggleButton>
    ))}
  </ToggleButtonGroup>
)

const MARKS = { grid: LayoutGrid, list: List }

const Views = ({ chosen, onChange }: ChoiceProps<View>) => (
  <ToggleButtonGroup
    className="switcher"
    aria-label={t('files.view')}
    selectionMode="single"
    disallowEmptySelection
    selectedKeys={[chosen]}
    onSelectionChange={keys => onChange(VIEWS.find(one => keys.has(one)) ?? chosen)}
  >
    {VIEWS.map(one => {
      const Mark = MARKS[one]
      return (
        <ToggleButton key={one} id={one} className="switcher-item" aria-label={t(`files.views.${one}`)}>
          <Mark size={16} aria-hidden />
        </ToggleButton>
      )
    })}
  </ToggleButtonGroup>
)
