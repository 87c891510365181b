// What can be done from anywhere: offered by the palette, and by keys.
import { chooseLook } from '../data/look.ts'
import { t } from '../messages/messages.ts'
import type { Entry } from '../screens/palette/entries.ts'
import { signOut } from './sign-out.ts'

export const actionsFor = (mayCreate: boolean, openKeyboard: () => void): readonly Entry[] => [
  { id: 'home', title: t('palette.goHome'), href: '/w', keys: 'g h' },
  { id: 'change-requests', title: t('palette.goChangeRequests'), href: '/w/c', keys: 'g c' },
  ...(mayCreate ? [{ id: 'new', title: t('home.newSpace'), href: '/w/new' }] : []),
  { id: 'notifications', title: t('palette.goNotifications'), href: '/w/inbox', keys: 'g i' },
  { id: 'keyboard', title: t('keyboard.title'), run: openKeyboard, keys: '?' },
  { id: 'light', title: t('palette.light'), run: () => chooseLook('light') },
  { id: 'dark', title: t('palette.dark'), run: () => chooseLook('dark') },
  { id: 'device', title: t('palette.device'), run: () => chooseLook('system') },
  { id: 'sign-out', title: t('account.signOut'), run: signOut },
]
