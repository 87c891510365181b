// One column or two, as somebody wants it on this device.
import { Columns2, Rows2 } from 'lucide-react'
import { useState } from 'react'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup'
import { keep } from '../../data/device.ts'
import { t } from '../../messages/messages.ts'

export type Layout = 'one' | 'two'

const SETTING = 'octavo.review.columns'

export function useLayout(): [Layout, (layout: Layout) => void] {
  const [layout, setLayout] = useState<Layout>(() =>
    localStorage.getItem(SETTING) === 'two' ? 'two' : 'one',
  )
  return [
    layout,
    next => {
      setLayout(next)
      keep(SETTING, next)
    },
  ]
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
