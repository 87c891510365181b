// The name that others see, and the way to the password, which has a page outside the workspace.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { changeName } from '../../data/account.ts'
import type { Model } from '../../data/client.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { say, sayFailure } from '../../parts/toasts.tsx'

const NAME_CHARACTERS_MAX = 64
const PASSWORD_PAGE = '/account/password'

export function Profile({ person }: { readonly person: Model<'User'> }) {
  const [name, setName] = useState(person.displayName)
  const { mutate, isPending } = useMutation({
    mutationFn: () => changeName(person.id, name.trim()),
    onSuccess: () => say(t('me.saved')),
    onError: sayFailure,
  })
  const isChanged = name.trim() !== '' && name.trim() !== person.displayName
  return (
    <section className="stack" aria-label={t('me.profile')}>
      <h2>{t('me.profile')}</h2>
      <form
        className="row row-end"
        onSubmit={event => {
          event.preventDefault()
          if (isChanged) mutate()
        }}
      >
        <div className="grow">
          <Field
            label={t('me.name')}
            value={name}
            onChange={setName}
            maxLength={NAME_CHARACTERS_MAX}
            autoComplete="name"
          />
        </div>
        <Button type="submit" isPending={isPending} isDisabled={!isChanged}>
          {t('me.save')}
        </Button>
      </form>
      {person.email !== undefined && <p className="soft">{t('me.email', { email: person.email })}</p>}
      <div className="row">
        <p className="grow soft">{t('me.passwordText')}</p>
        <a className="button" href={PASSWORD_PAGE}>
          {t('me.passwordLink')}
        </a>
      </div>
    </section>
  )
}
