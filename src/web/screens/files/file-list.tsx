// Files as a grid of pictures or as rows. Only those in sight are in the document.
import Check from 'lucide-react/icons/check'
import FileIcon from 'lucide-react/icons/file'
import { useState } from 'react'
import type { Selection } from 'react-aria-components'
import { CheckboxButton, CheckboxField } from 'react-aria-components/Checkbox'
import { GridList, GridListItem } from 'react-aria-components/GridList'
import { ListLayout, Virtualizer } from 'react-aria-components/Virtualizer'
import { GridLayout, Size } from 'react-stately/useVirtualizerState'
import { addressOfFile, type ContentFile, isPicture } from '../../data/files.ts'
import { isolated, t } from '../../messages/messages.ts'
import { sayBytes } from '../../parts/say-bytes.ts'
import { Time } from '../../parts/time.tsx'
import { type FileAction, FileMenu } from './file-menu.tsx'

export const VIEWS = ['grid', 'list'] as const
export type View = (typeof VIEWS)[number]

type Props = {
  readonly files: readonly ContentFile[]
  readonly view: View
  readonly mayEdit: boolean
  readonly selected: ReadonlySet<string>
  readonly onSelect: (selected: ReadonlySet<string>) => void
  readonly onOpen: (id: string) => void
  readonly onAct: (action: FileAction, file: ContentFile) => void
}

export function FileList({ files, view, mayEdit, selected, onSelect, onOpen, onAct }: Props) {
  const list = (
    <GridList
      className={`files ${view}`}
      aria-label={t('files.title')}
      layout={view === 'grid' ? 'grid' : 'stack'}
      items={files}
      dependencies={[view]}
      selectionMode={mayEdit ? 'multiple' : 'none'}
      selectedKeys={selected}
      onSelectionChange={(keys: Selection) =>
        onSelect(new Set(keys === 'all' ? files.map(({ id }) => id) : [...keys].map(String)))
      }
      onAction={key => onOpen(String(key))}
    >
      {file => (
        <GridListItem id={file.id} textValue={file.name} className="file">
          {mayEdit && <SelectBox name={file.name} />}
          <Picture key={file.downloadURL} file={file} iconPx={view === 'grid' ? 32 : 20} />
          <span className="file-name" title={file.name}>
            <bdi>{file.name}</bdi>
          </span>
          <span className="faint small file-fact">
            {view === 'list' && file.updatedAt !== undefined && (
              <span className="file-when">
                <Time value={file.updatedAt} />
                {' · '}
              </span>
            )}
            {sayBytes(file.size)}
          </span>
          {mayEdit && <FileMenu file={file} onAct={onAct} />}
        </GridListItem>
      )}
    </GridList>
  )
  // Another layout is another list to what measures it.
  return view === 'grid' ? (
    <Virtualizer key="grid" layout={GridLayout} layoutOptions={TILES}>
      {list}
    </Virtualizer>
  ) : (
    <Virtualizer key="list" layout={ListLayout} layoutOptions={ROWS}>
      {list}
    </Virtualizer>
  )
}

const TILES = {
  minItemSize: new Size(150, 190),
  maxItemSize: new Size(240, 190),
  minSpace: new Size(12, 12),
}
const ROWS = { rowHeight: 56 }

type PictureProps = { readonly file: ContentFile; readonly iconPx: number }

/** The mark of a file also for a picture that the browser cannot draw. */
function Picture({ file, iconPx }: PictureProps) {
  const [isBroken, setBroken] = useState(false)
  return (
    <span className="file-picture">
      {isPicture(file) && !isBroken ? (
        <img src={addressOfFile(file)} alt="" loading="lazy" onError={() => setBroken(true)} />
      ) : (
        <FileIcon size={iconPx} aria-hidden />
      )}
    </span>
  )
}

const SelectBox = ({ name }: { readonly name: string }) => (
  <CheckboxField slot="selection" className="file-select">
    <CheckboxButton className="check" aria-label={t('files.select', { name: isolated(name) })}>
      <span className="check-box" aria-hidden="true">
        <Check size={12} />
      </span>
    </CheckboxButton>
  </CheckboxField>
)
