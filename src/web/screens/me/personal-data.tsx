// A copy of everything that is known of the person, and the end of their account.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { downloadAccount, eraseAccount } from '../../data/account.ts'
import type { Model } from '../../data/client.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { Question } from '../../parts/question.tsx'
import { sayFailure } from '../../parts/toasts.tsx'

export function PersonalData({ person }: { readonly person: Model<'User'> }) {
  const [isAsked, setAsked] = useState(false)
  const [typed, setTyped] = useState('')
  const download = useMutation({ mutationFn: downloadAccount, onError: sayFailure })
  const { email = '' } = person
  return (
    <section className="stack" aria-label={t('me.data')}>
      <h2>{t('me.data')}</h2>
      <div className="row">
        <p className="grow soft">{t('me.exportText')}</p>
        <Button isPending={download.isPending} onPress={() => download.mutate(person.id)}>
          {t('me.export')}
        </Button>
      </div>
      <div className="row">
        <p className="grow soft">{t('me.eraseText')}</p>
        <Button look="danger" onPress={() => setAsked(true)}>
          {t('me.erase')}
        </Button>
      </div>
      {isAsked && (
        <Question
          title={t('me.eraseTitle')}
          verb={t('me.erase')}
          isReady={email !== '' && typed.trim().toLowerCase() === email.toLowerCase()}
          act={() => eraseAccount(person.id, email)}
          // Whatever is on the screen belonged to somebody who is no more.
          onDone={() => location.assign('/')}
          onClose={() => {
            setTyped('')
            setAsked(false)
          }}
        >
          <p className="soft">{t('me.eraseWhat')}</p>
          <Field
            label={t('me.eraseType', { email })}
            value={typed}
            onChange={setTyped}
            autoComplete="off"
            autoFocus
          />
        </Question>
      )}
    </section>
  )
}
