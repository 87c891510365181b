// One of a few, said in sentences: a button with what is chosen, which opens a menu.
import ChevronDown from 'lucide-react/icons/chevron-down'
import { Menu, MenuItem, MenuTrigger } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { Button } from './button.tsx'

type Props<Id extends string> = {
  /** With a colon. */
  readonly label: string
  readonly options: readonly { readonly id: Id; readonly title: string }[]
  readonly chosen: Id
  readonly isPending?: boolean
  readonly isDisabled?: boolean
  /** With another than the one chosen. */
  readonly onChange: (id: Id) => void
}

export const MenuChoice = <Id extends string>({
  label,
  options,
  chosen,
  isPending = false,
  isDisabled = false,
  onChange,
}: Props<Id>) => (
  <MenuTrigger>
    <Button isPending={isPending} isDisabled={isDisabled}>
      <span className="visually-hidden">{label}</span>
      <span className="truncate">{options.find(({ id }) => id === chosen)?.title ?? chosen}</span>
      <ChevronDown size={14} aria-hidden />
    </Button>
    <Popover className="popover" placement="bottom end">
      <Menu
        aria-label={label}
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[chosen]}
        onSelectionChange={keys => {
          const next = options.find(({ id }) => id === [...keys][0])
          if (next !== undefined && next.id !== chosen) onChange(next.id)
        }}
      >
        {options.map(({ id, title }) => (
          <MenuItem key={id} id={id} className="option">
            {title}
          </MenuItem>
        ))}
      </Menu>
    </Popover>
  </MenuTrigger>
)
