// Leads to where the content of a change request is written; `e` does too.
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { useShortcuts } from '../../parts/shortcuts.ts'
import { EditDialog } from '../space/edit-dialog.tsx'
import type { Props } from './props.ts'

export function Edit({ changeRequest, of }: Omit<Props, 'place'>) {
  const [isOpen, setOpen] = useState(false)
  useShortcuts({ e: () => setOpen(true) })
  return (
    <>
      <Button onPress={() => setOpen(true)}>
        <Pencil size={15} aria-hidden />
        {t('space.edit')}
      </Button>
      <EditDialog space={of} changeRequest={changeRequest} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}
