// A key that the English texts lack does not compile.
import 'i18next'
import type blocks from './blocks.en.json'
import type confirm from './confirm.en.json'
import type edit from './edit.en.json'
import type editor from './editor.en.json'
import type en from './en.json'
import type files from './files.en.json'
import type firstSteps from './first-steps.en.json'
import type history from './history.en.json'
import type me from './me.en.json'
import type newSpace from './new.en.json'
import type notificationSettings from './notification-settings.en.json'
import type notifications from './notifications.en.json'
import type people from './people.en.json'
import type search from './search.en.json'
import type settings from './settings.en.json'
import type shareLinks from './share-links.en.json'
import type signOut from './sign-out.en.json'
import type tree from './tree.en.json'
import type underWay from './under-way.en.json'
import type unsent from './unsent.en.json'

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: {
      translation: typeof en &
        typeof blocks &
        typeof confirm &
        typeof edit &
        typeof editor &
        typeof files &
        typeof firstSteps &
        typeof history &
        typeof me &
        typeof newSpace &
        typeof notificationSettings &
        typeof notifications &
        typeof people &
        typeof search &
        typeof settings &
        typeof shareLinks &
        typeof signOut &
        typeof tree &
        typeof underWay &
        typeof unsent
    }
  }
}
