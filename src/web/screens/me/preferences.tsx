// How the workspace looks and listens on this device.
import { useState } from 'react'
import { Switch } from 'react-aria-components/Switch'
import { chooseLook, currentLook, LOOKS } from '../../data/look.ts'
import { chooseLanguage, language, languages, nameOfLanguage, t } from '../../messages/messages.ts'
import { MenuChoice } from '../../parts/menu-choice.tsx'
import { setShortcuts, useShortcutsSetting } from '../../parts/shortcuts.ts'

export function Preferences() {
  const [look, setLook] = useState(currentLook)
  const isOn = useShortcutsSetting()
  return (
    <section className="stack" aria-label={t('me.preferences')}>
      <h2>{t('me.preferences')}</h2>
      <div className="row">
        <span className="grow">{t('me.look')}</span>
        <MenuChoice
          label={t('me.look')}
          options={LOOKS.map(id => ({ id, title: t(`account.looks.${id}`) }))}
          chosen={look}
          onChange={next => {
            chooseLook(next)
            setLook(next)
          }}
        />
      </div>
      <div className="row">
        <span className="grow">{t('me.language')}</span>
        <MenuChoice
          label={t('me.language')}
          options={languages.map(id => ({ id, title: nameOfLanguage(id) }))}
          chosen={language}
          onChange={chooseLanguage}
        />
      </div>
      <div className="row">
        <p className="grow">
          {t('me.keys')} <span className="setting-text">{t('me.keysText')}</span>
        </p>
        <Switch className="switch" aria-label={t('me.keys')} isSelected={isOn} onChange={setShortcuts}>
          <span className="switch-track" />
        </Switch>
      </div>
    </section>
  )
}
