// The only randomness of the program.
import { randomBytes } from 'node:crypto'
import { customAlphabet } from 'nanoid'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
export const ID_LENGTH = 20

/** A new identifier: 20 base62 characters, 119 bits. Every id of a row, page, file and revision is one. */
export const newId: () => string = customAlphabet(BASE62, ID_LENGTH)

/** A new secret: 256 bits of randomness as 43 base64url characters. */
export const newSecret = (): string => randomBytes(32).toString('base64url')
