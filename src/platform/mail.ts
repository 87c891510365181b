// Outgoing mail, through the operator's own SMTP server. It is sent by jobs, never in a request: a mail server may be
// slow or down, and a job is retried.
import type { Transporter } from 'nodemailer'
import { type Failure, invalid, unavailable } from '../base/errors.ts'
import { Tally } from '../base/tallies.ts'
import { traced } from '../base/traces.ts'
import type { MailConfig } from './config.ts'

export interface Message {
  /** One address. */
  readonly to: string
  readonly subject: string
  /** Plain text; any line ends. */
  readonly text: string
}

export interface Mail {
  /** Whether a mail server is configured; without one no message may be sent. */
  readonly isConfigured: boolean
  /**
   * Returns once the server has accepted the message.
   *
   * @throws Failure unavailable `mail_unavailable`: it may be retried; invalid `mail_refused`: the server will never
   * accept this message.
   */
  send(message: Message): Promise<void>
  counts(): ReadonlyMap<'sent' | 'refused' | 'unavailable', number>
}

const CONNECT_MILLISECONDS_MAX = 10_000
const SILENCE_MILLISECONDS_MAX = 30_000
export const SUBJECT_CHARACTERS_MAX = 200
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/

/** Without a config, every message is refused with `mail_not_configured`. */
export function createMail(config: MailConfig | undefined): Mail {
  const tally = new Tally(['sent', 'refused', 'unavailable'] as const)
  const counts = () => tally.counts()
  if (config === undefined)
    return { isConfigured: false, send: () => Promise.reject(notConfigured()), counts }
  let opening: Promise<Transporter> | undefined
  return {
    isConfigured: true,
    counts,
    async send({ to, subject, text }) {
      opening ??= openTransport(config)
      const transport = await opening
      const message = {
        from: config.from,
        // As an object, since a string would be parsed as a list of addresses.
        to: { name: '', address: toLine(to) },
        subject: toLine(subject).slice(0, SUBJECT_CHARACTERS_MAX),
        text,
        // Tells other programs that nobody wrote this by hand, so that none replies (RFC 3834 §5).
        headers: { 'Auto-Submitted': 'auto-generated' },
      }
      const span = {
        name: 'SMTP send',
        kind: 'client',
        attributes: { 'server.address': config.host },
      } as const
      try {
        await traced(span, () => transport.sendMail(message))
        tally.add('sent')
      } catch (error) {
        const failure = explain(error)
        tally.add(failure.kind === 'invalid' ? 'refused' : 'unavailable')
        throw failure
      }
    },
  }
}

const WORDS_CHARACTERS_MAX = 80

/** On one line, without anything that email clients turn into a link: for names that users chose. */
export const toPlainWords = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .replaceAll(/:\/\/|(?<=\w)\.(?=\w)/g, ' ')
    .trim()
    .slice(0, WORDS_CHARACTERS_MAX)

async function openTransport({ host, port, isSecure, credentials }: MailConfig): Promise<Transporter> {
  // loaded with the first message, for a faster start
  const { createTransport } = await import('nodemailer')
  return createTransport({
    host,
    port,
    secure: isSecure,
    // A password goes over an encrypted connection, or to this machine.
    requireTLS: !isSecure && credentials !== undefined && !LOOPBACK.test(host),
    ...(credentials === undefined ? {} : { auth: { user: credentials.user, pass: credentials.password } }),
    connectionTimeout: CONNECT_MILLISECONDS_MAX,
    greetingTimeout: CONNECT_MILLISECONDS_MAX,
    socketTimeout: SILENCE_MILLISECONDS_MAX,
    // No content of a message is ever read from a path or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** A header is one line: characters that could begin another one become a space. */
const toLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()

const notConfigured = () =>
  unavailable('mail_not_configured', 'This server sends no mail: OCTAVO_SMTP_URL is not set.')

/** A server that permanently refuses the recipient or the message answers 5xx (RFC 5321 §4.2.1). */
function explain(error: unknown): Failure {
  // Fields that nodemailer adds to its errors.
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown }
  const isForGood = typeof responseCode === 'number' && responseCode >= 500
  if (isForGood && (code === 'EENVELOPE' || code === 'EMESSAGE'))
    return invalid('mail_refused', 'The mail server refuses this message.', error)
  return unavailable('mail_unavailable', 'The mail server cannot accept the message now.', error)
}
