// What the pages of the second factor say.
import { LOCK_MINUTES, TRIES_MAX } from '../../api/sessions/lockout.ts'
import { RECOVERY_CODES } from '../../api/sessions/recovery-codes.ts'
import { STEP_MINUTES } from '../../api/sessions/second-step.ts'
import type { Language } from '../languages.ts'

const en = {
  error: 'error',
  stepTitle: 'Second step',
  stepLead: 'Your password is right. Now show that it is you.',
  code: 'Code of your authenticator app',
  codeHint: 'Six digits. Each code counts once; wait for the next one if you have just used it.',
  verify: 'Continue',
  usePasskey: 'Use a passkey',
  useRecovery: 'Use a recovery code instead',
  recovery: 'Recovery code',
  signInRecovery: 'Continue with the recovery code',
  lost: 'Lost all of them? An administrator of your organization, or the operator of this server, can reset your second step.',
  over: `This sign-in took longer than ${STEP_MINUTES} minutes, or was finished elsewhere. Sign in again.`,
  signIn: 'Sign in',
  back: 'Back to sign-in',
  wrong: {
    totp: 'This is not the current code, or it was used already. Wait for the next one.',
    recovery_code: 'This is not one of your recovery codes, or it was used already.',
    passkey: 'The passkey was not accepted. Try again, or use another.',
  },
  locked: `There were ${TRIES_MAX} wrong codes. Wait ${LOCK_MINUTES} minutes and try again, or use a passkey.`,
  signInPasskey: 'Sign in with a passkey',
  passkeyUnknown: 'This passkey was not accepted here. Sign in with your password.',
  passkeyFailed: {
    get: 'No passkey was shown: it was cancelled, or this device has none for this address.',
    create: 'No passkey was made: it was cancelled, or this device has one of your account already.',
  },
  noScript: 'Passkeys need JavaScript.',
  title: 'Two-step sign-in',
  account: 'Your account',
  lead: 'Besides your password, signing in asks for something that you have: a code of an app, or a passkey.',
  isOn: 'On',
  isOff: 'Off: your password alone signs you in',
  demanded: (titles: string) =>
    `${titles}: a second step is demanded here. Set one up, then everything of it opens.`,
  limited:
    'You are signed in with less than all of your rights: by an organization, or with a narrowed token. Sign in with your password to change this.',
  byToken:
    'You are signed in with a token. It opens no organization that demands a second step, and changes nothing here. Sign in with your password, or with your organization.',
  provider:
    'You sign in with the identity provider of your organization, which has a second step of its own.',
  passwordless: 'This is for people with a password, and you have none.',
  confirmFirst: 'Confirm who you are to change anything here.',
  confirm: 'Confirm who you are',
  confirmTitle: 'Confirm who you are',
  confirmLead:
    'What you are about to do reaches further than this session. You are not asked again for ten minutes.',
  password: 'Your password',
  token: 'The token that you signed in with',
  confirmWrong: {
    password: 'This is not your password.',
    token: 'This is not the token that you signed in with.',
    passkey: 'The passkey was not accepted.',
  },
  confirmPasskey: 'Confirm with a passkey',
  app: 'Authenticator app',
  appText: 'An app on your phone shows a new code every thirty seconds.',
  appOn: 'An authenticator app is set up.',
  appBegin: 'Set up an authenticator app',
  appRemove: 'Remove the authenticator app',
  appScan: 'Scan this with the app, or type the key, then enter the code that the app shows.',
  appQr: 'QR code with the key',
  appKey: 'Key',
  appConfirm: 'Confirm the code',
  passkeys: 'Passkeys',
  passkeysText:
    'A passkey is kept by your device, your password manager or a security key. It works on this site alone, so nobody can fish for it, and signs you in without a password too.',
  passkeyName: 'Name of the new passkey',
  passkeyNameHint: 'Where it is, as “Laptop”.',
  passkeyAdd: 'Add a passkey',
  passkeyRemove: (name: string) => `Remove ${name}`,
  passkeyNever: 'never used',
  passkeyUsed: 'last used',
  passkeyMade: 'added',
  passkeyNowhere:
    'Passkeys need an address with https and a name. On this machine, open the server as localhost.',
  codes: 'Recovery codes',
  codesText: (left: number) =>
    `${left} of ${RECOVERY_CODES} are left. Each signs you in once when you have neither the app nor a passkey.`,
  codesFew: 'Few are left. Make new ones, and keep them.',
  codesNone: 'You get them with the first app or passkey.',
  codesRenew: 'Make new recovery codes',
  codesTitle: 'Your recovery codes',
  codesOnce:
    'Keep them where you find them without this device: print them, or put them into a password manager. They are shown only now. Each counts once.',
  codesDone: 'I have kept them',
  continue: 'Continue',
  done: {
    app: 'The authenticator app is set up.',
    'app-removed': 'The authenticator app is removed.',
    passkey: 'The passkey is added.',
    'passkey-removed': 'The passkey is removed.',
  },
  wrongCode: 'This is not the code that the app shows now. Check the clock of your phone and try again.',
  wrongPasskey: 'The passkey was not accepted, or you have it already. Try again.',
}

export type Words = typeof en

const de: Words = {
  error: 'Fehler',
  stepTitle: 'Zweiter Schritt',
  stepLead: 'Ihr Passwort stimmt. Zeigen Sie nun, dass Sie es sind.',
  code: 'Code Ihrer Authenticator-App',
  codeHint:
    'Sechs Ziffern. Jeder Code gilt einmal; warten Sie auf den nächsten, wenn Sie ihn gerade benutzt haben.',
  verify: 'Weiter',
  usePasskey: 'Passkey verwenden',
  useRecovery: 'Stattdessen einen Wiederherstellungscode verwenden',
  recovery: 'Wiederherstellungscode',
  signInRecovery: 'Weiter mit dem Wiederherstellungscode',
  lost: 'Alles verloren? Ein Administrator Ihrer Organisation oder der Betreiber dieses Servers kann den zweiten Schritt zurücksetzen.',
  over: `Diese Anmeldung hat länger als ${STEP_MINUTES} Minuten gedauert oder wurde anderswo beendet. Melden Sie sich neu an.`,
  signIn: 'Anmelden',
  back: 'Zurück zur Anmeldung',
  wrong: {
    totp: 'Das ist nicht der aktuelle Code, oder er wurde schon benutzt. Warten Sie auf den nächsten.',
    recovery_code: 'Das ist keiner Ihrer Wiederherstellungscodes, oder er wurde schon benutzt.',
    passkey: 'Der Passkey wurde nicht angenommen. Versuchen Sie es noch einmal oder mit einem anderen.',
  },
  locked: `Es gab ${TRIES_MAX} falsche Codes. Warten Sie ${LOCK_MINUTES} Minuten und versuchen Sie es dann noch einmal, oder verwenden Sie einen Passkey.`,
  signInPasskey: 'Mit Passkey anmelden',
  passkeyUnknown: 'Dieser Passkey wurde hier nicht angenommen. Melden Sie sich mit Ihrem Passwort an.',
  passkeyFailed: {
    get: 'Es wurde kein Passkey gezeigt: abgebrochen, oder dieses Gerät hat keinen für diese Adresse.',
    create: 'Es wurde kein Passkey angelegt: abgebrochen, oder dieses Gerät hat schon einen Ihres Kontos.',
  },
  noScript: 'Passkeys brauchen JavaScript.',
  title: 'Anmeldung in zwei Schritten',
  account: 'Ihr Konto',
  lead: 'Die Anmeldung verlangt außer dem Passwort etwas, das Sie haben: den Code einer App oder einen Passkey.',
  isOn: 'Ein',
  isOff: 'Aus: Ihr Passwort allein meldet Sie an',
  demanded: titles =>
    `${titles}: hier wird ein zweiter Schritt verlangt. Richten Sie einen ein, dann öffnet sich alles.`,
  limited:
    'Sie sind mit weniger als allen Ihren Rechten angemeldet: durch eine Organisation oder mit einem eingeschränkten Token. Melden Sie sich mit Ihrem Passwort an, um das zu ändern.',
  byToken:
    'Sie sind mit einem Token angemeldet. Er öffnet keine Organisation, die einen zweiten Schritt verlangt, und ändert hier nichts. Melden Sie sich mit Ihrem Passwort oder bei Ihrer Organisation an.',
  provider:
    'Sie melden sich beim Identitätsanbieter Ihrer Organisation an, der einen eigenen zweiten Schritt hat.',
  passwordless: 'Das ist für Menschen mit Passwort, und Sie haben keines.',
  confirmFirst: 'Bestätigen Sie, wer Sie sind, um hier etwas zu ändern.',
  confirm: 'Identität bestätigen',
  confirmTitle: 'Identität bestätigen',
  confirmLead:
    'Was Sie tun wollen, reicht über diese Sitzung hinaus. Danach werden Sie zehn Minuten lang nicht noch einmal gefragt.',
  password: 'Ihr Passwort',
  token: 'Der Token, mit dem Sie sich angemeldet haben',
  confirmWrong: {
    password: 'Das ist nicht Ihr Passwort.',
    token: 'Das ist nicht der Token, mit dem Sie sich angemeldet haben.',
    passkey: 'Der Passkey wurde nicht angenommen.',
  },
  confirmPasskey: 'Mit Passkey bestätigen',
  app: 'Authenticator-App',
  appText: 'Eine App auf Ihrem Telefon zeigt alle dreißig Sekunden einen neuen Code.',
  appOn: 'Eine Authenticator-App ist eingerichtet.',
  appBegin: 'Authenticator-App einrichten',
  appRemove: 'Authenticator-App entfernen',
  appScan:
    'Scannen Sie das mit der App oder tippen Sie den Schlüssel ab, und geben Sie den Code ein, den die App zeigt.',
  appQr: 'QR-Code mit dem Schlüssel',
  appKey: 'Schlüssel',
  appConfirm: 'Code bestätigen',
  passkeys: 'Passkeys',
  passkeysText:
    'Ein Passkey liegt auf Ihrem Gerät, in Ihrem Passwortmanager oder auf einem Sicherheitsschlüssel. Er gilt nur für diese Seite, kann also nicht abgefischt werden, und meldet Sie auch ohne Passwort an.',
  passkeyName: 'Name des neuen Passkeys',
  passkeyNameHint: 'Wo er ist, etwa „Laptop“.',
  passkeyAdd: 'Passkey hinzufügen',
  passkeyRemove: name => `${name} entfernen`,
  passkeyNever: 'nie benutzt',
  passkeyUsed: 'zuletzt benutzt',
  passkeyMade: 'hinzugefügt',
  passkeyNowhere:
    'Passkeys brauchen eine Adresse mit https und einem Namen. Auf diesem Rechner öffnen Sie den Server als localhost.',
  codes: 'Wiederherstellungscodes',
  codesText: left =>
    `${left} von ${RECOVERY_CODES} sind übrig. Jeder meldet Sie einmal an, wenn Sie weder die App noch einen Passkey haben.`,
  codesFew: 'Wenige sind übrig. Erzeugen Sie neue und bewahren Sie sie auf.',
  codesNone: 'Sie bekommen sie mit der ersten App oder dem ersten Passkey.',
  codesRenew: 'Neue Wiederherstellungscodes erzeugen',
  // Longer than a narrow screen, it breaks at the soft hyphen.
  codesTitle: 'Ihre Wiederherstellungs\u00adcodes',
  codesOnce:
    'Bewahren Sie sie so auf, dass Sie sie ohne dieses Gerät finden: ausgedruckt oder in einem Passwortmanager. Sie werden nur jetzt gezeigt. Jeder gilt einmal.',
  codesDone: 'Ich habe sie aufbewahrt',
  continue: 'Weiter',
  done: {
    app: 'Die Authenticator-App ist eingerichtet.',
    'app-removed': 'Die Authenticator-App ist entfernt.',
    passkey: 'Der Passkey ist hinzugefügt.',
    'passkey-removed': 'Der Passkey ist entfernt.',
  },
  wrongCode:
    'Das ist nicht der Code, den die App jetzt zeigt. Prüfen Sie die Uhr Ihres Telefons und versuchen Sie es noch einmal.',
  wrongPasskey: 'Der Passkey wurde nicht angenommen, oder Sie haben ihn schon. Versuchen Sie es noch einmal.',
}

export const WORDS: Readonly<Record<Language, Words>> = { en, de }
