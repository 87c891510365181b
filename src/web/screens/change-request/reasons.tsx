// What decides whether a merge may be: each rule with its outcome, and what else prevents it.

import CircleCheck from 'lucide-react/icons/circle-check'
import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import CircleX from 'lucide-react/icons/circle-x'
import type { Mergeability } from '../../data/change-request.ts'
import { t } from '../../messages/messages.ts'
import { sayObstacle } from '../../parts/refusals.ts'
import { sayRule } from '../../parts/rules.ts'

export const REASONS_ID = 'workspace:merge-reasons'

export function Reasons({ mergeability: { rules, obstacles } }: { readonly mergeability: Mergeability }) {
  const others = obstacles.filter(
    ({ reason }) => reason !== 'merge_rule_failed' && reason !== 'role_too_weak',
  )
  return (
    <ul role="list" id={REASONS_ID} className="side-list reasons" aria-label={t('changeRequest.rules')}>
      {others.map(obstacle => (
        <li key={obstacle.reason} className="side-item">
          <CircleAlert size={16} className="danger" aria-hidden />
          <span>{sayObstacle(obstacle)}</span>
        </li>
      ))}
      {rules.map((outcome, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a rule may be there twice, and their order stays
        <li key={index} className="side-item">
          {outcome.passed ? (
            <CircleCheck size={16} className="success" aria-label={t('changeRequest.passed')} />
          ) : (
            <CircleX size={16} className="danger" aria-label={t('changeRequest.failed')} />
          )}
          <span title={outcome.rule}>{sayRule(outcome)}</span>
        </li>
      ))}
    </ul>
  )
}
