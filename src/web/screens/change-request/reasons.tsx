// What decides whether a merge may be: each rule with its outcome, and what else prevents it.
import { CircleAlert, CircleCheck, CircleX } from 'lucide-react'
import type { Mergeability } from '../../data/change-request.ts'
import { t } from '../../messages/messages.ts'

export const REASONS_ID = 'workspace:merge-reasons'

// The rule says so by its mark.
const PREFIX = /^The merge rule \S+ does not allow it: /

export function Reasons({ mergeability: { rules, reasons } }: { readonly mergeability: Mergeability }) {
  const ofRules = new Set(rules.map(({ message }) => message))
  const others = reasons.filter(reason => !ofRules.has(reason))
  return (
    <ul role="list" id={REASONS_ID} className="side-list reasons" aria-label={t('changeRequest.rules')}>
      {others.map(reason => (
        <li key={reason} className="side-item">
          <CircleAlert size={16} className="danger" aria-hidden />
          <span>{reason}</span>
        </li>
      ))}
      {rules.map(({ rule, passed, message }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a rule may be there twice, and their order stays
        <li key={index} className="side-item">
          {passed ? (
            <CircleCheck size={16} className="success" aria-label={t('changeRequest.passed')} />
          ) : (
            <CircleX size={16} className="danger" aria-label={t('changeRequest.failed')} />
          )}
          <span title={rule}>{message.replace(PREFIX, '')}</span>
        </li>
      ))}
    </ul>
  )
}
