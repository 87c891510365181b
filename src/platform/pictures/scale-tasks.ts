// Makes one picture smaller, for a thread of its own: codecs as WebAssembly, which see nothing but the picture, with a
// bound on the memory of each.
import { readFileSync } from 'node:fs'
import decodeJpeg, { init as initJpegDecoder } from '@jsquash/jpeg/decode.js'
import encodeJpeg, { init as initJpegEncoder } from '@jsquash/jpeg/encode.js'
import decodePng, { init as initPngDecoder } from '@jsquash/png/decode.js'
import encodePng, { init as initPngEncoder } from '@jsquash/png/encode.js'
import resize, { initResize } from '@jsquash/resize'
import decodeWebp, { init as initWebpDecoder } from '@jsquash/webp/decode.js'
import { boundMemory, PAGE_BYTES } from '../typst/memory-bound.ts'
import { placeOfPackaged } from '../typst/packaged.ts'

export type ScaleInput = {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly contentType: ScaledType
  readonly width: number
  readonly height: number
}

export type ScaledType = keyof typeof codecs

/** `failed`: the codec refused the picture, or ran out of memory. */
export type Scaled =
  | { readonly kind: 'done'; readonly bytes: Uint8Array }
  | { readonly kind: 'failed'; readonly message: string }

/** As the codecs have it: four bytes for each pixel. */
type Pixels = { readonly data: Uint8ClampedArray; readonly width: number; readonly height: number }

const MEGABYTES_MAX = 384
const QUALITY = 82
const OPAQUE = 255
/** Bytes for each pixel. A screenshot has about a third of one; a photograph kept without loss has two or three. */
const LOSSLESS_BYTES_MAX = 1

// The codecs make their results with the browser's class, which Node does not have.
class PixelsOfCodecs implements Pixels {
  readonly data: Uint8ClampedArray
  readonly width: number
  readonly height: number
  constructor(data: Uint8ClampedArray, width: number, height: number) {
    this.data = data
    this.width = width
    this.height = height
  }
}
Object.assign(globalThis, { ImageData: PixelsOfCodecs })

const load = (file: string): Promise<WebAssembly.Module> =>
  WebAssembly.compile(
    boundMemory(
      readFileSync(placeOfPackaged(`@jsquash/${file}`)),
      Math.floor((MEGABYTES_MAX * 1024 * 1024) / PAGE_BYTES),
    ),
  )

/** Each codec is loaded when a picture first needs it. */
const once = (init: (module: WebAssembly.Module) => unknown, file: string): (() => Promise<unknown>) => {
  let isReady: Promise<unknown> | undefined
  return () => {
    isReady ??= load(file).then(init)
    return isReady
  }
}

const PNG = 'png/codec/pkg/squoosh_png_bg.wasm'
const ready = {
  jpegDecoder: once(initJpegDecoder, 'jpeg/codec/dec/mozjpeg_dec.wasm'),
  jpegEncoder: once(initJpegEncoder, 'jpeg/codec/enc/mozjpeg_enc.wasm'),
  pngDecoder: once(initPngDecoder, PNG),
  pngEncoder: once(initPngEncoder, PNG),
  webpDecoder: once(initWebpDecoder, 'webp/codec/dec/webp_dec.wasm'),
  resizer: once(initResize, 'resize/lib/resize/pkg/squoosh_resize_bg.wasm'),
}

const codecs = {
  'image/jpeg': {
    async decode(bytes: ArrayBuffer): Promise<Pixels> {
      await ready.jpegDecoder()
      // Turned as its camera was held, which the smaller picture no longer says.
      return decodeJpeg(bytes, { preserveOrientation: true })
    },
    encode: toJpeg,
  },
  'image/png': {
    async decode(bytes: ArrayBuffer): Promise<Pixels> {
      await ready.pngDecoder()
      return decodePng(bytes)
    },
    encode: toSmallPng,
  },
  'image/webp': {
    async decode(bytes: ArrayBuffer): Promise<Pixels> {
      await ready.webpDecoder()
      return decodeWebp(bytes)
    },
    encode: (pixels: Pixels) => (isOpaque(pixels) ? toJpeg(pixels) : toPng(pixels)),
  },
} as const

export const tasks = { scale }

async function scale({ bytes, contentType, width, height }: ScaleInput): Promise<Scaled> {
  const { decode, encode } = codecs[contentType]
  try {
    const pixels = await decode(bytes.buffer)
    await ready.resizer()
    const smaller = await resize(pixels as never, {
      ...{ width, height, method: 'triangle', linearRGB: false },
      premultiply: !isOpaque(pixels),
    })
    return { kind: 'done', bytes: new Uint8Array(await encode(smaller)) }
  } catch (error) {
    return { kind: 'failed', message: String(error) }
  }
}

function isOpaque({ data }: Pixels): boolean {
  for (let at = 3; at < data.length; at += 4) if (data[at] !== OPAQUE) return false
  return true
}

async function toJpeg(pixels: Pixels): Promise<ArrayBuffer> {
  await ready.jpegEncoder()
  return encodeJpeg(pixels as never, { quality: QUALITY, progressive: false })
}

/** What PNG does not compress is a photograph, of which JPEG keeps all that a sheet shows, in a tenth of the bytes. */
async function toSmallPng(pixels: Pixels): Promise<ArrayBuffer> {
  const bytes = await toPng(pixels)
  const isPhotograph = bytes.byteLength > LOSSLESS_BYTES_MAX * pixels.width * pixels.height
  return isPhotograph && isOpaque(pixels) ? toJpeg(pixels) : bytes
}

async function toPng(pixels: Pixels): Promise<ArrayBuffer> {
  await ready.pngEncoder()
  return encodePng(pixels as never)
}
