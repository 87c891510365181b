// How a page is shown, and where: saved as what is written is.
import Check from 'lucide-react/icons/check'
import { CheckboxButton, CheckboxField } from 'react-aria-components/Checkbox'
import { LAYOUT_SWITCHES } from '../../data/page-text.ts'
import { useStore } from '../../data/store.ts'
import type { PageWriting } from '../../editor/page-writing.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { CoverOptions } from './cover-options.tsx'

const MARK_CHARACTERS_MAX = 50

type Props = { readonly writing: PageWriting; readonly onClose: () => void }

export default function PageOptions({ writing, onClose }: Props) {
  const { emoji, icon, hidden, noIndex, layout } = useStore(writing.fields)
  return (
    <Dialog title={t('editor.options')} isOpen onClose={onClose} isDismissable>
      <div className="editor-marks">
        <Field
          label={t('editor.emoji')}
          value={emoji}
          maxLength={MARK_CHARACTERS_MAX}
          onChange={next => writing.change({ emoji: next.trim() })}
        />
        <Field
          label={t('editor.icon')}
          hint={t('editor.iconHint')}
          value={icon}
          maxLength={MARK_CHARACTERS_MAX}
          onChange={next => writing.change({ icon: next.trim() })}
        />
      </div>
      <CoverOptions writing={writing} />
      <section className="stack-small" aria-labelledby="workspace:page-shown">
        <h3 id="workspace:page-shown">{t('editor.shown')}</h3>
        <div className="editor-switches">
          <Switch
            label={t('editor.layout.wide')}
            isSelected={layout.width === 'wide'}
            onChange={isOn => writing.change({ layout: { ...layout, width: isOn ? 'wide' : 'default' } })}
          />
          {LAYOUT_SWITCHES.map(name => (
            <Switch
              key={name}
              label={t(`editor.layout.${name}`)}
              isSelected={layout[name]}
              onChange={isOn => writing.change({ layout: { ...layout, [name]: isOn } })}
            />
          ))}
        </div>
      </section>
      <section className="stack-small" aria-labelledby="workspace:page-reached">
        <h3 id="workspace:page-reached">{t('editor.reached')}</h3>
        <div className="editor-switches">
          <Switch
            label={t('editor.hidden')}
            isSelected={hidden}
            onChange={isOn => writing.change({ hidden: isOn })}
          />
          <Switch
            label={t('editor.noIndex')}
            isSelected={noIndex}
            onChange={isOn => writing.change({ noIndex: isOn })}
          />
        </div>
      </section>
      <div className="dialog-actions">
        <Button look="primary" onPress={onClose}>
          {t('space.close')}
        </Button>
      </div>
    </Dialog>
  )
}

type SwitchProps = {
  readonly label: string
  readonly isSelected: boolean
  readonly onChange: (isSelected: boolean) => void
}

const Switch = ({ label, ...props }: SwitchProps) => (
  <CheckboxField {...props}>
    <CheckboxButton className="check">
      <span className="check-box" aria-hidden="true">
        <Check size={12} />
      </span>
      {label}
    </CheckboxButton>
  </CheckboxField>
)
