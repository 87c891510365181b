// A text to take along: an address, a command. Pages of plain http cannot copy by script, so it can be selected too.
import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import { useState } from 'react'
import { t } from '../messages/messages.ts'
import { IconButton } from './button.tsx'

type Props = { readonly label: string; readonly value: string }

const SHOWN_MS = 1600

export function CopyField({ label, value }: Props) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(value)
    setCopied(true)
    setTimeout(() => setCopied(false), SHOWN_MS)
  }
  return (
    <div className="copy">
      <input
        className="input copy-text"
        aria-label={label}
        value={value}
        readOnly
        onFocus={event => event.target.select()}
      />
      {window.isSecureContext && (
        <IconButton
          label={isCopied ? t('content.copied') : t('content.copyIt', { what: label })}
          onPress={copy}
        >
          {isCopied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
        </IconButton>
      )}
    </div>
  )
}
