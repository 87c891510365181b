// What the sign-in page says, and why somebody is not signed in.
import type { Closed } from '../../api/sessions/closed.ts'
import { LOCK_MINUTES, TRIES_MAX } from '../../api/sessions/lockout.ts'
import type { Language } from '../languages.ts'
import { WINDOW_MINUTES } from './attempts.ts'

const en = {
  signIn: 'Sign in',
  error: 'error',
  signedInAs: 'You are signed in as',
  account: 'Your account',
  email: 'Email address',
  password: 'Password',
  signInWith: (label: string) => `Sign in with ${label}`,
  withOrganization: 'Sign in with your organization',
  organization: 'Organization ID or hostname',
  organizationUnknown: 'No organization with this ID or hostname uses single sign-on.',
  continue: 'Continue',
  withToken: 'Use a token instead',
  token: 'Token',
  signInToken: 'Sign in with the token',
  tokenHint:
    'Use one of your personal tokens; this command creates one. You can see what the token can, until it expires.',
  tokenWrong: 'This token is unknown, expired or revoked, or does not allow reading spaces.',
  forgot: 'Forgot your password?',
  forgotHint: 'You can also choose your first password there.',
  noMail: 'No password yet, or forgot it? Ask an administrator of this server for a link to choose one.',
  /** The answer never reveals whether an account has this address. */
  wrong:
    'The email address or the password is wrong. If your organization uses single sign-on, sign in with that.',
  locked: `There were ${TRIES_MAX} failed attempts for this email address. Wait ${LOCK_MINUTES} minutes and try again.`,
  crowded: `There were too many failed attempts from your network. Wait ${WINDOW_MINUTES} minutes and try again.`,
  /** Shown only to somebody with the right password, passkey or link. */
  closed: {
    sso: 'Your organization uses single sign-on, so you cannot sign in with a password. Sign in with your organization.',
    disabled: 'Your membership has been disabled. Contact an administrator of your organization.',
  } satisfies Record<Closed, string>,
}

type SignInWords = typeof en

const de: SignInWords = {
  signIn: 'Anmelden',
  error: 'Fehler',
  signedInAs: 'Sie sind angemeldet als',
  account: 'Ihr Konto',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  signInWith: label => `Mit ${label} anmelden`,
  withOrganization: 'Bei Ihrer Organisation anmelden',
  organization: 'ID oder Hostname der Organisation',
  organizationUnknown: 'Keine Organisation mit dieser ID oder diesem Hostnamen hat eine eigene Anmeldung.',
  continue: 'Weiter',
  withToken: 'Stattdessen ein Token verwenden',
  token: 'Token',
  signInToken: 'Mit dem Token anmelden',
  tokenHint:
    'Verwenden Sie eines Ihrer persönlichen Tokens; dieser Befehl erzeugt eines. Sie sehen, was das Token darf, bis es abläuft.',
  tokenWrong: 'Dieses Token ist unbekannt, abgelaufen oder widerrufen, oder es darf keine Spaces lesen.',
  forgot: 'Passwort vergessen?',
  forgotHint: 'Dort wählen Sie auch Ihr erstes Passwort.',
  noMail:
    'Noch kein Passwort, oder vergessen? Bitten Sie eine Administratorin oder einen Administrator dieses Servers um einen Link, mit dem Sie eines wählen.',
  wrong:
    'Die E-Mail-Adresse oder das Passwort stimmt nicht. Wenn Ihre Organisation eine eigene Anmeldung hat, melden Sie sich dort an.',
  locked: `Für diese E-Mail-Adresse gab es ${TRIES_MAX} Fehlversuche. Warten Sie ${LOCK_MINUTES} Minuten und versuchen Sie es dann noch einmal.`,
  crowded: `Aus Ihrem Netz gab es zu viele Fehlversuche. Warten Sie ${WINDOW_MINUTES} Minuten und versuchen Sie es dann noch einmal.`,
  closed: {
    sso: 'Ihre Organisation hat eine eigene Anmeldung, daher können Sie sich nicht mit einem Passwort anmelden. Melden Sie sich bei Ihrer Organisation an.',
    disabled:
      'Ihre Mitgliedschaft wurde gesperrt. Wenden Sie sich an eine Administratorin oder einen Administrator Ihrer Organisation.',
  },
}

export const SIGN_IN_WORDS: Readonly<Record<Language, SignInWords>> = { en, de }
