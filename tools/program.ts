// Makes the program in a few files instead of 1,900, after an install and before tests (src/cli/bundled.js finds it). Made
// once for what the sources say, and kept with what is compiled of it where a clean install removes it.
//   node tools/program.ts
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { assert } from '../src/base/assert.ts'
import { BUNDLE_PREFIX, BUNDLES, fingerprintOf, listSources } from '../src/cli/bundled.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const CACHE = join(ROOT, BUNDLES)
// Older ones are of other sources. A run that still uses one has begun since.
const KEPT_MS = 24 * 3_600_000
// A place in a stack trace is found by its line.
const LINE_CHARACTERS = 200

/** The command, and the program that the real command loads. */
const MAIN = ['src/cli/main.js', 'src/cli/program.ts']
/** Programs of threads, which are started by their address. */
const THREAD = /new URL\('(\.\/[\w-]+\.ts)', import\.meta\.url\)/g
// Packages that read files beside their own, or start threads from them.
const LEFT_ALONE = [
  ...[
    '@electric-sql/pglite',
    '@fortawesome/*',
    '@jitl/*',
    '@jsquash/*',
    '@myriaddreamin/*',
    '@node-rs/argon2',
    'pino',
    'satteri',
    'shiki',
  ],
]

/** Its folder, in which what is started has the path that it has in `src`, and the name `.mjs`. */
export async function bundleProgram(): Promise<string> {
  const sources = listSources()
  const name = BUNDLE_PREFIX + fingerprintOf(sources)
  const folder = join(CACHE, name)
  if (existsSync(folder)) return folder
  mkdirSync(CACHE, { recursive: true })
  const unfinished = mkdtempSync(join(CACHE, 'unfinished-'))
  await build({
    absWorkingDir: ROOT,
    entryPoints: [...MAIN, ...sources.flatMap(threadsOf)],
    outbase: 'src',
    outdir: unfinished,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    legalComments: 'none',
    // V8 keeps the text of what it loads. Names stay, and the maps lead from a stack trace to the sources.
    minifyWhitespace: true,
    lineLimit: LINE_CHARACTERS,
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'error',
    external: ['*.node', ...LEFT_ALONE],
    banner: { js: BANNER },
    plugins: [placesIn(name), packageNames],
  })
  for (const name of globSync('**/*.mjs', { cwd: unfinished })) {
    const path = join(unfinished, name)
    writeFileSync(path, inAscii(readFileSync(path, 'utf8')))
  }
  // It may be installed by one user and run by another.
  chmodSync(unfinished, 0o755)
  removeOld()
  try {
    renameSync(unfinished, folder)
  } catch {
    // Another run has made it meanwhile.
    rmSync(unfinished, { recursive: true, force: true })
  }
  return folder
}

// Where the project is, relative to the bundle, so that a moved folder goes on working.
const BANNER = `import { createRequire as octavoRequireOf } from 'node:module'
import { fileURLToPath as octavoPathOf } from 'node:url'
const octavoRoot = import.meta.url.slice(0, import.meta.url.lastIndexOf('/${BUNDLES}/') + 1)
const require = octavoRequireOf(octavoRoot)
`

const threadsOf = (path: string): string[] =>
  [
    ...(/\.[jt]s$/.test(path) && path.startsWith('src/')
      ? readFileSync(join(ROOT, path), 'utf8')
      : ''
    ).matchAll(THREAD),
  ].map(([, name = '']) => join(dirname(path), name))

/** What a file finds beside itself it finds beside its source, but for programs of threads. */
const placesIn = (bundle: string): Plugin => ({
  name: 'places',
  setup({ onLoad }) {
    // What is bundled looks for no bundle.
    onLoad({ filter: /\/src\/cli\/bundled\.js$/ }, () => ({
      contents: 'export const findBundle = () => undefined',
    }))
    onLoad({ filter: /\.[jt]s$/ }, ({ path }) => {
      const source = path.startsWith(join(ROOT, 'src/')) ? readFileSync(path, 'utf8') : ''
      if (!source.includes('import.meta.')) return undefined
      const place = path.slice(ROOT.length)
      const inRoot = (to: string): string => `octavoRoot + ${JSON.stringify(to)}`
      const thread = (_: string, file: string): string => {
        const made = join(BUNDLES, bundle, dirname(place).slice('src'.length), file)
        return `new URL(${inRoot(made.replace(/\.ts$/, '.mjs'))})`
      }
      const contents = source
        .replaceAll(THREAD, thread)
        .replaceAll('import.meta.url', `(${inRoot(place)})`)
        .replaceAll('import.meta.dirname', `octavoPathOf(${inRoot(dirname(place))})`)
      return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' }
    })
  },
})

// A dynamic import of a CommonJS package has the names that Node finds in it, and in a bundle of esbuild only `default`. So
// each package that is loaded when it is needed is loaded by a module that exports the names Node finds.
const packageNames: Plugin = {
  name: 'package names',
  setup({ onLoad, onResolve, resolve }) {
    onResolve({ filter: /^[^./]/ }, async ({ kind, path, importer, resolveDir, pluginData }) => {
      if (kind !== 'dynamic-import' || pluginData === IS_RESOLVED) return undefined
      const found = await resolve(path, { kind, importer, resolveDir, pluginData: IS_RESOLVED })
      if (found.external || found.errors.length > 0) return found
      return { path: relative(ROOT, found.path), namespace: LAZY_PACKAGE }
    })
    onLoad({ filter: /./, namespace: LAZY_PACKAGE }, async ({ path }) => {
      const names = Object.keys(await import(pathToFileURL(join(ROOT, path)).href))
      const exported = names.filter(name => /^[\w$]+$/.test(name)).join(', ')
      return { contents: `export { ${exported} } from './${path}'`, resolveDir: ROOT }
    })
  },
}
const IS_RESOLVED = 'resolved'
const LAZY_PACKAGE = 'lazy-package'

/**
 * The same program without other characters, which esbuild leaves in regular expressions and tagged templates: where
 * there is one, V8 keeps the text of the whole file in two bytes a character.
 */
export function inAscii(program: string): string {
  for (const [text] of program.matchAll(RAW_TEMPLATE))
    assert(!NOT_ASCII.test(text), `an escape would be text in ${text}: write this without String.raw`)
  return program.replace(
    /(\\*)([^\0-\x7f])/g,
    // A character that is escaped by a backslash means itself.
    (_, backslashes: string, character: string) =>
      `${backslashes.slice(backslashes.length % 2)}\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

const RAW_TEMPLATE = /String\.raw`(?:[^\\`]|\\[\s\S])*`/g
const NOT_ASCII = /[^\0-\x7f]/

function removeOld(): void {
  for (const name of globSync(`${BUNDLE_PREFIX}*`, { cwd: CACHE })) {
    const path = join(CACHE, name)
    if (statSync(path).mtimeMs < Date.now() - KEPT_MS) rmSync(path, { recursive: true, force: true })
  }
}

if (import.meta.main) await bundleProgram()
