// What the pages of the password say: the page of a link to choose one, that of a forgotten one, and that of the account.
import { REQUESTED_LINK_HOURS_MAX } from '../../api/sessions/password-links.ts'
import { RESET_MAILS_MAX } from '../../api/sessions/password-reset.ts'
import { PASSWORD_CHARACTERS_MIN } from '../../api/sessions/passwords.ts'
import type { Html } from '../../base/html.ts'
import { html } from '../../base/html.ts'
import type { Language } from '../languages.ts'

const en = {
  error: 'error',
  email: 'Email address',
  signIn: 'Sign in',
  newPassword: 'New password',
  rule: `At least ${PASSWORD_CHARACTERS_MIN} characters. A few unrelated words make a good password.`,
  repeat: 'Confirm password',
  choose: 'Choose a password',
  chooseLead: 'You will be signed in here, and signed out everywhere else.',
  invited: (inviter: Html, organization: Html): Html =>
    html`${inviter} invited you to ${organization}. With a password you are signed in at once, and come back any time.`,
  save: 'Save password',
  unequal: 'The two passwords do not match.',
  gone: 'This link does not work',
  goneLead: 'This link has already been used, has expired, or was not copied completely. Ask for a new one.',
  closedTitle: 'No password',
  forgot: 'Forgot your password?',
  forgotLead:
    'We will email you a link to choose a new one. Until you do, your current password keeps working.',
  sendLink: 'Send link',
  sent: 'Check your email',
  sentLead: `If there is an account with this address, an email is on its way. The link in it works once, within ${REQUESTED_LINK_HOURS_MAX} hours.`,
  sentHint: `No email? Check your spam folder, and that you typed the address your account has here. We send at most ${RESET_MAILS_MAX} emails an hour to one address.`,
  mailless: 'This server does not send email. Ask its administrator for a link to choose a password.',
  prints: 'This command prints one:',
  crowded:
    'There were too many requests from your network. Wait an hour, or ask an administrator of this server for a link.',
  title: 'Your password',
  account: 'Your account',
  unverified: (email: Html): Html =>
    html`${email} is not verified, so you cannot join an organization through its email domain.`,
  verifyByMail: 'To verify it, have an email sent to it and choose a password with the link inside.',
  verifyByLink:
    'To verify it, ask an administrator of this server for a link, and choose a password with it.',
  sendVerification: 'Send verification email',
  change: 'Change it',
  changeLead: 'Changing it signs you out in all other browsers.',
  current: 'Current password',
  changePassword: 'Change password',
  none: 'You do not have a password.',
  noneMailless: 'Ask an administrator of this server for a link to choose one.',
  noneMailed: 'We can email you a link to choose one.',
  sendMeLink: 'Email me a link',
  currentWrong: 'The current password is wrong.',
  mailsSent: `We have already sent ${RESET_MAILS_MAX} emails to your address. Check your inbox, or wait an hour.`,
  limit: {
    organization:
      'You are signed in to one organization only, so you cannot change your password here. Sign in with it to do so.',
    scopes:
      'You are signed in with a token that has limited scopes, so you cannot change your password here. Sign in with it to do so.',
  },
  done: {
    password: 'Your password was changed, and you were signed out in all other browsers.',
    'reset-mail': 'An email with a link to choose a password is on its way to you.',
  },
}

export type PasswordWords = typeof en

const de: PasswordWords = {
  error: 'Fehler',
  email: 'E-Mail-Adresse',
  signIn: 'Anmelden',
  newPassword: 'Neues Passwort',
  rule: `Mindestens ${PASSWORD_CHARACTERS_MIN} Zeichen. Ein paar Wörter ohne Zusammenhang sind ein gutes Passwort.`,
  repeat: 'Passwort wiederholen',
  choose: 'Passwort wählen',
  chooseLead: 'Sie werden hier angemeldet und überall sonst abgemeldet.',
  invited: (inviter, organization) =>
    html`${inviter} lädt Sie zu ${organization} ein. Mit einem Passwort sind Sie sofort angemeldet und können jederzeit wiederkommen.`,
  save: 'Passwort speichern',
  unequal: 'Die beiden Passwörter stimmen nicht überein.',
  gone: 'Dieser Link funktioniert nicht',
  goneLead:
    'Dieser Link wurde schon benutzt, ist abgelaufen oder wurde nicht vollständig kopiert. Fordern Sie einen neuen an.',
  closedTitle: 'Kein Passwort',
  forgot: 'Passwort vergessen?',
  forgotLead:
    'Wir senden Ihnen einen Link, mit dem Sie ein neues wählen. Bis dahin gilt Ihr jetziges Passwort.',
  sendLink: 'Link senden',
  sent: 'Sehen Sie in Ihrem Postfach nach',
  sentLead: `Wenn es ein Konto mit dieser Adresse gibt, ist eine E-Mail unterwegs. Der Link darin gilt einmal, ${REQUESTED_LINK_HOURS_MAX} Stunden lang.`,
  sentHint: `Keine E-Mail? Sehen Sie im Spam-Ordner nach, und ob es die Adresse ist, die Ihr Konto hier hat. Wir senden höchstens ${RESET_MAILS_MAX} E-Mails je Stunde an eine Adresse.`,
  mailless:
    'Dieser Server versendet keine E-Mails. Bitten Sie seine Administration um einen Link, um ein Passwort zu wählen.',
  prints: 'Dieser Befehl gibt einen aus:',
  crowded:
    'Aus Ihrem Netz kamen zu viele Anfragen. Warten Sie eine Stunde, oder bitten Sie die Administration dieses Servers um einen Link.',
  title: 'Ihr Passwort',
  account: 'Ihr Konto',
  unverified: email =>
    html`${email} ist nicht bestätigt, daher können Sie keiner Organisation über ihre E-Mail-Domain beitreten.`,
  verifyByMail:
    'Um sie zu bestätigen, lassen Sie sich eine E-Mail senden und wählen Sie mit dem Link darin ein Passwort.',
  verifyByLink:
    'Um sie zu bestätigen, bitten Sie die Administration dieses Servers um einen Link und wählen Sie damit ein Passwort.',
  sendVerification: 'E-Mail zur Bestätigung senden',
  change: 'Passwort ändern',
  changeLead: 'Mit der Änderung werden Sie in allen anderen Browsern abgemeldet.',
  current: 'Jetziges Passwort',
  changePassword: 'Passwort ändern',
  none: 'Sie haben kein Passwort.',
  noneMailless: 'Bitten Sie die Administration dieses Servers um einen Link, um eines zu wählen.',
  noneMailed: 'Wir können Ihnen einen Link senden, mit dem Sie eines wählen.',
  sendMeLink: 'Link an mich senden',
  currentWrong: 'Das jetzige Passwort ist falsch.',
  mailsSent: `Wir haben Ihnen schon ${RESET_MAILS_MAX} E-Mails gesendet. Sehen Sie in Ihrem Postfach nach, oder warten Sie eine Stunde.`,
  limit: {
    organization:
      'Sie sind nur bei einer Organisation angemeldet und können Ihr Passwort hier daher nicht ändern. Melden Sie sich dafür mit dem Passwort an.',
    scopes:
      'Sie sind mit einem eingeschränkten Token angemeldet und können Ihr Passwort hier daher nicht ändern. Melden Sie sich dafür mit dem Passwort an.',
  },
  done: {
    password: 'Ihr Passwort ist geändert, und Sie sind in allen anderen Browsern abgemeldet.',
    'reset-mail': 'Eine E-Mail mit einem Link, um ein Passwort zu wählen, ist unterwegs zu Ihnen.',
  },
}

export const PASSWORD_WORDS: Readonly<Record<Language, PasswordWords>> = { en, de }
