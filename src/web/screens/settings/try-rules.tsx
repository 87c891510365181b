// What the merge rules of a space say of one of its open change requests.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import Check from 'lucide-react/icons/check'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { changeRequestsOfSpace } from '../../data/change-requests.ts'
import { testedRules } from '../../data/settings.ts'
import type { Space } from '../../data/spaces.ts'
import { t } from '../../messages/messages.ts'
import Choice from '../../parts/choice.tsx'
import { sayRule } from '../../parts/rules.ts'
import { Loaded } from '../../parts/state.tsx'

export function TryRules({ of }: { readonly of: Space }) {
  const { data } = useInfiniteQuery(changeRequestsOfSpace(of.id, { status: 'open' }))
  const [chosen, setChosen] = useState<string>()
  const open = data?.pages.flatMap(page => page.items) ?? []
  if (open.length === 0) return null
  return (
    <>
      <Choice
        label={t('settings.try')}
        options={open.map(({ id, number, subject }) => ({ id, name: `#${number} ${subject}`.trim() }))}
        chosen={chosen}
        onChange={setChosen}
      />
      {chosen !== undefined && <Outcomes of={of} changeRequestId={chosen} />}
    </>
  )
}

type OutcomesProps = { readonly of: Space; readonly changeRequestId: string }

const Outcomes = ({ of, changeRequestId }: OutcomesProps) => (
  <Loaded query={useQuery(testedRules(of, changeRequestId))} lines={2}>
    {({ rules }) =>
      rules.length === 0 ? (
        <p className="soft">{t('settings.noRules')}</p>
      ) : (
        <div className="stack-small" role="status">
          <p className="soft">{t('settings.tryText')}</p>
          <ul role="list" className="card rows" aria-label={t('settings.try')}>
            {rules.map((outcome, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a rule has no other identity
              <li key={at} className="rows-row">
                {outcome.passed ? <Check size={16} aria-hidden /> : <X size={16} aria-hidden />}
                <span className="visually-hidden">
                  {t(outcome.passed ? 'settings.passes' : 'settings.fails')}
                </span>
                <span className="grow">{sayRule(outcome)}</span>
              </li>
            ))}
          </ul>
        </div>
      )
    }
  </Loaded>
)
