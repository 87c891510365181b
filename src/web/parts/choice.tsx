// One of many, found by typing. Only the options in sight are in the document.
import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down'
import { useEffect } from 'react'
import { Button } from 'react-aria-components/Button'
import { ComboBox } from 'react-aria-components/ComboBox'
import { FieldError } from 'react-aria-components/FieldError'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { ListLayout, Virtualizer } from 'react-aria-components/Virtualizer'
import { t } from '../messages/messages.ts'

type Option = { readonly id: string; readonly name: string }

type Props = {
  readonly label: string
  readonly options: readonly Option[]
  readonly chosen: string | undefined
  /** The option that chooses none, if none may be chosen. */
  readonly all?: string
  readonly onChange: (id: string | undefined) => void
}

// No id of the API is it.
const ALL = ''
const ROW_PX = 36

/**
 * Its options stay open when the page scrolls, as it does to bring them in sight: they would be closed by a listener that
 * is added when they open, so this one is there before.
 */
const stayOpen = (event: Event): void => {
  if (event.target === document) event.stopImmediatePropagation()
}
const beginStaying = () => addEventListener('scroll', stayOpen, true)
const stopStaying = () => removeEventListener('scroll', stayOpen, true)

const Choice = ({ label, options, chosen, all, onChange }: Props) => {
  useEffect(() => stopStaying, [])
  return (
    <ComboBox
      onFocus={beginStaying}
      onBlur={stopStaying}
      className="field choice"
      defaultItems={all === undefined ? options : [{ id: ALL, name: all }, ...options]}
      selectedKey={chosen ?? (all === undefined ? null : ALL)}
      onSelectionChange={key => {
        if (key !== null) onChange(key === ALL ? undefined : String(key))
      }}
      menuTrigger="focus"
      allowsEmptyCollection
    >
      <Label>{label}</Label>
      <div className="choice-field">
        <Input />
        <Button className="button quiet square" aria-label={t('choice.show')}>
          <ChevronsUpDown size={14} aria-hidden />
        </Button>
      </div>
      <FieldError className="field-error" />
      <Popover className="popover">
        <Virtualizer layout={ListLayout} layoutOptions={{ rowHeight: ROW_PX }}>
          <ListBox<Option>
            className="choice-options"
            renderEmptyState={() => <p className="faint choice-none">{t('choice.none')}</p>}
          >
            {({ id, name }) => (
              <ListBoxItem id={id} textValue={name} className="option">
                <bdi className="truncate grow">{name}</bdi>
              </ListBoxItem>
            )}
          </ListBox>
        </Virtualizer>
      </Popover>
    </ComboBox>
  )
}

export default Choice
