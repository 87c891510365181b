// The end of a space. Its title is typed, so that it is not another one that goes.
import { useState } from 'react'
import { useLocation } from 'wouter'
import { deleteSpace, restoreSpace } from '../../data/settings.ts'
import type { Space } from '../../data/spaces.ts'
import { isolated, t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { Question } from '../../parts/question.tsx'
import { say, sayFailure } from '../../parts/toasts.tsx'

/** As the server keeps it. */
const RESTORE_WINDOW_DAYS = 7

export function Danger({ of }: { readonly of: Space }) {
  const [isAsked, setAsked] = useState(false)
  const [typed, setTyped] = useState('')
  const [, navigate] = useLocation()
  // One without a title is known by its id.
  const name = of.title.trim() === '' ? of.id : of.title.trim()
  return (
    <section className="stack" aria-label={t('settings.danger')}>
      <h2>{t('settings.danger')}</h2>
      <div className="row">
        <p className="grow soft">{t('settings.deleteText', { days: RESTORE_WINDOW_DAYS })}</p>
        <Button look="danger" onPress={() => setAsked(true)}>
          {t('settings.delete')}
        </Button>
      </div>
      {isAsked && (
        <Question
          title={t('settings.deleteTitle', { title: isolated(name) })}
          verb={t('settings.delete')}
          isReady={typed.trim() === name}
          act={() => deleteSpace(of.id)}
          onDone={() => {
            say(t('settings.deleted', { title: isolated(name) }), {
              label: t('settings.restore'),
              run: () =>
                void restoreSpace(of.id).then(
                  () => say(t('settings.restored', { title: isolated(name) })),
                  sayFailure,
                ),
            })
            navigate('/w')
          }}
          onClose={() => {
            setTyped('')
            setAsked(false)
          }}
        >
          <p className="soft">{t('settings.deleteText', { days: RESTORE_WINDOW_DAYS })}</p>
          <Field
            label={t('settings.deleteType', { title: isolated(name) })}
            value={typed}
            onChange={setTyped}
            autoFocus
          />
        </Question>
      )}
    </section>
  )
}
