// One column or two, as somebody wants it on this device, where there is room for two.
import Columns2 from 'lucide-react/icons/columns-2'
import Rows2 from 'lucide-react/icons/rows-2'
import { useState } from 'react'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup'
import { keep } from '../../data/device.ts'
import { t } from '../../messages/messages.ts'
import { useMedia } from '../../parts/media.ts'

export type Layout = 'one' | 'two'

const SETTING = 'octavo.review.columns'

const HAS_ROOM = '(width >= 640px)'

/** The layout that is shown, and what chooses another where there is a choice. */
export function useLayout(): [Layout, ((layout: Layout) => void) | undefined] {
  const hasRoom = useMedia(HAS_ROOM)
  const [layout, setLayout] = useState<Layout>(() =>
    localStorage.getItem(SETTING) === 'two' ? 'two' : 'one',
  )
  const choose = (next: Layout) => {
    setLayout(next)
    keep(SETTING, next)
  }
  return hasRoom ? [layout, choose] : ['one', undefined]
}

type Props = { readonly layout: Layout; readonly onChange: (layout: Layout) => void }

export const LayoutSwitch = ({ layout, onChange }: Props) => (
  <ToggleButtonGroup
    className="switcher"
    aria-label={t('review.columns')}
    selectionMode="single"
    disallowEmptySelection
    selectedKeys={[layout]}
    onSelectionChange={keys => onChange(keys.has('two') ? 'two' : 'one')}
  >
    <ToggleButton id="one" className="switcher-item">
      <Rows2 size={16} aria-hidden />
      {t('review.oneColumn')}
    </ToggleButton>
    <ToggleButton id="two" className="switcher-item">
      <Columns2 size={16} aria-hidden />
      {t('review.sideBySide')}
    </ToggleButton>
  </ToggleButtonGroup>
)
