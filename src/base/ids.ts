// The only randomness of the program.
import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto'
import { customAlphabet } from 'nanoid'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
export const ID_LENGTH = 20

/** A new identifier: 20 base62 characters, 119 bits. Every id of a row, page, file and revision is one. */
export const newId: () => string = customAlphabet(BASE62, ID_LENGTH)

/** An id computed from a text: equal texts have equal ids. */
export function idOf(text: string): string {
  let left = BigInt(`0x${createHash('sha256').update(text).digest('hex')}`)
  let id = ''
  while (id.length < ID_LENGTH) {
    id += BASE62[Number(left % 62n)]
    left /= 62n
  }
  return id
}

/** A new event id, which is a UUID on the wire. */
export const newEventId: () => string = randomUUID

/** A new secret: 256 bits of randomness as 43 base64url characters. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** A moment between half of `milliseconds` and all of it, so that waits that began together do not end together. */
export const jittered = (milliseconds: number): number =>
  Math.round(milliseconds * (0.5 + randomInt(500) / 1_000))
