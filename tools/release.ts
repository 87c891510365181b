// What a release is made of.
//   node tools/release.ts data     the folder of data that every later version opens (test/releases), for the commit of
//                                  the release: an installation of this version, with the sample and what it holds
//   node tools/release.ts build    the files of the release, in dist/: the sources, their packages as a CycloneDX
//                                  document, checksums, and its notes
import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { constants, zstdCompressSync } from 'node:zlib'
import { VERSION } from '../src/platform/version.ts'
import { inventoryOf } from '../test/support/inventory.ts'
import { startSampleIn } from './sample-server.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const DIST = join(ROOT, 'dist')
const DATA = join(ROOT, `test/releases/${VERSION}.tar.zst`)
const NAME = `octavo-${VERSION}`

const run = (command: string, ...args: string[]): string =>
  execFileSync(command, args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  })

async function writeData(): Promise<void> {
  if (existsSync(DATA)) throw new Error(`${DATA} is there: the data of a release never changes`)
  const folder = mkdtempSync(join(tmpdir(), 'octavo-release-'))
  try {
    const home = join(folder, 'home')
    mkdirSync(home)
    const token = `octv_${randomBytes(32).toString('base64url')}`
    const server = await startSampleIn(home, token)
    const read = async (path: string) => {
      const reply = await fetch(`${server.origin}/v1${path}`, {
        headers: { authorization: `Bearer ${token}` },
      })
      if (!reply.ok) throw new Error(`GET ${path}: ${reply.status} ${await reply.text()}`)
      return reply.json()
    }
    try {
      writeFileSync(
        join(folder, 'holds.json'),
        JSON.stringify({ token, spaces: await inventoryOf(read) }, null, 2),
      )
    } finally {
      await server.close()
    }
    const tar = execFileSync('tar', ['--create', '--directory', folder, 'home', 'holds.json'], {
      maxBuffer: 1 << 30,
    })
    writeFileSync(
      DATA,
      zstdCompressSync(tar, {
        params: { [constants.ZSTD_c_compressionLevel]: 22, [constants.ZSTD_c_windowLog]: 27 },
      }),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The section of the changelog, without its heading. */
function notes(): string {
  const [, text] = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8').split(`\n## ${VERSION}\n`)
  if (text === undefined) throw new Error(`CHANGELOG.md has no section "## ${VERSION}"`)
  return text.split('\n## ')[0]?.trim() ?? ''
}

function build(): void {
  if (run('git', 'status', '--porcelain') !== '') throw new Error('There are changes that are not committed.')
  if (!run('git', 'tag', '--points-at', 'HEAD').split('\n').includes(`v${VERSION}`))
    throw new Error(`HEAD has no tag v${VERSION}, the version of package.json`)
  if (!existsSync(DATA)) throw new Error('Its data is missing: node tools/release.ts data, then commit it')
  rmSync(DIST, { recursive: true, force: true })
  mkdirSync(DIST)
  writeFileSync(join(DIST, 'notes.md'), `${notes()}\n`)
  run('git', 'archive', `--prefix=${NAME}/`, `--output=${join(DIST, `${NAME}.tar.gz`)}`, 'HEAD')
  const packages = run(
    'npm',
    'sbom',
    '--omit=dev',
    '--package-lock-only',
    '--sbom-format=cyclonedx',
    '--sbom-type=application',
  )
  writeFileSync(join(DIST, `${NAME}.cdx.json`), packages)
  const sums = readdirSync(DIST)
    .filter(name => name.startsWith(NAME))
    .map(
      name =>
        `${createHash('sha256')
          .update(readFileSync(join(DIST, name)))
          .digest('hex')}  ${name}\n`,
    )
  writeFileSync(join(DIST, 'SHA256SUMS'), sums.join(''))
}

const [, , what] = process.argv
if (what === 'data') await writeData()
else if (what === 'build') build()
else throw new Error('node tools/release.ts data, or node tools/release.ts build')
