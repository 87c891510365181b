// The program that tests start, in a few files instead of 1,900: to find and load them all is a third of a start. Made
// once for what the sources say, and kept with what is compiled of it where a clean install removes it.
import { createHash } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const CACHE = join(ROOT, 'node_modules/.cache/octavo')
const PREFIX = 'program-'
// Older ones are of other sources. A run that still uses one has begun since.
const KEPT_MS = 24 * 3_600_000

const MAIN = 'src/cli/main.js'
/** Programs of threads, which are started by their address. */
const THREAD = /new URL\('(\.\/[\w-]+\.ts)', import\.meta\.url\)/g
// Packages that read files beside their own, or start threads from them.
const LEFT_ALONE = [
  ...[
    '@electric-sql/pglite',
    '@fortawesome/*',
    '@jitl/*',
    '@myriaddreamin/*',
    '@node-rs/argon2',
    'katex',
    'pino',
    'satteri',
    'shiki',
  ],
]

/** Its folder, in which what is started has the path that it has in `src`, and the name `.mjs`. */
export async function bundleProgram(): Promise<string> {
  const sources = globSync('src/**/*.{ts,js}', { cwd: ROOT })
    .filter(path => !path.endsWith('.test.ts'))
    .sort()
  const folder = join(CACHE, PREFIX + fingerprintOf(sources))
  if (existsSync(folder)) return folder
  mkdirSync(CACHE, { recursive: true })
  const unfinished = mkdtempSync(join(CACHE, 'unfinished-'))
  await build({
    absWorkingDir: ROOT,
    entryPoints: [MAIN, ...sources.flatMap(threadsOf)],
    outbase: 'src',
    outdir: unfinished,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    legalComments: 'none',
    logLevel: 'error',
    external: ['*.node', ...LEFT_ALONE],
    banner: {
      js: `import { createRequire as requireOf } from 'node:module'; const require = requireOf(${addressOf(MAIN)});`,
    },
    plugins: [placesIn(folder)],
  })
  removeOld()
  try {
    renameSync(unfinished, folder)
  } catch {
    // Another run has made it meanwhile.
    rmSync(unfinished, { recursive: true, force: true })
  }
  return folder
}

/** Everything that decides what the program is, and what its first start makes. */
function fingerprintOf(sources: readonly string[]): string {
  const hash = createHash('sha256')
  const others = globSync(['src/**/*.sql', 'docs/**/*'], { cwd: ROOT, exclude: ['docs/decisions'] }).sort()
  for (const path of ['package-lock.json', 'tools/program.ts', ...sources, ...others])
    if (statSync(join(ROOT, path)).isFile()) hash.update(`${path}\0`).update(readFileSync(join(ROOT, path)))
  return hash.digest('hex').slice(0, 16)
}

const threadsOf = (path: string): string[] =>
  [...readFileSync(join(ROOT, path), 'utf8').matchAll(THREAD)].map(([, name = '']) =>
    join(dirname(path), name),
  )

const addressOf = (path: string): string => JSON.stringify(pathToFileURL(resolve(ROOT, path)).href)

/** What a file finds beside itself it finds beside its source, but for programs of threads. */
const placesIn = (folder: string): Plugin => ({
  name: 'places',
  setup({ onLoad }) {
    onLoad({ filter: /\.[jt]s$/ }, ({ path }) => {
      const source = path.startsWith(join(ROOT, 'src/')) ? readFileSync(path, 'utf8') : ''
      if (!source.includes('import.meta.')) return undefined
      const thread = (_: string, name: string): string => {
        const made = join(folder, dirname(path).slice(join(ROOT, 'src').length), name)
        return `new URL(${addressOf(made.replace(/\.ts$/, '.mjs'))})`
      }
      const contents = source
        .replaceAll(THREAD, thread)
        .replaceAll('import.meta.url', addressOf(path))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
      return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' }
    })
  },
})

function removeOld(): void {
  for (const name of globSync(`${PREFIX}*`, { cwd: CACHE })) {
    const path = join(CACHE, name)
    if (statSync(path).mtimeMs < Date.now() - KEPT_MS) rmSync(path, { recursive: true, force: true })
  }
}
