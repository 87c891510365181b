// An operator's fonts, for characters that the packaged fonts lack.
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

const FONT = /\.(?:ttf|otf|ttc)$/i
/** Each document that needs them holds all of them in memory. */
const BYTES_MAX = 128 * 1024 * 1024

/** The font files of a folder in name order, as many as fit. */
export async function readOwnFonts(folder: string): Promise<Uint8Array[]> {
  const fonts: Uint8Array[] = []
  let bytes = 0
  for (const name of (await readdir(folder)).sort()) {
    if (!FONT.test(name)) continue
    const path = join(folder, name)
    bytes += (await stat(path)).size
    if (bytes > BYTES_MAX) break
    fonts.push(await readFile(path))
  }
  return fonts
}
