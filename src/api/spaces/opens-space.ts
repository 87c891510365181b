// Which bodies give a space away: people without an account may read it, or every member is an admin of it.
import { makesAdmin } from '../organizations/makes-admin.ts'

const OPEN: ReadonlySet<unknown> = new Set(['public', 'unlisted', 'share-link', 'visitor-auth'])

export const opensSpace = makesAdmin<{ readonly defaultLevel?: unknown; readonly visibility?: unknown }>(
  ({ defaultLevel }) => [defaultLevel],
  {
    when: 'makes it public, unlisted or open to visitors',
    is: ({ visibility }) => OPEN.has(visibility),
  },
)
