// Email addresses as people paste them: from a list, from a mail program, from a table.

const LOCAL_PART_CHARACTERS_MAX = 64
const ADDRESS_CHARACTERS_MAX = 254
// RFC 5321 §4.1.2 without quoted local parts and address literals, as the server takes them.
const LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,61}[\\p{L}\\p{N}])?'
const LOCAL_PART = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u
const DOMAIN = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`, 'u')

/** As the server takes it. */
const NAME_CHARACTERS_MAX = 64

export type Address = { readonly email: string; readonly name?: string }

export type Addresses = {
  /** Each once, whatever its case, in their order. */
  readonly right: readonly Address[]
  /** What is no address, as it was written. */
  readonly wrong: readonly string[]
}

/**
 * By commas, semicolons, tabs and lines; `Name <a@example.com>` is an address with a name, which may be in quotes, and
 * words that all have an @ are one each, as in a list with spaces.
 */
export function readAddresses(text: string): Addresses {
  const right = new Map<string, Address>()
  const wrong = new Set<string>()
  for (const entry of entriesOf(text)) {
    for (const one of candidatesOf(entry)) {
      const key = one.email.toLowerCase()
      if (isAddress(one.email)) right.set(key, { ...one, ...right.get(key) })
      else wrong.add(one.email)
    }
  }
  return { right: [...right.values()], wrong: [...wrong] }
}

/** As it is read again. */
export const writeAddress = ({ email, name }: Address): string =>
  name === undefined ? email : `"${name}" <${email}>`

const SEPARATORS = [',', ';', '\t', '\r', '\n']

/** What is in quotes stays together, within a line. */
function entriesOf(text: string): readonly string[] {
  const entries = ['']
  let isQuoted = false
  for (const character of text) {
    const isEnd = character === '\n' || character === '\r'
    if (character === '"') isQuoted = !isQuoted
    if (isEnd) isQuoted = false
    if (!isQuoted && SEPARATORS.includes(character)) entries.push('')
    else entries[entries.length - 1] += character
  }
  return entries.map(entry => entry.trim()).filter(entry => entry !== '')
}

function candidatesOf(entry: string): readonly Address[] {
  const open = entry.lastIndexOf('<')
  if (open !== -1 && entry.endsWith('>')) {
    const name = nameIn(entry.slice(0, open))
    return [{ email: entry.slice(open + 1, -1).trim(), ...(name === '' ? {} : { name }) }]
  }
  const words = entry.split(/\s+/)
  const isList = words.length > 1 && words.every(word => word.includes('@'))
  return (isList ? words : [entry]).map(email => ({ email }))
}

/** A name that is an address says nothing. */
function nameIn(text: string): string {
  const name = text.replace(/"/g, '').trim()
  return name.includes('@') ? '' : [...name].slice(0, NAME_CHARACTERS_MAX).join('').trim()
}

function isAddress(text: string): boolean {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at)
  if (at < 1 || text.length > ADDRESS_CHARACTERS_MAX || local.length > LOCAL_PART_CHARACTERS_MAX) return false
  // Letters that turn into others when addresses are compared.
  if (text.normalize('NFKC') !== text || text.includes('\u0130')) return false
  return LOCAL_PART.test(local) && DOMAIN.test(text.slice(at + 1))
}
