// The reader's own files: a stylesheet with its fonts, scripts and a picture. Their names contain a hash of their bytes,
// so browsers may keep them forever, and a new version has a new address.
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { brotliCompress, gzip as gzipCompress } from 'node:zlib'
import { sha256 } from '../base/canonical.ts'
import { iconRules } from './layout/icons.ts'
import type { AssetPaths } from './layout/view.ts'

/** Assets are below this path of the server; the routes serve every `Asset.path` as it is. */
export const ASSETS_PATH = '/assets/'

/** Headers of an asset other than its content type. Its name changes with its bytes. */
export const ASSET_CACHE_CONTROL = 'public, max-age=31536000, immutable'

export interface Asset {
  readonly path: string
  readonly contentType: string
  readonly body: Buffer
  readonly gzip: Promise<Buffer>
  readonly brotli: Promise<Buffer>
}

export interface Assets {
  readonly paths: AssetPaths
  /** The styles that a print view embeds, so that it can be saved as one file. */
  readonly printStyles: string
  /** The asset at a path on the server, or undefined. */
  find(path: string): Asset | undefined
}

const HASH_LENGTH = 12
const FONT_TYPE = 'font/woff2'

/** Compressed by itself: it is sent as it is. */
export const isPacked = ({ contentType }: Asset): boolean => contentType === FONT_TYPE

/** Reads the files once; a server keeps the result as long as it runs. */
export function readAssets(): Assets {
  const pages = read('reader.css') + read('content.css')
  const fonts = readFonts()
  const forms = read('members.css') + read('sign-in.css') + read('second-factor.css')
  const styles = fonts.rules + read('fonts.css') + pages + forms + iconRules()
  const stylesheet = asset('reader.css', 'text/css; charset=utf-8', styles)
  const script = asset('reader.js', 'text/javascript; charset=utf-8', read('content.js') + read('reader.js'))
  const passkeys = asset(
    'passkeys.js',
    'text/javascript; charset=utf-8',
    passkeyLibrary() + read('passkeys.js'),
  )
  const icon = asset('mark.svg', 'image/svg+xml', read('mark.svg'))
  const byPath = new Map([stylesheet, script, passkeys, icon, ...fonts.files].map(one => [one.path, one]))
  return {
    paths: {
      stylesheet: stylesheet.path,
      script: script.path,
      passkeys: passkeys.path,
      icon: icon.path,
    },
    printStyles: pages + read('print.css') + iconRules(),
    find: path => byPath.get(path),
  }
}

const read = (name: string): string => readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8')

/** One file for each alphabet, which a browser loads only where a page has its letters. */
function readFonts(): { readonly rules: string; readonly files: readonly Asset[] } {
  const from = import.meta.resolve('@fontsource-variable/inter/wght.css')
  const files: Asset[] = []
  const rules = readFileSync(new URL(from), 'utf8').replace(
    /url\((\.\/files\/([\w-]+)\.woff2)\)/g,
    (_, path, name) => {
      const font = asset(`${name}.woff2`, FONT_TYPE, readFileSync(new URL(path, from)))
      files.push(font)
      return `url(${font.path})`
    },
  )
  return { rules, files }
}

/** It names itself on `globalThis`, as none of our files is bundled. */
const passkeyLibrary = (): string =>
  readFileSync(
    new URL('../dist/bundle/index.umd.min.js', import.meta.resolve('@simplewebauthn/browser')),
    'utf8',
  )

function asset(name: string, contentType: string, content: string | Buffer): Asset {
  const [stem, extension] = name.split('.')
  const body = Buffer.from(content)
  const path = `${ASSETS_PATH}${stem}.${sha256(body).slice(0, HASH_LENGTH)}.${extension}`
  let gzip: Promise<Buffer> | undefined
  let brotli: Promise<Buffer> | undefined
  return {
    path,
    contentType,
    body,
    // compressed on the first request, off the event loop: it takes a third of a second
    get gzip() {
      gzip ??= promisify(gzipCompress)(body)
      return gzip
    },
    get brotli() {
      brotli ??= promisify(brotliCompress)(body)
      return brotli
    },
  }
}
