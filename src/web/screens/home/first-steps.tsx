// What an organization without documentation begins with.
import { use } from 'react'
import { Link } from 'wouter'
import type { Organization } from '../../data/organization.ts'
import { firstStepTexts } from '../../messages/first-steps.ts'
import { t } from '../../messages/messages.ts'

const STEPS = [
  { name: 'git', href: '/w/new/git' },
  { name: 'upload', href: '/w/new/upload' },
  { name: 'write', href: '/w/new' },
  { name: 'invite', href: '/w/people' },
] as const

export default function FirstSteps({ of }: { readonly of: Organization }) {
  if (firstStepTexts !== undefined) use(firstStepTexts)
  return (
    <section className="stack" aria-label={t('firstSteps.title')}>
      <h2>{t('firstSteps.title')}</h2>
      <div className="cards">
        {STEPS.filter(({ name }) => name !== 'invite' || of.permissions.admin).map(({ name, href }) => (
          <Link key={name} href={href} className="card space-card">
            <span className="rows-title">{t(`firstSteps.${name}`)}</span>
            <span className="rows-facts">{t(`firstSteps.${name}Text`)}</span>
          </Link>
        ))}
      </div>
    </section>
  )
}
