// What the person is told of, and how: a section of a screen.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { use, useEffect, useRef } from 'react'
import { Switch } from 'react-aria-components/Switch'
import { useLocation } from 'wouter'
import {
  changeNotificationSettings,
  type NotificationKind,
  notificationSettings,
  type NotificationSettings as Settings,
} from '../../data/notifications.ts'
import { languages, nameOfLanguage, t } from '../../messages/messages.ts'
import { notificationSettingsTexts } from '../../messages/notification-settings.ts'
import { MenuChoice } from '../../parts/menu-choice.tsx'
import { Loaded } from '../../parts/state.tsx'
import { sayFailure } from '../../parts/toasts.tsx'
import { Watched } from './watched.tsx'

const KINDS: readonly NotificationKind[] = [
  'mention',
  'review-requested',
  'review-given',
  'comment',
  'merged',
  'conflict',
  'import-failed',
]

/** Mails lead there. */
const NOTIFICATION_SETTINGS_PATH = '/w/me/notifications'

export function NotificationSettings() {
  if (notificationSettingsTexts !== undefined) use(notificationSettingsTexts)
  const query = useQuery(notificationSettings)
  const section = useRef<HTMLElement>(null)
  const isAskedFor = useLocation()[0] === NOTIFICATION_SETTINGS_PATH
  useEffect(() => {
    if (isAskedFor && query.isSuccess) section.current?.scrollIntoView()
  }, [isAskedFor, query.isSuccess])
  return (
    <section ref={section} className="stack" aria-label={t('notificationSettings.title')}>
      <h2>{t('notificationSettings.title')}</h2>
      <p className="soft">{t('notificationSettings.text')}</p>
      <Loaded query={query} lines={7}>
        {settings => <Kinds of={settings} />}
      </Loaded>
      <Watched />
    </section>
  )
}

function Kinds({ of }: { readonly of: Settings }) {
  const cache = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: ({ language, kinds }: Settings) => changeNotificationSettings({ language, kinds }),
    // The switch moves at once, and back if that fails.
    onMutate: next => {
      cache.setQueryData(notificationSettings.queryKey, next)
    },
    onError: sayFailure,
    onSettled: () => cache.invalidateQueries({ queryKey: notificationSettings.queryKey }),
  })
  const ways = of.mail ? (['app', 'mail'] as const) : (['app'] as const)
  return (
    <>
      <table className="ways">
        <thead>
          <tr>
            <th scope="col">{t('notificationSettings.kind')}</th>
            {ways.map(way => (
              <th key={way} scope="col">
                {t(`notificationSettings.${way}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {KINDS.map(kind => (
            <tr key={kind}>
              <th scope="row">{t(`notificationSettings.${kind}`)}</th>
              {ways.map(way => (
                <td key={way}>
                  <Switch
                    className="switch"
                    aria-label={t(`notificationSettings.${way}Of`, {
                      kind: t(`notificationSettings.${kind}`),
                    })}
                    isSelected={of.kinds[kind][way]}
                    onChange={isOn =>
                      mutate({ ...of, kinds: { ...of.kinds, [kind]: { ...of.kinds[kind], [way]: isOn } } })
                    }
                  >
                    <span className="switch-track" />
                  </Switch>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {of.mail && (
        <div className="row">
          <span className="grow">{t('notificationSettings.language')}</span>
          <MenuChoice
            label={t('notificationSettings.language')}
            options={languages.map(id => ({ id, title: nameOfLanguage(id) }))}
            chosen={of.language}
            onChange={language => mutate({ ...of, language })}
          />
        </div>
      )}
      {!of.mail && <p className="soft">{t('notificationSettings.noMail')}</p>}
    </>
  )
}
