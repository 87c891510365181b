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
import { build, type Metafile, type Plugin } from 'esbuild'
import { assert } from '../src/base/assert.ts'
import { iconRules } from '../src/site/layout/icons.ts'
import { MANIFEST, type Manifest, WEB_PREFIX, webFolder } from '../src/site/workspace/bundle.ts'
import { writeApiTypes } from './api-types.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const ENTRY = 'src/web/main.tsx'
// Older ones are of other sources.
const KEPT_MS = 24 * 3_600_000
const LANGUAGES = ['en', 'de']

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
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [ENTRY],
    outdir: folder,
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
    plugins: [ownLanguages, ownIndex, oneFirstFile, readerIcons],
  })
  const { stylesheet, ...manifest } = manifestOf(metafile)
  // Each other entry has a copy of the styles, which nothing loads.
  for (const name of readdirSync(folder))
    if (name.endsWith('.css') && name !== stylesheet) rmSync(join(folder, name))
  const files = readdirSync(folder)
  for (const name of files.filter(name => /\.(?:js|css)$/.test(name))) compress(join(folder, name))
  writeFileSync(join(folder, MANIFEST), JSON.stringify({ stylesheet, ...manifest, files } satisfies Manifest))
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
 * What comes when it is opened imports the entry, which has run by then: whatever the entry needs is then needed by all,
 * and stands in one file. Otherwise it is split by who else needs it, and the first screen waits for a dozen.
 */
const oneFirstFile: Plugin = {
  name: 'one first file',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\.tsx$/ }, ({ kind, path, resolveDir }) =>
      kind === 'dynamic-import' ? { path: join(resolveDir, path), pluginData: IS_LATER } : undefined,
    )
    onLoad({ filter: /\.tsx$/ }, ({ path, pluginData }) =>
      pluginData === IS_LATER
        ? {
            contents: `${readFileSync(path, 'utf8')}\nimport ${JSON.stringify(join(ROOT, ENTRY))}`,
            loader: 'tsx',
          }
        : undefined,
    )
  },
}
const IS_LATER = 'later'

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

function compress(path: string): void {
  const bytes = readFileSync(path)
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }))
}

function manifestOf({ outputs }: Metafile): Omit<Manifest, 'files'> {
  const entry = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === ENTRY)
  assert(entry?.[1].cssBundle !== undefined, `${ENTRY} is not among the outputs`)
  return {
    script: basename(entry[0]),
    stylesheet: basename(entry[1].cssBundle),
    preloads: [...staticImportsOf(outputs, entry[0])].map(path => basename(path)),
  }
}

function staticImportsOf(outputs: Metafile['outputs'], path: string): Set<string> {
  const reached = new Set([path])
  for (const one of reached)
    for (const { kind, path: target } of outputs[one]?.imports ?? [])
      if (kind === 'import-statement') reached.add(target)
  reached.delete(path)
  return reached
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
  for (const folder of ['src/web', 'src/site/assets'])
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
