// What an organization is called, how people come into it, and the rules that its spaces have if they have none of their
// own.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Switch } from 'react-aria-components/Switch'
import type { Organization } from '../../data/organization.ts'
import { changeOrganization } from '../../data/settings.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { RoleChoice } from '../../parts/role-choice.tsx'
import { Empty } from '../../parts/state.tsx'
import { say, sayFailure } from '../../parts/toasts.tsx'
import { PeopleScreen } from '../people/people-screen.tsx'
import { DeletedSpaces } from './deleted-spaces.tsx'
import { Directory } from './directory.tsx'
import { MergeRules } from './merge-rules.tsx'
import { Retention } from './retention.tsx'

export function OrganizationSettings() {
  return (
    <PeopleScreen view="org" actions={() => undefined}>
      {of =>
        of.permissions.admin ? <Settings key={of.id} of={of} /> : <Empty text={t('settings.notAdmin')} />
      }
    </PeopleScreen>
  )
}

const TITLE_CHARACTERS_MAX = 255
const TITLE_CHARACTERS_MIN = 2

function Settings({ of }: { readonly of: Organization }) {
  const [title, setTitle] = useState(of.title)
  const { mutate, isPending } = useMutation({
    mutationFn: (body: Parameters<typeof changeOrganization>[1]) => changeOrganization(of.id, body),
    onSuccess: () => say(t('settings.saved')),
    onError: sayFailure,
  })
  const isChanged = title.trim().length >= TITLE_CHARACTERS_MIN && title.trim() !== of.title
  return (
    <>
      <section className="stack" aria-label={t('settings.general')}>
        <h2>{t('settings.general')}</h2>
        <form
          className="row row-end"
          onSubmit={event => {
            event.preventDefault()
            if (isChanged) mutate({ title: title.trim() })
          }}
        >
          <div className="grow">
            <Field
              label={t('settings.name')}
              value={title}
              onChange={setTitle}
              maxLength={TITLE_CHARACTERS_MAX}
            />
          </div>
          <Button type="submit" isPending={isPending} isDisabled={!isChanged}>
            {t('settings.save')}
          </Button>
        </form>
        <div className="row">
          <p className="grow">
            {t('settings.defaultRole')} <span className="setting-text">{t('settings.defaultRoleText')}</span>
          </p>
          <RoleChoice
            label={t('settings.defaultRole')}
            chosen={of.defaultRole ?? null}
            none="guest"
            onChange={defaultRole => mutate({ defaultRole })}
          />
        </div>
        <div className="row">
          <p className="grow">
            {t('settings.inviteLinks')} <span className="setting-text">{t('settings.inviteLinksText')}</span>
          </p>
          <Switch
            className="switch"
            aria-label={t('settings.inviteLinks')}
            isSelected={of.inviteLinks}
            onChange={inviteLinks => mutate({ inviteLinks })}
          >
            <span className="switch-track" />
          </Switch>
        </div>
        <div className="row">
          <p className="grow">
            {t('settings.secondFactor')}{' '}
            <span className="setting-text">{t('settings.secondFactorText')}</span>
          </p>
          <Switch
            className="switch"
            aria-label={t('settings.secondFactor')}
            isSelected={of.secondFactor}
            onChange={secondFactor => mutate({ secondFactor })}
          >
            <span className="switch-track" />
          </Switch>
        </div>
      </section>
      <MergeRules
        value={of.mergeRules}
        types={['none', 'rules']}
        organizationId={of.id}
        onSave={mergeRules => changeOrganization(of.id, { mergeRules })}
      />
      <Directory organizationId={of.id} />
      <Retention of={of} />
      <DeletedSpaces organizationId={of.id} />
    </>
  )
}
