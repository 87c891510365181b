// The only randomness of the program.
import { randomBytes, randomUUID } from 'node:crypto'
import { customAlphabet } from 'nanoid'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
export const ID_LENGTH = 20

/** A new identifier: 20 base62 characters, 119 bits. Every id of a row, page, file and revision is one. */
export const newId: () => string = customAlphabet(BASE62, ID_LENGTH)

/** A new id of an event, which the wire wants to be a UUID (api-facts §7.10). */
export const newEventId: () => string = randomUUID

/** A new secret: 256 bits of randomness as 43 base64url characters. */
export const newSecret = (): string => randomBytes(32).toString('base64url')
