// The words of mails with a link to choose a password, in each language of the workspace.
import type { MailLanguage } from '../accounts/mail-language.ts'
import type { Closed } from './closed.ts'
import { REQUESTED_LINK_HOURS_MAX } from './password-links.ts'

type Texts = {
  readonly subject: string
  readonly asked: (address: string) => string
  readonly link: string
  readonly ignore: string
  readonly noLink: Readonly<Record<Closed, string>>
}

export const PASSWORD_MAIL_TEXTS: Readonly<Record<MailLanguage, Texts>> = {
  en: {
    subject: 'Choose a password',
    asked: address => `Someone, probably you, asked for a link to choose a password at ${address}`,
    link: `The link works once, within ${REQUESTED_LINK_HOURS_MAX} hours. Do not share it: anyone who has it can choose your password.`,
    ignore: 'If you did not ask for it, ignore this email. Nothing will change.',
    noLink: {
      sso: 'You cannot sign in with a password, because your organization uses single sign-on. Sign in with your organization there.',
      disabled:
        'You cannot sign in with a password, because your membership has been disabled. Contact an administrator of your organization.',
    },
  },
  de: {
    subject: 'Passwort wählen',
    asked: address =>
      `Jemand, vermutlich Sie, hat einen Link angefordert, um ein Passwort zu wählen, und zwar bei ${address}`,
    link: `Der Link gilt einmal, ${REQUESTED_LINK_HOURS_MAX} Stunden lang. Geben Sie ihn nicht weiter: Wer ihn hat, kann Ihr Passwort wählen.`,
    ignore: 'Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese E-Mail. Dann ändert sich nichts.',
    noLink: {
      sso: 'Sie können sich nicht mit einem Passwort anmelden, weil Ihre Organisation eine eigene Anmeldung hat. Melden Sie sich dort bei Ihrer Organisation an.',
      disabled:
        'Sie können sich nicht mit einem Passwort anmelden, weil Ihre Mitgliedschaft deaktiviert wurde. Wenden Sie sich an die Administration Ihrer Organisation.',
    },
  },
}
