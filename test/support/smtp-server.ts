// A small mail server on loopback that keeps what it takes. It speaks as much of SMTP (RFC 5321) as a client needs.

import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'

export type TakenMail = {
  readonly from: string
  readonly to: readonly string[]
  /** Names in lower case; the values of a repeated header are joined by a line break. */
  readonly headers: Readonly<Record<string, string>>
  /** Decoded. */
  readonly text: string
}

export interface SmtpServer {
  readonly port: number
  readonly taken: readonly TakenMail[]
  /** User and password of the last who said them. */
  readonly login: string | undefined
  /** Every line that clients sent outside of messages. */
  readonly lines: readonly string[]
  /** The next answers to this command, instead of the good one, one after the other; `drop` closes the connection. */
  answerNext(command: string, ...answers: string[]): void
  close(): Promise<void>
}

export async function startSmtpServer(): Promise<SmtpServer> {
  const taken: TakenMail[] = []
  const lines: string[] = []
  const odd = new Map<string, string[]>()
  const sockets = new Set<Socket>()
  let login: string | undefined

  const serve = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    let envelope: { from: string; to: string[] } = { from: '', to: [] }
    let message: string[] | undefined
    let rest = ''
    const say = (command: string, good: string) => {
      const answer = odd.get(command)?.shift() ?? good
      if (answer === 'drop') socket.destroy()
      else socket.write(`${answer}\r\n`)
      return answer
    }
    const hear = (line: string): void => {
      if (message !== undefined) {
        if (line !== '.') return void message.push(line.replace(/^\./, ''))
        const said = say('message', '250 Taken')
        if (said.startsWith('2')) taken.push({ ...envelope, ...parse(message.join('\r\n')) })
        message = undefined
        return
      }
      lines.push(line)
      const [command = '', ...words] = line.split(' ')
      switch (command.toUpperCase()) {
        case 'EHLO':
          return void say('ehlo', '250-stand-in\r\n250 AUTH PLAIN')
        case 'AUTH':
          login = Buffer.from(words[1] ?? '', 'base64')
            .toString()
            .split('\0')
            .slice(1)
            .join(':')
          return void say('auth', '235 Welcome')
        case 'MAIL':
          envelope = { from: addressIn(line), to: [] }
          return void say('mail', '250 Good')
        case 'RCPT':
          envelope.to.push(addressIn(line))
          return void say('rcpt', '250 Good')
        case 'DATA':
          if (say('data', '354 Go on').startsWith('3')) message = []
          return
        case 'STARTTLS':
          return void say('starttls', '502 No encryption here')
        case 'QUIT':
          say('quit', '221 Bye')
          return void socket.end()
        default:
          say('other', '250 Good')
      }
    }
    say('greeting', '220 stand-in')
    socket.on('data', chunk => {
      const parts = (rest + chunk.toString('latin1')).split('\r\n')
      rest = parts.pop() ?? ''
      for (const line of parts) hear(line)
    })
  }

  const server = createServer(serve)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    taken,
    lines,
    get login() {
      return login
    },
    answerNext(command, ...answers) {
      odd.set(command, [...(odd.get(command) ?? []), ...answers])
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
}

const addressIn = (line: string): string => /<(.*?)>/.exec(line)?.[1] ?? ''

function parse(message: string): Pick<TakenMail, 'headers' | 'text'> {
  const [head = '', ...body] = message.split('\r\n\r\n')
  const headers: Record<string, string> = {}
  for (const line of head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    const [, name = '', value = ''] = /^([^:]+): ?(.*)$/.exec(line) ?? []
    const key = name.toLowerCase()
    headers[key] = headers[key] === undefined ? decodeWords(value) : `${headers[key]}\n${decodeWords(value)}`
  }
  return { headers, text: decodeBody(body.join('\r\n\r\n'), headers['content-transfer-encoding']) }
}

/** RFC 2047: `=?UTF-8?Q?…?=`. */
const decodeWords = (value: string): string =>
  value
    .replaceAll(/(\?=) +(=\?)/g, '$1$2')
    .replaceAll(/=\?utf-8\?([bq])\?(.*?)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString()
        : unquote(word.replaceAll('_', ' ')),
    )

const unquote = (text: string): string =>
  Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString()

function decodeBody(body: string, encoding = '7bit'): string {
  const lines = body.replaceAll('\r\n', '\n')
  if (encoding === 'base64') return Buffer.from(lines, 'base64').toString()
  return encoding === 'quoted-printable' ? unquote(lines.replaceAll(/=\n/g, '')) : lines
}
