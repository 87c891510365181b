// The words of mails to invited people, in each language of the workspace.
import type { MailLanguage } from '../accounts/mail-language.ts'

type Texts = {
  readonly subject: (name: string, organization: string) => string
  readonly invited: (name: string, organization: string) => string
  readonly choosePassword: string
  readonly once: string
  readonly signIn: string
  readonly unknown: string
}

export const INVITATION_MAIL_TEXTS: Readonly<Record<MailLanguage, Texts>> = {
  en: {
    subject: (name, organization) => `${name} invited you to ${organization}`,
    invited: (name, organization) => `${name} invited you to “${organization}”.`,
    choosePassword: 'Choose a password to sign in:',
    once: 'This link works once, and for 7 days. It is meant only for you.',
    signIn: 'You already have an account, so sign in as usual:',
    unknown: 'If you do not know what this is about, leave it at that.',
  },
  de: {
    subject: (name, organization) => `${name} lädt Sie zu ${organization} ein`,
    invited: (name, organization) => `${name} lädt Sie zu „${organization}“ ein.`,
    choosePassword: 'Wählen Sie ein Passwort, um sich anzumelden:',
    once: 'Dieser Link gilt einmal und 7 Tage lang. Er ist nur für Sie bestimmt.',
    signIn: 'Sie haben schon ein Konto. Melden Sie sich wie gewohnt an:',
    unknown: 'Wenn Sie nicht wissen, worum es geht, brauchen Sie nichts zu tun.',
  },
}
