// Somebody who sets up a second factor in the pages of a server at `http://localhost`.
import { Secret, TOTP } from 'otpauth'
import { Authenticator, type Told } from './authenticator.ts'
import { givePassword, type Shown, signInAs, Tab } from './sessions.ts'
import type { PersonName, World } from './world.ts'

export const SITE = 'http://localhost'
export const PASSWORD = 'rain on a tin roof'

/** A browser that sends its forms from the server's own address. */
export class OwnTab extends Tab {
  constructor(w: Pick<World, 'app'>) {
    super(w, SITE)
  }
}

export const SETTINGS = '/account/second-factor'
export const STEP = '/sign-in/second-factor'

/** Somebody who has just signed in with a password. */
export async function signedInTab(w: World, person: PersonName): Promise<OwnTab> {
  const { id, email } = w.people[person]
  await givePassword(w, id, PASSWORD)
  const tab = new OwnTab(w)
  await signInAs(tab, email, PASSWORD)
  await tab.get(SETTINGS)
  return tab
}

/** The code that an app with this key shows, so many periods from now. */
export const codeOf = (key: string, periods = 0): string =>
  new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp: Date.now() + periods * 30_000 })

export const keyIn = ({ text }: Shown): string => /factor-key">([A-Z2-7]+)</.exec(text)?.[1] ?? ''
export const codesIn = ({ text }: Shown): string[] =>
  [...text.matchAll(/<li>([0-9a-z]{5}-[0-9a-z]{5})<\/li>/g)].map(([, code = '']) => code)

/** Sets up an authenticator app; its key, and the recovery codes if it is the first factor. */
export async function setUpApp(tab: Tab): Promise<{ key: string; codes: string[] }> {
  await tab.post(SETTINGS, { act: 'begin-app' })
  const key = keyIn(await tab.get(SETTINGS))
  return { key, codes: codesIn(await tab.post(SETTINGS, { act: 'confirm-app', code: codeOf(key) })) }
}

/** Codes that were accepted are accepted again, as if time had passed. */
export const letTimePass = (w: World, person: PersonName) =>
  w.services.db
    .updateTable('totp_secrets')
    .set({ last_period: 0 })
    .where('user_id', '=', w.people[person].id)
    .execute()

/** What a page asks the browser for a passkey, as the authenticator is told. */
export function toldBy({ text }: Shown, changed: Partial<Told> = {}): Told {
  const options = /data-options="([^"]*)"/.exec(text)?.[1]?.replaceAll('&quot;', '"') ?? '{}'
  const { challenge = '' } = JSON.parse(options) as { challenge?: string }
  return { origin: SITE, rpId: 'localhost', challenge, ...changed }
}

export async function addPasskey(w: World, tab: OwnTab, person: PersonName, name = 'Laptop') {
  const authenticator = new Authenticator()
  authenticator.userHandle = Buffer.from(w.people[person].id).toString('base64url')
  const told = toldBy(await tab.get(SETTINGS))
  const answer = JSON.stringify(authenticator.register(told))
  return { authenticator, shown: await tab.post(SETTINGS, { act: 'add-passkey', name, answer }) }
}

/** A browser at the second step. */
export async function atStep(w: World, person: PersonName): Promise<OwnTab> {
  const tab = new OwnTab(w)
  await signInAs(tab, w.people[person].email, PASSWORD, '/w/me')
  await tab.get(`${STEP}?next=/w/me`)
  return tab
}

export const isSignedIn = (tab: Tab): boolean => tab.cookies.has('octavo_session')
