// Email addresses as people paste them: from a list, from a mail program, from a table.

const LOCAL_PART_CHARACTERS_MAX = 64
const ADDRESS_CHARACTERS_MAX = 254
// RFC 5321 §4.1.2 without quoted local parts and address literals, as the server takes them.
const LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,61}[\\p{L}\\p{N}])?'
const LOCAL_PART = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u
const DOMAIN = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`, 'u')

export type Addresses = {
  /** Each once, whatever its case, in their order. */
  readonly right: readonly string[]
  /** What is no address, as it was written. */
  readonly wrong: readonly string[]
}

/**
 * By commas, semicolons, tabs and lines; of `Name <a@example.com>` what is in the brackets, and of words without one
 * each that has an @, as in a list with spaces.
 */
export function readAddresses(text: string): Addresses {
  const right = new Map<string, string>()
  const wrong = new Set<string>()
  for (const part of text.split(/[,;\t\r\n]/)) {
    const entry = part.trim()
    for (const one of candidatesOf(entry)) {
      if (isAddress(one)) right.set(one.toLowerCase(), right.get(one.toLowerCase()) ?? one)
      else wrong.add(one === entry ? entry : one)
    }
  }
  return { right: [...right.values()], wrong: [...wrong] }
}

function candidatesOf(entry: string): readonly string[] {
  if (entry === '') return []
  const open = entry.lastIndexOf('<')
  if (open !== -1 && entry.endsWith('>')) return [entry.slice(open + 1, -1).trim()]
  const words = entry.split(/\s+/)
  return words.length > 1 && words.every(word => word.includes('@')) ? words : [entry]
}

function isAddress(text: string): boolean {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at)
  if (at < 1 || text.length > ADDRESS_CHARACTERS_MAX || local.length > LOCAL_PART_CHARACTERS_MAX) return false
  // Letters that turn into others when addresses are compared.
  if (text.normalize('NFKC') !== text || text.includes('\u0130')) return false
  return LOCAL_PART.test(local) && DOMAIN.test(text.slice(at + 1))
}
