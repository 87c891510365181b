// Whose an address of the network is, as far as its digits tell.
import { isIPv6 } from 'node:net'

/** The owner of one IPv6 address also has the other 2^64 of its network (RFC 6177). */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%', 1)
  if (!isIPv6(plain)) return plain
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1]
  if (mapped !== undefined) return mapped
  const [before = '', after] = plain.split('::')
  const head = before === '' ? [] : before.split(':')
  const tail = after === undefined || after === '' ? [] : after.split(':')
  // A tail in IPv4 notation counts as two groups.
  const length = head.length + tail.length + (plain.includes('.') ? 1 : 0)
  const groups = after === undefined ? head : [...head, ...Array<string>(8 - length).fill('0'), ...tail]
  return groups
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':')
}
