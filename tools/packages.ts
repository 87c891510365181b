// What package-lock.json promises, checked without the network: that `npm ci` gets what it needs on every platform that
// is supported, that every byte of it is fixed, and that every licence lets people use and pass on what they get.
//   node tools/packages.ts
import { readFileSync } from 'node:fs'

export type LockedPackage = {
  readonly version?: string
  readonly license?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly link?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
  readonly optionalDependencies?: Readonly<Record<string, string>>
}
/** By their place: `node_modules/a/node_modules/b`; '' is this project. */
export type Lock = { readonly packages: Readonly<Record<string, LockedPackage>> }

type Platform = { readonly os: string; readonly cpu: string; readonly libc?: string }

const PLATFORMS: readonly Platform[] = [
  { os: 'linux', cpu: 'x64', libc: 'glibc' },
  { os: 'linux', cpu: 'x64', libc: 'musl' },
  { os: 'linux', cpu: 'arm64', libc: 'glibc' },
  { os: 'linux', cpu: 'arm64', libc: 'musl' },
  { os: 'darwin', cpu: 'x64' },
  { os: 'darwin', cpu: 'arm64' },
]

const PERMISSIVE = new Set([
  ...[
    'MIT',
    'MIT-0',
    'ISC',
    '0BSD',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'Apache-2.0',
    'BlueOak-1.0.0',
    'Zlib',
    'Unlicense',
  ],
])

/** Packages with another licence, or none that a program can read, and why each may be here. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'axe-core':
    'MPL-2.0: looks at pages in tests, unchanged, and is not part of what is installed to run Octavo',
  ...Object.fromEntries(
    ['latin', 'arabic', 'hebrew', 'sc', 'jp', 'kr'].map(name => [
      `@embedpdf/fonts-${name}`,
      'OFL-1.1: fonts, which may be used, embedded and passed on with their licence: named in NOTICE',
    ]),
  ),
  ...Object.fromEntries(
    ['inter', 'jetbrains-mono'].map(name => [
      `@fontsource-variable/${name}`,
      'OFL-1.1: fonts of the workspace and of pages, which may be used, embedded and passed on: named in NOTICE',
    ]),
  ),
  wouter: 'Unlicense: in the public domain',
  'railroad-diagrams': 'CC0-1.0: in the public domain; only the tests of deploy/ bring it',
  '@expo-google-fonts/noto-emoji':
    'MIT for the code, OFL-1.1 for the fonts, which may be used, embedded and passed on: named in NOTICE',
  'dejavu-fonts-ttf':
    'the licence of Bitstream Vera, as its LICENSE says: the fonts may be used, embedded and passed on: named in NOTICE',
  'caniuse-lite':
    'CC-BY-4.0: data that the mutation tester reads, and not part of what is installed to run Octavo',
  format: 'MIT, as its readme says; its package.json has no field for it',
  'xml-escape': 'MIT, written as "MIT License"',
  '@fortawesome/free-brands-svg-icons': 'MIT for the code, CC-BY-4.0 for the drawings: named in NOTICE',
  '@fortawesome/free-solid-svg-icons': 'MIT for the code, CC-BY-4.0 for the drawings: named in NOTICE',
}

/** What is wrong with a lock file, a sentence each. */
export function problemsOf({ packages }: Lock, exceptions = EXCEPTIONS): string[] {
  const problems: string[] = []
  for (const [place, locked] of Object.entries(packages)) {
    if (place === '') continue
    const name = nameOf(place)
    if (locked.resolved !== undefined) problems.push(`${place}: names an address, ${locked.resolved}`)
    if (locked.integrity === undefined && locked.link !== true)
      problems.push(`${place}: has no integrity, so npm ci does not know which bytes it has to be`)
    if (!Object.hasOwn(exceptions, name) && !isPermissive(locked.license))
      problems.push(`${place}: its licence is ${locked.license ?? 'not given'}`)
    problems.push(...missingPlatforms(packages, place, locked))
  }
  const names = new Set(Object.keys(packages).map(nameOf))
  for (const name of Object.keys(exceptions))
    if (!names.has(name)) problems.push(`${name}: is an exception among licences, and not a dependency`)
  return problems
}

const nameOf = (place: string): string => place.slice(place.lastIndexOf('node_modules/') + 13)

/** An SPDX expression of AND and OR without nesting, which is what packages have. */
export const isPermissive = (license: string | undefined): boolean =>
  (license ?? '')
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some(choice => choice.split(' AND ').every(one => PERMISSIVE.has(one)))

/** A package that comes with a program for each platform needs one for all of ours. */
function missingPlatforms(packages: Lock['packages'], place: string, locked: LockedPackage): string[] {
  const wanted = Object.keys(locked.optionalDependencies ?? {})
  const found = wanted.map(name => [name, find(packages, place, name)] as const)
  const native = found.filter(([, one]) => one?.os !== undefined || one?.cpu !== undefined)
  if (native.length === 0) return []
  const absent = found.flatMap(([name, one]) =>
    one === undefined ? [`${place}: ${name} is not locked`] : [],
  )
  const uncovered = PLATFORMS.filter(platform => !native.some(([, one]) => one && suits(one, platform)))
  return [
    ...absent,
    ...uncovered.map(
      ({ os, cpu, libc }) => `${place}: has nothing for ${[os, cpu, libc].filter(Boolean).join(' ')}`,
    ),
  ]
}

/** As Node looks packages up: in the package itself, then in each folder above it. */
function find(packages: Lock['packages'], place: string, name: string): LockedPackage | undefined {
  for (let at = place; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const found = packages[`${at === '' ? '' : `${at}/`}node_modules/${name}`]
    if (found !== undefined || at === '') return found
    if (!at.includes('/node_modules/')) at = ''
  }
}

/** As npm decides what to install: a list that is not there excludes nothing. */
const suits = ({ os, cpu, libc }: LockedPackage, platform: Platform): boolean =>
  isListed(os, platform.os) &&
  isListed(cpu, platform.cpu) &&
  (platform.libc === undefined || isListed(libc, platform.libc))

const isListed = (list: readonly string[] | undefined, word: string): boolean =>
  list === undefined || list.includes(word)

if (import.meta.main) {
  const problems = problemsOf(
    JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')),
  )
  for (const problem of problems) console.log(problem)
  if (problems.length > 0) process.exitCode = 1
}
