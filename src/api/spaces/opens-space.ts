// Which bodies give a space away: everybody may read it, or every member is an admin of it.
import { makesAdmin } from '../organizations/makes-admin.ts'

const OPEN: ReadonlySet<unknown> = new Set(['public', 'unlisted'])

export const opensSpace = makesAdmin<{ readonly defaultLevel?: unknown; readonly visibility?: unknown }>(
  ({ defaultLevel }) => [defaultLevel],
  { when: 'makes it public', is: ({ visibility }) => OPEN.has(visibility) },
)
