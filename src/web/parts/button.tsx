import type { ReactNode } from 'react'
import { Button as AriaButton, type ButtonProps } from 'react-aria-components/Button'
import { Tooltip, TooltipTrigger } from 'react-aria-components/Tooltip'

type Props = Omit<ButtonProps, 'className' | 'children'> & {
  readonly look?: 'primary' | 'danger' | 'quiet'
  readonly children: ReactNode
}

export const Button = ({ look, ...props }: Props) => (
  <AriaButton {...props} className={look === undefined ? 'button' : `button ${look}`} />
)

/** A button that shows a picture alone; `label` names it, and shows on hover. */
export const IconButton = ({
  label,
  children,
  ...props
}: Omit<Props, 'look'> & { readonly label: string }) => (
  <TooltipTrigger delay={600}>
    <AriaButton {...props} aria-label={label} className="button quiet square">
      {children}
    </AriaButton>
    <Tooltip className="popover tooltip">{label}</Tooltip>
  </TooltipTrigger>
)
