// What a person sets for themself: name, tokens, programs, browsers, look, language and keys.
import { useSuspenseQuery } from '@tanstack/react-query'
import { use } from 'react'
import { me } from '../../data/people.ts'
import { meTexts } from '../../messages/me.ts'
import { t } from '../../messages/messages.ts'
import { Screen } from '../../parts/screen.tsx'
import { NotificationSettings } from '../notifications/settings.tsx'
import { PersonalData } from './personal-data.tsx'
import { Preferences } from './preferences.tsx'
import { Profile } from './profile.tsx'
import { Programs } from './programs.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Sessions } from './sessions.tsx'
import { Tokens } from './tokens.tsx'

export function Me() {
  if (meTexts !== undefined) use(meTexts)
  const person = useSuspenseQuery(me).data
  return (
    <Screen title={t('me.title')}>
      <Profile person={person} />
      <SecondFactor />
      <Tokens />
      <Programs />
      <Sessions />
      <Preferences />
      <NotificationSettings />
      <PersonalData person={person} />
    </Screen>
  )
}
