// @ts-check
// Finds the program bundled in a few files instead of 1,900; `tools/program.ts` makes the bundle after an install.
// Finding and loading all files takes half of a start and a third of the memory. The bundle is named by a hash of
// everything it is made from, so that a bundle of other sources never runs. JavaScript, like main.js.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
export const BUNDLES = 'node_modules/.cache/octavo'
export const BUNDLE_PREFIX = 'program-'

const OTHERS = ['package.json', 'package-lock.json', 'tools/program.ts']
const SOURCE = /(?<!\.test)\.[jt]s$|\.sql$/

/** The URL of the bundled program, or undefined if it has to be loaded from its sources. */
export function findBundle() {
  const bundles = join(ROOT, BUNDLES)
  if (!existsSync(bundles)) return undefined
  const program = join(bundles, BUNDLE_PREFIX + fingerprintOf(listSources()), 'cli/program.mjs')
  return existsSync(program) ? pathToFileURL(program).href : undefined
}

/** Everything that determines the bundle's content, and what its first start imports. */
export function listSources() {
  return [
    // Not everybody who copies the program copies the lock file.
    ...OTHERS.filter(path => existsSync(join(ROOT, path))),
    ...filesBelow('src').filter(path => SOURCE.test(path)),
    ...filesBelow('docs').filter(path => !path.startsWith('docs/decisions')),
  ]
}

/** @param {string} folder */
const filesBelow = folder =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(ROOT.length))
    .sort()

/** @param {readonly string[]} paths */
export function fingerprintOf(paths) {
  const hash = createHash('sha256')
  for (const path of paths) hash.update(`${path}\0`).update(readFileSync(join(ROOT, path)))
  return hash.digest('hex').slice(0, 16)
}
