// The words of mails about the second factor, in each language of the workspace.
import type { MailLanguage } from '../accounts/mail-language.ts'
import { LOCK_MINUTES, TRIES_MAX } from './lockout.ts'

export type FactorChange =
  | 'totp_added'
  | 'totp_removed'
  | 'passkey_added'
  | 'passkey_removed'
  | 'codes_renewed'
  | 'code_used'
  | 'locked'
  | 'reset'

type Texts = {
  readonly subject: string
  readonly changes: Readonly<Record<FactorChange, string>>
  readonly notYou: string
}

export const FACTOR_MAIL_TEXTS: Readonly<Record<MailLanguage, Texts>> = {
  en: {
    subject: 'Two-step sign-in',
    changes: {
      totp_added: 'An authenticator app was added to your account.',
      totp_removed: 'The authenticator app was removed from your account.',
      passkey_added: 'A passkey was added to your account.',
      passkey_removed: 'A passkey was removed from your account.',
      codes_renewed: 'Your account has new recovery codes. The earlier ones no longer work.',
      code_used: 'Somebody signed in to your account with your password and a recovery code.',
      locked: `Somebody entered your password and then ${TRIES_MAX} wrong codes. For ${LOCK_MINUTES} minutes codes are refused.`,
      reset:
        'The second factor of your account was removed by an administrator, and you were signed out everywhere. Your password alone signs you in now.',
    },
    notYou: 'If this was not you, change your password and tell an administrator.',
  },
  de: {
    subject: 'Anmeldung in zwei Schritten',
    changes: {
      totp_added: 'Ihrem Konto wurde eine Authenticator-App hinzugefügt.',
      totp_removed: 'Die Authenticator-App wurde aus Ihrem Konto entfernt.',
      passkey_added: 'Ihrem Konto wurde ein Passkey hinzugefügt.',
      passkey_removed: 'Ein Passkey wurde aus Ihrem Konto entfernt.',
      codes_renewed: 'Ihr Konto hat neue Wiederherstellungscodes. Die bisherigen gelten nicht mehr.',
      code_used:
        'Jemand hat sich mit Ihrem Passwort und einem Wiederherstellungscode bei Ihrem Konto angemeldet.',
      locked: `Jemand hat Ihr Passwort und danach ${TRIES_MAX} falsche Codes eingegeben. ${LOCK_MINUTES} Minuten lang werden keine Codes angenommen.`,
      reset:
        'Eine Administratorin oder ein Administrator hat den zweiten Schritt Ihres Kontos entfernt und Sie überall abgemeldet. Ihr Passwort allein meldet Sie jetzt an.',
    },
    notYou:
      'Wenn Sie das nicht waren, ändern Sie Ihr Passwort und benachrichtigen Sie eine Administratorin oder einen Administrator.',
  },
}
