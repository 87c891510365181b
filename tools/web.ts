// Makes what a browser loads of the workspace, after an install and before tests (src/site/workspace/bundle.ts finds it):
// once for what its sources say, minified and compressed, so that a server does neither.
//   node tools/web.ts
//   node tools/web.ts --watch    again after every change of the sources
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'
import { iconRules } from '../src/site/layout/icons.ts'
import { MANIFEST, type Manifest, WEB_PREFIX, webFolder } from '../src/site/workspace/bundle.ts'
import { writeApiTypes } from './api-types.ts'
import { ENTRY, fewFiles, firstFilesOf, NOTHING_SHARED, sharedIn } from './web-files.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
// Older ones are of other sources.
const KEPT_MS = 24 * 3_600_000
const LANGUAGES = ['en', 'de']

const OPTIONS = {
  absWorkingDir: ROOT,
  entryPoints: [ENTRY],
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'browser',
  target: ['chrome111', 'firefox113', 'safari16.4'],
  jsx: 'automatic',
  minify: true,
  legalComments: 'none',
  metafile: true,
  loader: { '.woff2': 'file' },
  define: { 'process.env.NODE_ENV': '"production"' },
  logLevel: 'error',
} satisfies BuildOptions

/** Its folder. */
export async function bundleWeb(): Promise<string> {
  const folder = webFolder()
  if (existsSync(join(folder, MANIFEST))) return folder
  mkdirSync(dirname(folder), { recursive: true })
  const unfinished = mkdtempSync(join(dirname(folder), 'unfinished-'))
  try {
    await bundleInto(unfinished)
    renameSync(unfinished, folder)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    // Another run may have made it meanwhile.
    if (!existsSync(join(folder, MANIFEST))) throw error
  }
  removeOld(dirname(folder))
  return folder
}

async function bundleInto(folder: string): Promise<void> {
  const apart = await build({
    ...OPTIONS,
    outdir: folder,
    write: false,
    plugins: [...PLUGINS, fewFiles(NOTHING_SHARED)],
  })
  const plugins = [...PLUGINS, fewFiles(sharedIn(apart.metafile))]
  const { metafile } = await build({ ...OPTIONS, outdir: folder, plugins })
  removeEmpty(folder, metafile)
  const { script, stylesheet } = firstFilesOf(metafile)
  // Each other entry has a copy of the styles, which nothing loads.
  for (const name of readdirSync(folder))
    if (name.endsWith('.css') && name !== stylesheet) rmSync(join(folder, name))
  const files = readdirSync(folder)
  for (const name of files.filter(name => /\.(?:js|css)$/.test(name))) compress(join(folder, name))
  writeFileSync(join(folder, MANIFEST), JSON.stringify({ script, stylesheet, files } satisfies Manifest))
}

/** Modules that only pass on what others export leave files that hold nothing. */
function removeEmpty(folder: string, { outputs }: Metafile): void {
  const empty = Object.keys(outputs).filter(path => outputs[path]?.bytes === 0)
  for (const path of empty) rmSync(join(ROOT, path))
  for (const name of readdirSync(folder).filter(name => name.endsWith('.js'))) {
    const path = join(folder, name)
    const imports = empty.map(one => `import"./${basename(one)}";`)
    writeFileSync(
      path,
      imports.reduce((text, one) => text.replaceAll(one, ''), readFileSync(path, 'utf8')),
    )
  }
}

/** Components bring their texts in thirty languages; the workspace has these. */
const ownLanguages: Plugin = {
  name: 'own languages',
  setup({ onLoad }) {
    onLoad({ filter: /\/intl\/.*\/[a-z]{2}-[A-Z]{2}\.(?:mjs|js|json)$/ }, ({ path }) => {
      const language = basename(path).slice(0, 2)
      return LANGUAGES.includes(language) ? undefined : { contents: 'export default {}', loader: 'js' }
    })
  },
}

/**
 * The index of the components names them all, and with it the first file would hold whatever any screen uses. Of it the
 * workspace takes what is nowhere else.
 */
const ownIndex: Plugin = {
  name: 'own index',
  setup({ onResolve, onLoad }) {
    const namespace = 'own-index'
    onResolve({ filter: /^react-aria-components$/ }, ({ path }) => ({ path, namespace }))
    onLoad({ filter: /.*/, namespace }, ({ path }) => ({
      contents: `export { I18nProvider } from '${path}/I18nProvider'
        export { RouterProvider } from 'react-aria/private/utils/openLink'`,
      resolveDir: join(ROOT, 'node_modules', path),
    }))
  },
}

/**
 * The same of the layouts of virtualized lists: that of a grid, which one screen needs, comes with it. `Virtualizer` and
 * its neighbours have what they use of the index by its own places.
 */
const ownLayouts: Plugin = {
  name: 'own layouts',
  setup({ onResolve, onLoad }) {
    const namespace = 'own-layouts'
    const resolveDir = join(ROOT, 'node_modules')
    onResolve({ filter: /^react-aria-components\/Virtualizer$/ }, ({ path }) => ({ path, namespace }))
    onResolve({ filter: /^react-stately\/useVirtualizerState$/ }, ({ path, importer }) =>
      importer.includes('/node_modules/') ? { path, namespace } : undefined,
    )
    onLoad({ filter: /^react-aria-components/, namespace }, () => ({
      contents: `export { Virtualizer } from './react-aria-components/dist/private/Virtualizer.mjs'
        export { ListLayout } from './react-stately/dist/private/layout/ListLayout.mjs'`,
      resolveDir,
    }))
    onLoad({ filter: /^react-stately/, namespace }, () => ({
      contents: ['useVirtualizerState', 'Layout', 'LayoutInfo', 'Point', 'Rect', 'ReusableView', 'Size']
        .map(name => `export { ${name} } from './react-stately/dist/private/virtualizer/${name}.mjs'`)
        .join('\n'),
      resolveDir,
    }))
  },
}

/**
 * esbuild cuts by modules, whatever of them is used. Of these, the editor needs at once a part that keeps no state, or
 * nothing: it has a copy with that alone.
 */
const ownCopies: Plugin = {
  name: 'own copies',
  setup({ onResolve, resolve }) {
    const copied = (importer: string) =>
      importer.endsWith('/editor/text-sync.ts') || importer.includes('/@codemirror/lang-')
    onResolve({ filter: /^@codemirror\/(?:merge|autocomplete)$/ }, async ({ path, pluginData, ...from }) => {
      if (pluginData === COPY || !copied(from.importer)) return undefined
      const { importer, resolveDir, kind } = from
      const resolved = await resolve(path, { importer, resolveDir, kind, pluginData: COPY })
      return { path: resolved.path, suffix: '?copy', sideEffects: false }
    })
  },
}
const COPY = 'copy'

/** The icons of what is written, as the reader draws them. */
const readerIcons: Plugin = {
  name: 'icons of the reader',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^octavo:icons$/ }, ({ path }) => ({ path, namespace: 'octavo' }))
    onLoad({ filter: /^octavo:icons$/, namespace: 'octavo' }, () => ({
      contents: iconRules(),
      loader: 'css',
    }))
  },
}

const PLUGINS = [ownLanguages, ownIndex, ownLayouts, ownCopies, readerIcons]

function compress(path: string): void {
  const bytes = readFileSync(path)
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }))
}

function removeOld(folder: string): void {
  for (const name of readdirSync(folder).filter(name => name.startsWith(WEB_PREFIX))) {
    const path = join(folder, name)
    if (statSync(path).mtimeMs < Date.now() - KEPT_MS) rmSync(path, { recursive: true, force: true })
  }
}

// What an editor saves in several steps is bundled once.
const SETTLE_MS = 50

function bundleOnChange(): void {
  let timer: NodeJS.Timeout | undefined
  const again = () => bundleWeb().catch(error => process.stderr.write(`${error.message}\n`))
  for (const folder of ['src/web', 'src/site/assets', 'src/engines/markdown/blocks'])
    watch(join(ROOT, folder), { recursive: true }, (_, name) => {
      if (name === relative('src/web', 'src/web/data/api.d.ts')) return
      clearTimeout(timer)
      timer = setTimeout(again, SETTLE_MS)
    })
}

if (import.meta.main) {
  writeApiTypes()
  await bundleWeb()
  if (process.argv.includes('--watch')) bundleOnChange()
}
