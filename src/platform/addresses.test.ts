import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Failure } from '../base/errors.ts'
import { type Address, type AddressGuard, addressGuard, canonicalHost } from './addresses.ts'

const answering = (...addresses: string[]): (() => Promise<Address[]>) => {
  const answers = addresses.map(address => ({
    address,
    family: address.includes(':') ? (6 as const) : (4 as const),
  }))
  return async () => answers
}

async function codeOf(guard: AddressGuard, host: string): Promise<string> {
  try {
    await guard.check(host)
    return 'allowed'
  } catch (reason) {
    if (reason instanceof Failure) return reason.code
    throw reason
  }
}

// Every range that is not the public internet, and every way to write one of its addresses.
const PRIVATE = [
  ...['127.0.0.1', '127.1', '127.0.1', '2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1', '017700000001'],
  ...['127.0.0.1.', '127.255.255.254', '0.0.0.0', '0', '0x0', '１２７.0.0.1', '127。0。0。1'],
  ...['::1', '[::1]', '::', '[::]', '0:0:0:0:0:0:0:1'],
  ...['::ffff:127.0.0.1', '[::ffff:127.0.0.1]', '::ffff:7f00:1', '[::ffff:7f00:1]', '::ffff:10.0.0.1'],
  ...['::127.0.0.1', '::8.8.8.8', '::ffff:0:127.0.0.1'],
  ...[
    '10.0.0.1',
    '10.255.255.255',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '100.64.0.1',
    '100.127.255.255',
  ],
  ...[
    '169.254.0.1',
    '169.254.169.254',
    '0xa9fea9fe',
    '2852039166',
    '[::ffff:169.254.169.254]',
    'fd00:ec2::254',
  ],
  ...['168.63.129.16', '100.100.100.200', '192.0.0.192'],
  ...['192.0.0.1', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '192.88.99.1'],
  ...['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', '0.1.2.3'],
  ...[
    'fc00::1',
    'fd00::1',
    'fe80::1',
    'febf::1',
    'fec0::1',
    'ff02::1',
    '100::1',
    '2001:db8::1',
    '3fff::1',
    '5f00::1',
  ],
  ...[
    '64:ff9b::7f00:1',
    '64:ff9b::8.8.8.8',
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2002:808:808::1',
    '2001::1',
    '4000::1',
  ],
]

describe('the address guard', () => {
  for (const host of PRIVATE) {
    it(`refuses ${host}`, async () => {
      assert.equal(await codeOf(addressGuard([]), host), 'address_refused')
    })
  }

  for (const host of ['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700::1111', '[2a00:1450::1]', '134744072']) {
    it(`allows ${host}`, async () => {
      const { addresses, isLiteral } = await addressGuard([]).check(host)
      assert.equal(addresses.length, 1)
      assert.equal(isLiteral, true)
    })
  }

  it('refuses a name when any of its addresses is private', async () => {
    assert.equal(
      await codeOf(addressGuard([], answering('8.8.8.8', '10.0.0.1')), 'mixed.example'),
      'address_refused',
    )
    assert.equal(
      await codeOf(addressGuard([], answering('8.8.8.8', '::1')), 'mixed.example'),
      'address_refused',
    )
    assert.equal(await codeOf(addressGuard([], answering('fe80::1%eth0')), 'zone.example'), 'address_refused')
    assert.equal(await codeOf(addressGuard([], answering('nonsense')), 'zone.example'), 'address_refused')
    assert.equal(await codeOf(addressGuard([]), 'localhost'), 'address_refused')
  })

  it('hands back every address of a public name, to connect to', async () => {
    const guard = addressGuard([], answering('8.8.8.8', '2606:4700::1111'))
    assert.deepEqual(await guard.check('Docs.Example.'), {
      host: 'docs.example',
      isLiteral: false,
      addresses: [
        { address: '8.8.8.8', family: 4 },
        { address: '2606:4700::1111', family: 6 },
      ],
    })
  })

  it('says what an operator can do, and not which address it was', async () => {
    await assert.rejects(addressGuard([], answering('10.1.2.3')).check('git.example'), (reason: unknown) => {
      assert.ok(reason instanceof Failure)
      assert.equal(reason.kind, 'invalid')
      assert.match(reason.message, /"git\.example".*OCTAVO_ALLOW_PRIVATE_HOSTS/)
      assert.doesNotMatch(reason.message, /10\.1\.2\.3/)
      return true
    })
  })

  it('allows what the operator names: a host, an address, a network', async () => {
    const guard = addressGuard(
      ['Git.Internal', '10.1.0.0/16', '192.168.0.7', 'fd00::/8', '[fec0::]/10', '[::1]'],
      answering('10.9.9.9'),
    )
    for (const host of [
      'git.internal',
      'GIT.internal.',
      '10.1.2.3',
      '192.168.0.7',
      'fd12::1',
      'fec0::1',
      '::1',
      '::ffff:10.1.2.3',
    ]) {
      assert.equal(await codeOf(guard, host), 'allowed', host)
    }
    for (const host of [
      'other.internal',
      'git.internal.evil.example',
      '10.2.0.1',
      '192.168.0.8',
      '127.0.0.1',
      '::2',
    ]) {
      assert.equal(await codeOf(guard, host), 'address_refused', host)
    }
  })

  it('judges an address that a connection turned out to have by the host it was meant for', () => {
    const guard = addressGuard(['git.internal'])
    assert.equal(guard.allows('git.internal', '10.0.0.1'), true)
    assert.equal(guard.allows('other.example', '10.0.0.1'), false)
    assert.equal(guard.allows('other.example', '8.8.8.8'), true)
    assert.equal(guard.allows('other.example', 'nonsense'), false)
  })

  it('says that a name has no address, or is none', async () => {
    const none = addressGuard([], async () => [])
    assert.equal(await codeOf(none, 'docs.example'), 'host_unresolved')
    const broken = addressGuard([], async () => {
      throw new Error('SERVFAIL')
    })
    assert.equal(await codeOf(broken, 'docs.example'), 'host_unresolved')
    for (const host of [
      '',
      ' ',
      'a b',
      'a/b',
      'user@host',
      'a?b',
      '[::1',
      '256.256.256.256',
      '::1%eth0',
      'x'.repeat(300),
    ]) {
      assert.equal(await codeOf(none, host), 'host_invalid', host)
    }
  })
})

describe('the canonical form of a host', () => {
  for (const [host, canonical] of [
    ['EXAMPLE.com.', 'example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['0x7f.1', '127.0.0.1'],
    ['[0:0::1]', '::1'],
    ['::FFFF:1.2.3.4', '::ffff:102:304'],
    ['host:80', undefined],
  ] as const) {
    it(`of ${host} is ${canonical}`, () => assert.equal(canonicalHost(host), canonical))
  }
})
