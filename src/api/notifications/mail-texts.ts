// The words of mails, in each language of the workspace.
import type { MailLanguage } from '../accounts/mail-language.ts'
import type { NotificationKind } from './schema.ts'

export type MailTexts = {
  /** What happened; `name` did it. */
  readonly kinds: Readonly<Record<NotificationKind, (name: string) => string>>
  readonly somebody: string
  readonly untitled: string
  readonly subject: (count: number) => string
  readonly more: (count: number) => string
  readonly settings: string
}

export const MAIL_TEXTS: Readonly<Record<MailLanguage, MailTexts>> = {
  en: {
    kinds: {
      mention: name => `${name} mentioned you`,
      'review-requested': name => `${name} asks for your review`,
      'review-given': name => `${name} reviewed your change request`,
      comment: name => `${name} wrote a comment`,
      merged: name => `${name} merged a change request`,
      conflict: () => 'Your change request has conflicts',
      'import-failed': () => 'An import failed',
    },
    somebody: 'Somebody',
    untitled: 'Untitled',
    subject: count => `${count} notifications`,
    more: count => (count === 1 ? 'And one more:' : `And ${count} more:`),
    settings: 'Choose what you are told:',
  },
  de: {
    kinds: {
      mention: name => `${name} hat Sie erwähnt`,
      'review-requested': name => `${name} bittet Sie um ein Review`,
      'review-given': name => `${name} hat Ihrem Change Request ein Review gegeben`,
      comment: name => `${name} hat etwas kommentiert`,
      merged: name => `${name} hat einen Change Request gemergt`,
      conflict: () => 'Ihr Change Request hat Konflikte',
      'import-failed': () => 'Ein Import ist fehlgeschlagen',
    },
    somebody: 'Jemand',
    untitled: 'Ohne Titel',
    subject: count => `${count} Mitteilungen`,
    more: count => (count === 1 ? 'Und eine weitere:' : `Und ${count} weitere:`),
    settings: 'Mitteilungen auswählen:',
  },
}
