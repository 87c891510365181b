// The merge rules: how each came out, and why.
import { CircleCheck, CircleX } from 'lucide-react'
import type { Mergeability } from '../../data/change-request.ts'
import { t } from '../../messages/messages.ts'

const PREFIX = /^The merge rule \S+ does not allow it: /

export const Rules = ({ mergeability: { rules } }: { readonly mergeability: Mergeability }) =>
  rules.length === 0 ? null : (
    <section className="side-section" aria-labelledby="rules">
      <h2 id="rules">{t('changeRequest.rules')}</h2>
      {/* biome-ignore lint/a11y/noRedundantRoles: Safari takes the role of a list without marks away */}
      <ul role="list" className="side-list">
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
    </section>
  )
