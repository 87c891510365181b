// Which passwords are accepted, and how they are stored: argon2id, with OWASP's recommended parameters for little
// memory (Password Storage Cheat Sheet: 19 MiB, 2 passes, 1 lane).
import { hash, parseOptions, verify } from '@node-rs/argon2'
import type { UserRow } from '../../access/principal.ts'
import { invalid, unavailable } from '../../base/errors.ts'
import { newSecret } from '../../base/ids.ts'
import { COMMON_PASSWORDS } from './common-passwords.ts'

export const PASSWORD_CHARACTERS_MIN = 10
export const PASSWORD_CHARACTERS_MAX = 256
// What has to be guessed besides one's own name or address.
const OWN_CHARACTERS_MIN = 6
const DISTINCT_CHARACTERS_MIN = 5

const PARAMETERS = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const

// Hashing takes 19 MiB and some 30 ms of a thread, and files are read by the same four threads: a flood of sign-ins
// waits, and is refused beyond a bound.
const HASHING_MAX = 2
export const HASHING_WAITING_MAX = 100

let hashing = 0
const waiting: (() => void)[] = []

async function inTurn<T>(run: () => Promise<T>): Promise<T> {
  if (hashing >= HASHING_MAX) {
    if (waiting.length >= HASHING_WAITING_MAX)
      throw unavailable('busy', 'Too many people are signing in at once. Try again in a few seconds.')
    await new Promise<void>(resolve => waiting.push(resolve))
  } else hashing += 1
  try {
    return await run()
  } finally {
    // The next in the queue takes the slot over.
    const next = waiting.shift()
    if (next === undefined) hashing -= 1
    else next()
  }
}

/** One encoding for what looks the same, whichever keyboard it was typed on (NIST SP 800-63B §5.1.1.2). */
const normalize = (password: string): string => password.normalize('NFKC')

/** Impossible passwords cost no hashing. A code point has at most two units, and may grow when normalized. */
export const isTooLong = (password: string): boolean =>
  password.length > 2 * PASSWORD_CHARACTERS_MAX || [...normalize(password)].length > PASSWORD_CHARACTERS_MAX

export const hashPassword = (password: string): Promise<string> =>
  inTurn(() => hash(normalize(password), PARAMETERS))

/** Takes as long without a hash. */
export async function verifyPassword(kept: string | undefined, password: string): Promise<boolean> {
  const fits = await inTurn(async () => verify(kept ?? (await nobodysHash()), normalize(password)))
  return fits && kept !== undefined
}

let nobodys: Promise<string> | undefined
const nobodysHash = (): Promise<string> => {
  nobodys ??= hash(newSecret(), PARAMETERS)
  return nobodys
}

/** Whether it was made with other than the current parameters. */
export function isOutdated(kept: string): boolean {
  const { memoryCost, timeCost, parallelism } = parseOptions(kept)
  return (
    memoryCost !== PARAMETERS.memoryCost ||
    timeCost !== PARAMETERS.timeCost ||
    parallelism !== PARAMETERS.parallelism
  )
}

/** @throws {Failure} `password_weak`, with the reason. */
export function checkPassword(password: string, user: Pick<UserRow, 'email' | 'display_name'>): void {
  const problem = findProblem(normalize(password), user)
  if (problem !== undefined) throw invalid('password_weak', problem)
}

function findProblem(
  password: string,
  { email, display_name }: Pick<UserRow, 'email' | 'display_name'>,
): string | undefined {
  const characters = [...password]
  if (characters.length < PASSWORD_CHARACTERS_MIN)
    return `A password has at least ${PASSWORD_CHARACTERS_MIN} characters. A few words make a good one.`
  if (characters.length > PASSWORD_CHARACTERS_MAX)
    return `A password has at most ${PASSWORD_CHARACTERS_MAX} characters.`
  const plain = password.toLowerCase()
  if (new Set(plain).size < DISTINCT_CHARACTERS_MIN || COMMON_PASSWORDS.has(toStem(plain)))
    return 'This password is one of the first that anybody would try. Choose another.'
  const own = [email, email.split('@')[0] ?? '', ...display_name.split(/\s+/), display_name]
  const rest = own
    .map(word => word.toLowerCase())
    .filter(word => word.length >= 3)
    .sort((one, other) => other.length - one.length)
    .reduce((text, word) => text.replaceAll(word, ''), plain)
  if ([...rest].length < OWN_CHARACTERS_MIN && rest !== plain)
    return 'This password is little more than your name or email address. Choose another.'
  return undefined
}

/** Without what people put around a word to make it long enough: `Password2024!` is `password`. */
export const toStem = (plain: string): string => {
  const word = plain.replaceAll(/^[^\p{L}]+|(?<![^\p{L}])[^\p{L}]+$/gu, '')
  return word === '' ? plain : word
}
