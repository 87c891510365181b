// Outgoing mail, over the operator's own SMTP server. It is sent by jobs, never in a request: a mail server may be slow
// or away, and a job is tried again.
import type { Transporter } from 'nodemailer'
import { type Failure, invalid, unavailable } from '../base/errors.ts'
import type { MailConfig } from './config.ts'

export interface Message {
  /** One address. */
  readonly to: string
  readonly subject: string
  /** Plain text; lines end as they like. */
  readonly text: string
}

export interface Mail {
  /** Whether a mail server is configured; without one no message may be sent. */
  readonly isConfigured: boolean
  /**
   * Returns once the server has taken the message over.
   *
   * @throws Failure unavailable `mail_unavailable`: it may be tried again; invalid `mail_refused`: the server will never
   * take this message.
   */
  send(message: Message): Promise<void>
}

const CONNECT_MILLISECONDS_MAX = 10_000
const SILENCE_MILLISECONDS_MAX = 30_000
export const SUBJECT_CHARACTERS_MAX = 200
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/

/** Without a config the answer says so and sends nothing. */
export function createMail(config: MailConfig | undefined): Mail {
  if (config === undefined) return { isConfigured: false, send: () => Promise.reject(notConfigured()) }
  let opening: Promise<Transporter> | undefined
  return {
    isConfigured: true,
    async send({ to, subject, text }) {
      opening ??= openTransport(config)
      const transport = await opening
      try {
        await transport.sendMail({
          from: config.from,
          // As an object: a string would be read as a list of addresses.
          to: { name: '', address: toLine(to) },
          subject: toLine(subject).slice(0, SUBJECT_CHARACTERS_MAX),
          text,
          // Says to other programs that nobody wrote this by hand, so that none answers it (RFC 3834 §5).
          headers: { 'Auto-Submitted': 'auto-generated' },
        })
      } catch (error) {
        throw explain(error)
      }
    },
  }
}

async function openTransport({ host, port, isSecure, credentials }: MailConfig): Promise<Transporter> {
  // loaded with the first message: a start is faster without
  const { createTransport } = await import('nodemailer')
  return createTransport({
    host,
    port,
    secure: isSecure,
    // A password goes over an encrypted line, or to this machine.
    requireTLS: !isSecure && credentials !== undefined && !LOOPBACK.test(host),
    ...(credentials === undefined ? {} : { auth: { user: credentials.user, pass: credentials.password } }),
    connectionTimeout: CONNECT_MILLISECONDS_MAX,
    greetingTimeout: CONNECT_MILLISECONDS_MAX,
    socketTimeout: SILENCE_MILLISECONDS_MAX,
    // Nothing of a message is ever read from a path or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** A header is one line: what would begin another one becomes a space. */
const toLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()

const notConfigured = () =>
  unavailable('mail_not_configured', 'This server sends no mail: OCTAVO_SMTP_URL is not set.')

/** A server that refuses the recipient or the message for good says so with 5xx (RFC 5321 §4.2.1). */
function explain(error: unknown): Failure {
  // What nodemailer adds to its errors.
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown }
  const isForGood = typeof responseCode === 'number' && responseCode >= 500
  if (isForGood && (code === 'EENVELOPE' || code === 'EMESSAGE'))
    return invalid('mail_refused', 'The mail server refuses this message.', error)
  return unavailable('mail_unavailable', 'The mail server does not take the message now.', error)
}
