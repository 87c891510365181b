import type { ReactNode } from 'react'
import { Dialog as AriaDialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'

type Props = {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  /** Whether a click beside it closes it: not where something typed would be lost. */
  readonly isDismissable?: boolean
  readonly children: ReactNode
}

export const Dialog = ({ title, isOpen, onClose, isDismissable = false, children }: Props) => (
  <ModalOverlay
    className="overlay"
    isOpen={isOpen}
    onOpenChange={open => {
      if (!open) onClose()
    }}
    isDismissable={isDismissable}
  >
    <Modal className="dialog">
      <AriaDialog>
        <Heading slot="title">{title}</Heading>
        {children}
      </AriaDialog>
    </Modal>
  </ModalOverlay>
)
