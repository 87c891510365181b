// What the page says that asks whether a program may act for somebody.
import type { Level, RequestProblem } from '../../api/oauth/requests.ts'
import type { Language } from '../languages.ts'

export type Words = {
  readonly title: (name: string) => string
  readonly unnamed: string
  readonly as: string
  readonly where: string
  readonly onThisMachine: string
  readonly describedAt: string
  readonly care: (host: string | null) => string
  readonly may: string
  readonly levels: Readonly<Record<Level, string>>
  readonly inOrganization: string
  readonly everywhere: string
  readonly password: string
  readonly token: string
  readonly confirm: string
  readonly confirmAtProvider: string
  readonly atProvider: string
  readonly withPasskey: string
  readonly allow: string
  readonly refuse: string
  readonly revocable: string
  readonly account: string
  readonly error: string
  readonly refusedTitle: string
  readonly problems: Readonly<Record<RequestProblem, string>>
  readonly back: (host: string) => string
  readonly backToProgram: string
  readonly narrowed: string
  readonly tooLong: string
  readonly wrong: Readonly<Record<'password' | 'token', string>>
  readonly choose: string
}

const en: Words = {
  title: name => `Let ${name} act for you?`,
  unnamed: 'a program without a name',
  as: 'You are signed in as',
  where: 'It is at',
  onThisMachine: 'It is a program on this computer.',
  describedAt: 'Described at',
  care: host =>
    `Any program can give itself any name. Allow it only if you have just asked for this ${host === null ? 'in a program on this computer' : `at ${host}`}.`,
  may: 'It may',
  levels: {
    read: 'Read what you may read',
    comment: 'Also comment and reply',
    propose: 'Also open change requests and write in them',
    review: 'Also approve and ask for changes',
    merge: 'Also merge, and undo changes: readers see them at once',
  },
  inOrganization: 'In',
  everywhere: 'all of your organizations',
  password: 'Your password',
  token: 'The token that you signed in with',
  confirm: 'To confirm that this is you:',
  confirmAtProvider: 'Confirm who you are first, then you can allow it.',
  atProvider: 'Confirm with your organization',
  withPasskey: 'Confirm with a passkey',
  allow: 'Allow',
  refuse: 'Do not allow',
  revocable: 'It never sees your password. You can end this at any time in',
  account: 'your account',
  error: 'error',
  refusedTitle: 'This program cannot be allowed',
  problems: {
    client_unknown:
      'It is not registered here, or no longer. Remove the connection in the program and add it again.',
    document_unread: 'What it publishes about itself could not be read.',
    redirect_unknown: 'It wants to continue at an address that it has not registered.',
    response_type: 'It asks in a way that is not known here.',
    challenge: 'It does not protect its request (PKCE with S256 is needed).',
    resource: 'It asks for access to another server than this one.',
  },
  back: host => `Back to ${host}`,
  backToProgram: 'Back to the program',
  narrowed:
    'You are signed in with a token that has limited scopes, so you cannot allow a program to act for you. Sign in with your password.',
  tooLong: 'Its request is too long.',
  wrong: { password: 'This is not your password.', token: 'This is not the token that you signed in with.' },
  choose: 'Choose what it may do, and where.',
}

const de: Words = {
  title: name => `Darf ${name} für Sie handeln?`,
  unnamed: 'ein Programm ohne Namen',
  as: 'Angemeldet als',
  where: 'Es ist bei',
  onThisMachine: 'Es ist ein Programm auf diesem Computer.',
  describedAt: 'Beschrieben unter',
  care: host =>
    `Jedes Programm kann sich beliebig nennen. Erlauben Sie es nur, wenn Sie das gerade selbst ${host === null ? 'in einem Programm auf diesem Computer' : `bei ${host}`} begonnen haben.`,
  may: 'Es darf',
  levels: {
    read: 'Lesen, was Sie lesen dürfen',
    comment: 'Auch kommentieren und antworten',
    propose: 'Auch Change Requests eröffnen und darin schreiben',
    review: 'Auch zustimmen und Änderungen verlangen',
    merge: 'Auch mergen und zurücknehmen: Leser sehen es sofort',
  },
  inOrganization: 'In',
  everywhere: 'allen Ihren Organisationen',
  password: 'Ihr Passwort',
  token: 'Der Token, mit dem Sie sich angemeldet haben',
  confirm: 'Zur Bestätigung, dass Sie es sind:',
  confirmAtProvider: 'Bestätigen Sie zuerst, wer Sie sind, dann können Sie es erlauben.',
  atProvider: 'Mit Ihrer Organisation bestätigen',
  withPasskey: 'Mit Passkey bestätigen',
  allow: 'Erlauben',
  refuse: 'Nicht erlauben',
  revocable: 'Ihr Passwort sieht es nie. Sie können das jederzeit beenden, in',
  account: 'Ihrem Konto',
  error: 'Fehler',
  refusedTitle: 'Dieses Programm kann nicht zugelassen werden',
  problems: {
    client_unknown:
      'Es ist hier nicht registriert oder nicht mehr. Entfernen Sie die Verbindung im Programm und legen Sie sie neu an.',
    document_unread: 'Was es über sich veröffentlicht, konnte nicht gelesen werden.',
    redirect_unknown: 'Es will an einer Adresse weitermachen, die es nicht registriert hat.',
    response_type: 'Es fragt auf eine Weise, die hier nicht bekannt ist.',
    challenge: 'Es schützt seine Anfrage nicht (PKCE mit S256 ist nötig).',
    resource: 'Es verlangt Zugang zu einem anderen Server als diesem.',
  },
  back: host => `Zurück zu ${host}`,
  backToProgram: 'Zurück zum Programm',
  narrowed:
    'Sie sind mit einem eingeschränkten Token angemeldet und können kein Programm für sich handeln lassen. Melden Sie sich mit Ihrem Passwort an.',
  tooLong: 'Seine Anfrage ist zu lang.',
  wrong: {
    password: 'Das ist nicht Ihr Passwort.',
    token: 'Das ist nicht der Token, mit dem Sie sich angemeldet haben.',
  },
  choose: 'Wählen Sie, was es darf und wo.',
}

export const WORDS: Readonly<Record<Language, Words>> = { en, de }
