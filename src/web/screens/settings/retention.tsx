// How long the organization keeps its audit and its conversations.
import { useState } from 'react'
import type { Organization } from '../../data/organization.ts'
import { changeOrganization } from '../../data/settings.ts'
import { t } from '../../messages/messages.ts'
import { MenuChoice } from '../../parts/menu-choice.tsx'
import { Question } from '../../parts/question.tsx'
import { say, sayFailure } from '../../parts/toasts.tsx'

type Kept = 'auditDays' | 'conversationDays'

const FOR_EVER = 'null'
const DAYS = ['30', '90', '180', '365', '730', '1825', '3650'] as const

const DAYS_OF_YEAR = 365

function titleOf(id: string): string {
  if (id === FOR_EVER) return t('settings.keptForEver')
  const days = Number(id)
  return days % DAYS_OF_YEAR === 0
    ? t('settings.years', { count: days / DAYS_OF_YEAR })
    : t('settings.days', { count: days })
}

export function Retention({ of }: { readonly of: Organization }) {
  return (
    <section className="stack" aria-label={t('settings.retention')}>
      <h2>{t('settings.retention')}</h2>
      <p className="soft">{t('settings.retentionText')}</p>
      <Days of={of} kept="auditDays" label={t('settings.auditDays')} text={t('settings.auditDaysText')} />
      <Days
        of={of}
        kept="conversationDays"
        label={t('settings.conversationDays')}
        text={t('settings.conversationDaysText')}
      />
    </section>
  )
}

type DaysProps = {
  readonly of: Organization
  readonly kept: Kept
  readonly label: string
  readonly text: string
}

function Days({ of, kept, label, text }: DaysProps) {
  const [asked, setAsked] = useState<string>()
  const chosen = String(of.retention[kept])
  const set = (id: string) =>
    changeOrganization(of.id, { retention: { [kept]: id === FOR_EVER ? null : Number(id) } })
  // A number that a program has set.
  const ids = [...new Set([FOR_EVER, ...DAYS, chosen])].sort((one, other) => lengthOf(one) - lengthOf(other))
  const choose = (id: string) => {
    if (lengthOf(id) < lengthOf(chosen)) setAsked(id)
    else set(id).then(() => say(t('settings.saved')), sayFailure)
  }
  return (
    <div className="row">
      <p className="grow">
        {label} <span className="setting-text">{text}</span>
      </p>
      <MenuChoice
        label={label}
        options={ids.map(id => ({ id, title: titleOf(id) }))}
        chosen={chosen}
        onChange={choose}
      />
      {asked !== undefined && (
        <Question
          title={`${label} ${t('settings.letGoTitle', { days: titleOf(asked) })}`}
          verb={t('settings.letGo')}
          act={() => set(asked)}
          onDone={() => {
            setAsked(undefined)
            say(t('settings.saved'))
          }}
          onClose={() => setAsked(undefined)}
        >
          <p className="soft">{t('settings.letGoText')}</p>
        </Question>
      )}
    </div>
  )
}

const lengthOf = (id: string): number => (id === FOR_EVER ? Number.POSITIVE_INFINITY : Number(id))
