// Typesets one document, for a thread of its own: Typst as WebAssembly, which sees no disk, no network, and nothing
// but its input.
import { readFileSync } from 'node:fs'
import * as typst from '@myriaddreamin/typst-ts-web-compiler'
import { boundMemory, PAGE_BYTES } from './memory-bound.ts'
import { placeOfPackaged } from './packaged.ts'

export type TypesetInput = {
  readonly megabytesMax: number
  /** Paths in packages. */
  readonly fonts: readonly string[]
  /** An operator's fonts. */
  readonly ownFonts: readonly Uint8Array[]
  /** Texts that the template reads, by path. */
  readonly texts: Readonly<Record<string, string>>
  /** Paths of the pictures, each of which is asked for. */
  readonly pictures: readonly string[]
}

export type Typeset =
  | { readonly kind: 'done'; readonly pdf: Uint8Array }
  | { readonly kind: 'beyond memory' }
  | { readonly kind: 'failed'; readonly message: string }

type AskPicture = (path: string) => Promise<Uint8Array | null>

const PDF = 1
const PAGED = 0
const WHOLE_DIAGNOSTICS = 3
const WASM = '@myriaddreamin/typst-ts-web-compiler/pkg/typst_ts_web_compiler_bg.wasm'
const MAIN = '/book.typ'
const PICTURE_CHECK = '/picture-check.typ'

export const tasks = { typeset }

async function typeset(input: TypesetInput, ask: AskPicture): Promise<Typeset> {
  const wasm = readPackaged(WASM)
  const pagesMax = Math.floor((input.megabytesMax * 1024 * 1024) / PAGE_BYTES)
  const { memory } = typst.initSync({
    module: await WebAssembly.compile(boundMemory(wasm, pagesMax)),
  })
  try {
    return await typesetWithin(input, ask)
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) throw error
    // Rust traps if it gets no more memory.
    const isFull = memory.buffer.byteLength > (pagesMax * PAGE_BYTES) / 2
    return isFull ? { kind: 'beyond memory' } : { kind: 'failed', message: String(error.stack) }
  }
}

async function typesetWithin(input: TypesetInput, ask: AskPicture): Promise<Typeset> {
  const builder = new typst.TypstCompilerBuilder()
  // The library's term for a compiler without a file system: a document reads nothing but its input.
  builder.set_dummy_access_model()
  for (const font of input.fonts) await builder.add_raw_font(readPackaged(font))
  for (const font of input.ownFonts) await builder.add_raw_font(font)
  const compiler = await builder.build()
  compiler.add_source(MAIN, readFileSync(new URL('./book.typ', import.meta.url), 'utf8'))
  for (const [path, text] of Object.entries(input.texts)) compiler.map_shadow(path, Buffer.from(text))
  const readable = await addPictures(compiler, input.pictures, ask)
  compiler.map_shadow('/pictures.json', Buffer.from(JSON.stringify(readable)))
  const world = compiler.snapshot('/', MAIN)
  const compiled: Result = world.compile(PAGED, WHOLE_DIAGNOSTICS)
  if (compiled.hasError) return { kind: 'failed', message: messageOf(compiled) }
  const { result, ...exported }: Result = world.get_artifact(PDF, WHOLE_DIAGNOSTICS)
  return result === undefined
    ? { kind: 'failed', message: messageOf(exported) }
    : { kind: 'done', pdf: result }
}

const readPackaged = (file: string): Uint8Array => readFileSync(placeOfPackaged(file))

type Diagnostic = { readonly severity: string; readonly message: string; readonly range: string }
type Result = {
  readonly hasError?: boolean
  readonly result?: Uint8Array
  readonly diagnostics?: readonly Diagnostic[]
}

const messageOf = ({ diagnostics = [] }: Result): string =>
  diagnostics
    .filter(({ severity }) => severity === 'error')
    .slice(0, 3)
    .map(({ message, range }) => `${message} (${range})`)
    .join('; ') || 'no reason was given'

/** Adds the pictures that can be drawn: one that cannot would fail the document. */
async function addPictures(
  compiler: typst.TypstCompiler,
  paths: readonly string[],
  ask: AskPicture,
): Promise<Record<string, true>> {
  const readable: Record<string, true> = {}
  for (const path of paths) {
    const bytes = await ask(path)
    if (bytes === null) continue
    compiler.map_shadow(path, bytes)
    compiler.add_source(PICTURE_CHECK, `#image(${JSON.stringify(path)})`)
    const { hasError }: Result = compiler.snapshot('/', PICTURE_CHECK).compile(PAGED, WHOLE_DIAGNOSTICS)
    if (hasError === true) compiler.unmap_shadow(path)
    else readable[path] = true
  }
  return readable
}
