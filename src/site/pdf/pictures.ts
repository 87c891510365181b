// Which pictures a PDF file draws, and in how many pixels: no more than a sheet shows, and fewer where there are many,
// since Typst holds the pixels of all of them at once.
import type { FileRecord } from '../../engines/content/records.ts'
import { isScaled, type Size, sizeWithin } from '../../platform/pictures/scaler.ts'

/** `size`: what the picture is scaled to first; absent if it goes as it is. */
export type DrawnPicture = { readonly file: FileRecord; readonly size?: Size }

export type ChosenPictures = {
  /** By the addresses of the pictures on the pages. */
  readonly paths: ReadonlyMap<string, string>
  readonly files: ReadonlyMap<string, DrawnPicture>
}

/** Larger pictures are replaced by a link. */
const PICTURE_BYTES_MAX = 20 * 1024 * 1024
const PICTURES_BYTES_MAX = 200 * 1024 * 1024
/** Four bytes each while a picture is read; the second bound is for the time that all of a file take. */
const PICTURE_PIXELS_MAX = 40_000_000
const PICTURES_PIXELS_MAX = 1_000_000_000
/** The most that the template gives a picture, in points. */
const SHEET: Size = { width: 470.6, height: 560 }
const POINTS_PER_INCH = 72
/**
 * Dots in an inch, and how many may be drawn: up to six bytes each until the file is made, with what Typst writes of
 * them. The template draws a picture in 96 dots, so with fewer it would be smaller on the sheet.
 */
const DENSITIES = [
  { dots: 150, pixelsMax: 60_000_000 },
  { dots: 120, pixelsMax: 60_000_000 },
  { dots: 96, pixelsMax: 100_000_000 },
]

export class Pictures {
  readonly #addresses = new Map<string, FileRecord>()

  readonly see = (src: string, record: FileRecord): void => {
    this.#addresses.set(src, record)
  }

  /** In the highest density in which all pictures can be drawn; if there is none, the last ones are left out. */
  choose(): ChosenPictures {
    let chosen: Choice | undefined
    for (const { dots, pixelsMax } of DENSITIES) {
      chosen = new Choice(boxOf(dots), pixelsMax)
      for (const [src, record] of this.#addresses) chosen.add(src, record)
      if (!chosen.isBeyond) break
    }
    return chosen ?? { paths: new Map(), files: new Map() }
  }
}

const boxOf = (dots: number): Size => ({
  width: Math.ceil((SHEET.width / POINTS_PER_INCH) * dots),
  height: Math.ceil((SHEET.height / POINTS_PER_INCH) * dots),
})

class Choice implements ChosenPictures {
  readonly paths = new Map<string, string>()
  readonly files = new Map<string, DrawnPicture>()
  /** Whether a picture was left out that could be drawn in fewer pixels. */
  isBeyond = false
  readonly #most: Size
  readonly #drawnPixelsMax: number
  #bytes = 0
  #pixels = 0
  #drawnPixels = 0

  constructor(most: Size, drawnPixelsMax: number) {
    this.#most = most
    this.#drawnPixelsMax = drawnPixelsMax
  }

  add(src: string, file: FileRecord): void {
    const path = `/pictures/${file.blob}`
    if (!this.files.has(path) && !this.#take(path, file)) return
    this.paths.set(src, path)
  }

  #take(path: string, file: FileRecord): boolean {
    const pixels = pixelsOf(file)
    if (pixels === undefined || pixels > PICTURE_PIXELS_MAX || file.size > PICTURE_BYTES_MAX) return false
    if (this.#bytes + file.size > PICTURES_BYTES_MAX || this.#pixels + pixels > PICTURES_PIXELS_MAX)
      return false
    const size = scaledSizeOf(file, this.#most)
    const drawn = size === undefined ? pixels : size.width * size.height
    if (this.#drawnPixels + drawn > this.#drawnPixelsMax) {
      this.isBeyond = true
      return false
    }
    this.#bytes += file.size
    this.#pixels += pixels
    this.#drawnPixels += drawn
    this.files.set(path, size === undefined ? { file } : { file, size })
    return true
  }
}

/** Undefined if no picture was found in the file; 0 for SVG, which has no pixels. */
const pixelsOf = ({ contentType, dimensions }: FileRecord): number | undefined =>
  contentType.startsWith('image/svg') ? 0 : dimensions && dimensions.width * dimensions.height

function scaledSizeOf({ contentType, dimensions }: FileRecord, most: Size): Size | undefined {
  if (dimensions === undefined || !isScaled(contentType)) return undefined
  const size = sizeWithin(dimensions, most)
  return size.width < dimensions.width ? size : undefined
}
