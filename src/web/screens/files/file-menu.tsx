// What can be done with a file from where it is listed, without opening it first.
import Ellipsis from 'lucide-react/icons/ellipsis'
import { Menu, MenuItem, MenuTrigger } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import type { ContentFile } from '../../data/files.ts'
import { isolated, t } from '../../messages/messages.ts'
import { IconButton } from '../../parts/button.tsx'

const ACTIONS = ['rename', 'move', 'delete'] as const
export type FileAction = (typeof ACTIONS)[number]

type Props = { readonly file: ContentFile; readonly onAct: (action: FileAction, file: ContentFile) => void }

export const FileMenu = ({ file, onAct }: Props) => (
  <MenuTrigger>
    <span className="file-more">
      <IconButton label={t('files.more', { name: isolated(file.name) })}>
        <Ellipsis size={16} aria-hidden />
      </IconButton>
    </span>
    <Popover className="popover" placement="bottom end">
      <Menu aria-label={file.name} onAction={key => onAct(key as FileAction, file)}>
        {ACTIONS.map(action => (
          <MenuItem key={action} id={action} className="option">
            {t(`files.${action}`)}
          </MenuItem>
        ))}
      </Menu>
    </Popover>
  </MenuTrigger>
)
