import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPermissive, type Lock, type LockedPackage, problemsOf } from './packages.ts'

const plain = { version: '1.0.0', license: 'MIT', integrity: 'sha512-x' } as const
const native = (os: string, cpu: string, libc?: string): LockedPackage => ({
  ...plain,
  os: [os],
  cpu: [cpu],
  ...(libc === undefined ? {} : { libc: [libc] }),
})
const ALL: Readonly<Record<string, LockedPackage>> = {
  'x-darwin-arm64': native('darwin', 'arm64'),
  'x-darwin-x64': native('darwin', 'x64'),
  'x-linux-arm64-gnu': native('linux', 'arm64', 'glibc'),
  'x-linux-arm64-musl': native('linux', 'arm64', 'musl'),
  'x-linux-x64-gnu': native('linux', 'x64', 'glibc'),
  'x-linux-x64-musl': native('linux', 'x64', 'musl'),
}

/** A project with one dependency that has these programs for platforms. */
function lockWith(programs: Readonly<Record<string, LockedPackage>>, wanted = Object.keys(programs)): Lock {
  return {
    packages: {
      '': { license: 'Apache-2.0' },
      'node_modules/x': {
        ...plain,
        optionalDependencies: Object.fromEntries(wanted.map(name => [name, '1.0.0'])),
      },
      ...Object.fromEntries(Object.entries(programs).map(([name, one]) => [`node_modules/${name}`, one])),
    },
  }
}
const problems = (lock: Lock) => problemsOf(lock, {})

test('a dependency with programs has one for every platform, or the one that lacks is named', () => {
  assert.deepEqual(problems(lockWith(ALL)), [])
  for (const [name, platform] of [
    ['x-linux-x64-musl', 'linux x64 musl'],
    ['x-darwin-arm64', 'darwin arm64'],
  ] as const) {
    const { [name]: _, ...others } = ALL
    assert.deepEqual(problems(lockWith(others)), [`node_modules/x: has nothing for ${platform}`])
    assert.deepEqual(problems(lockWith(others, Object.keys(ALL))), [
      `node_modules/x: ${name} is not locked`,
      `node_modules/x: has nothing for ${platform}`,
    ])
  }
  const { 'x-linux-x64-gnu': _g, 'x-linux-x64-musl': _m, ...others } = ALL
  assert.deepEqual(
    problems(lockWith({ ...others, 'x-linux-x64': native('linux', 'x64') })),
    [],
    'for any libc',
  )
})

test('a program is found where Node would find it', () => {
  const { packages } = lockWith(ALL)
  const { 'node_modules/x': x, ...rest } = packages
  const nested = { ...rest, 'node_modules/y': plain, 'node_modules/y/node_modules/x': x as LockedPackage }
  assert.deepEqual(problems({ packages: nested }), [])
})

test('bytes that are not fixed and addresses are named', () => {
  const { integrity: _, ...loose } = plain
  assert.deepEqual(problems({ packages: { 'node_modules/a': loose } }), [
    'node_modules/a: has no integrity, so npm ci does not know which bytes it has to be',
  ])
  assert.deepEqual(
    problems({ packages: { 'node_modules/a': { ...plain, resolved: 'https://r.test/a.tgz' } } }),
    ['node_modules/a: names an address, https://r.test/a.tgz'],
  )
})

test('a licence is permissive, or its package is an exception that is still needed', () => {
  for (const license of ['MIT', 'ISC OR GPL-3.0', '(MIT AND Zlib)', 'Apache-2.0'])
    assert.ok(isPermissive(license), license)
  for (const license of [undefined, '', 'GPL-3.0', 'MIT AND GPL-3.0', 'UNLICENSED', 'MPL-2.0', 'MIT License'])
    assert.ok(!isPermissive(license), license)
  const lock = { packages: { 'node_modules/a': { ...plain, license: 'GPL-3.0' } } }
  assert.deepEqual(problems(lock), ['node_modules/a: its licence is GPL-3.0'])
  assert.deepEqual(problemsOf(lock, { a: 'why' }), [])
  assert.deepEqual(problemsOf(lock, { a: 'why', b: 'why' }), [
    'b: is an exception among licences, and not a dependency',
  ])
})
