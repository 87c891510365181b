// Finds what a browser loads of the workspace: made by tools/web.ts at install, and named by a hash of its sources, so
// that what other sources made is never served.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const BUNDLES = join(ROOT, 'node_modules/.cache/octavo')
const SOURCES = [
  'package.json',
  'package-lock.json',
  'tools/web.ts',
  'tools/web-files.ts',
  'src/site/layout/icons.ts',
]
const FOLDERS = ['src/web', 'src/site/assets']
const BLOCKS = 'src/engines/markdown/blocks'
const SOURCE = /(?<!\.test|\.d)\.tsx?$|\.(?:css|js|json)$/

export const WEB_PREFIX = 'web-'
export const MANIFEST = 'manifest.json'

/** Names of files in the folder of the bundle. */
export type Manifest = {
  readonly script: string
  readonly stylesheet: string
  readonly files: readonly string[]
}

/** The folder that holds, or is to hold, the bundle of the sources as they are. */
export function webFolder(): string {
  const hash = createHash('sha256')
  for (const path of listWebSources()) hash.update(`${path}\0`).update(readFileSync(join(ROOT, path)))
  return join(BUNDLES, WEB_PREFIX + hash.digest('hex').slice(0, 16))
}

const listWebSources = (): string[] => [
  // Not everybody who copies the program copies the lock file.
  ...SOURCES.filter(path => existsSync(join(ROOT, path))),
  ...FOLDERS.flatMap(filesBelow).filter(path => SOURCE.test(path)),
  ...filesBelow(BLOCKS).filter(path => /\/inserts?\.ts$/.test(path)),
]

const filesBelow = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(ROOT, join(entry.parentPath, entry.name)))
    .sort()

/** Undefined if nothing has bundled these sources. */
export function readManifest(folder: string): Manifest | undefined {
  const path = join(folder, MANIFEST)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Manifest) : undefined
}
