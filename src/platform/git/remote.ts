// The address of a repository, without its credentials: it is shown in messages, rows and the process list.
import { inspect } from 'node:util'
import { type Failure, invalid } from '../../base/errors.ts'

// Shorter ones are not secret, and occur in any text.
const SECRET_CHARACTERS_MIN = 4

/** A user and password that are revealed only through the header. */
export class Credentials {
  readonly #basic: string
  readonly #secrets: readonly string[]

  constructor(username: string, password: string) {
    this.#basic = Buffer.from(`${username}:${password}`, 'utf8').toString('base64')
    // A token may be given as the user, without a password.
    const secret = password === '' ? username : password
    this.#secrets = [this.#basic, secret].filter(({ length }) => length >= SECRET_CHARACTERS_MIN)
  }

  /** The value of an `Authorization` header. */
  header(): string {
    return `Basic ${this.#basic}`
  }

  /** Removes the credentials from a text that may repeat them, such as a host's answer. */
  redact(text: string): string {
    return this.#secrets.reduce((whole, secret) => whole.replaceAll(secret, '[hidden]'), text)
  }

  toString(): string {
    return '[hidden]'
  }

  toJSON(): string {
    return '[hidden]'
  }

  [inspect.custom](): string {
    return '[hidden]'
  }
}

export type Remote = {
  /** Canonical, without credentials: `https://github.com/acme/docs.git`. */
  readonly url: string
  readonly credentials?: Credentials
  /** In the guard's spelling: without brackets. */
  readonly host: string
  readonly port: number
}

const URL_CHARACTERS_MAX = 2048
const REF_CHARACTERS_MAX = 250

/**
 * A repository over http or https. The URL may have a user and a password, percent-encoded.
 *
 * @throws Failure invalid `git_url_invalid`; its message never repeats the URL, which may hold a password.
 */
export function parseRemote(text: string): Remote {
  if (text.length > URL_CHARACTERS_MAX) throw urlInvalid(`is longer than ${URL_CHARACTERS_MAX} characters`)
  // The URL parser drops tabs and line ends inside a URL; a URL that has them is a mistake.
  if (/[\u0000-\u0020\u007f]/.test(text)) throw urlInvalid('has a space or control character in it')
  const url = URL.parse(text)
  if (url === null) throw urlInvalid('is not a URL like https://host/owner/repository.git')
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw urlInvalid('has to begin with http:// or https://')
  if (url.search !== '' || url.hash !== '') throw urlInvalid('must not have a ? or # part')
  const credentials = credentialsOf(url)
  url.username = ''
  url.password = ''
  return {
    url: url.href,
    ...(credentials === undefined ? {} : { credentials }),
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port),
  }
}

function credentialsOf(url: URL): Credentials | undefined {
  if (url.username === '' && url.password === '') return undefined
  try {
    return new Credentials(decodeURIComponent(url.username), decodeURIComponent(url.password))
  } catch {
    throw urlInvalid('has a user or password with a % that does not begin a percent-encoded character')
  }
}

const urlInvalid = (why: string): Failure => invalid('git_url_invalid', `The URL of the repository ${why}.`)

/**
 * The full name of a ref: `main` → `refs/heads/main`; `refs/…`, `HEAD` and full commit ids stay as they are. The
 * rules of a name are those of `git check-ref-format`.
 *
 * @throws Failure invalid `git_ref_invalid`.
 */
export function fullRef(text: string): string {
  const bad =
    text.length > REF_CHARACTERS_MAX ||
    // Control characters, and characters with a meaning in a refspec or a revision.
    /[\u0000-\u0020\u007f~^:?*[\\]/.test(text) ||
    !text.isWellFormed() ||
    /\.\.|@\{/.test(text) ||
    text
      .split('/')
      .some(part => part === '' || part.startsWith('.') || part.endsWith('.') || part.endsWith('.lock')) ||
    text === '@' ||
    text.startsWith('-')
  if (bad) {
    throw invalid('git_ref_invalid', 'The ref has to be the name of a branch, like refs/heads/main.')
  }
  return text === 'HEAD' || text.startsWith('refs/') || /^[0-9a-f]{40}$/.test(text)
    ? text
    : `refs/heads/${text}`
}
