// A zip archive of a folder, made piece by piece in the browser. It comes when a folder is sent.
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'

/** Of bytes. */
export type Progress = { readonly done: number; readonly total: number }

/** Compressed already. */
const PACKED = /\.(?:png|jpe?g|gif|webp|avif|mp4|webm|mov|mp3|ogg|zip|gz|7z|pdf|docx|xlsx|pptx)$/i
/** What is packed is given to the browser, which may put it on the disk. */
const HELD_BYTES_MAX = 8 * 1024 * 1024

/** A zip archive of the files with their paths, made piece by piece. */
export default async function packFolder(
  files: readonly File[],
  onProgress: (progress: Progress) => void,
): Promise<Blob> {
  const total = files.reduce((sum, { size }) => sum + size, 0)
  let parts: BlobPart[] = []
  let held = 0
  let failure: Error | undefined
  const zip = new Zip((error, bytes) => {
    if (error !== null) {
      failure = error
      return
    }
    parts.push(bytes as Uint8Array<ArrayBuffer>)
    held += bytes.length
  })
  let done = 0
  for (const file of files) {
    const path = file.webkitRelativePath === '' ? file.name : file.webkitRelativePath
    const entry = PACKED.test(file.name) ? new ZipPassThrough(path) : new ZipDeflate(path)
    zip.add(entry)
    const reader = file.stream().getReader()
    for (;;) {
      const { done: isRead, value } = await reader.read()
      if (value !== undefined) {
        entry.push(value)
        done += value.length
        onProgress({ done, total })
      }
      if (failure !== undefined) throw failure
      if (isRead) break
    }
    entry.push(new Uint8Array(), true)
    if (held < HELD_BYTES_MAX) continue
    parts = [new Blob(parts)]
    held = 0
  }
  zip.end()
  if (failure !== undefined) throw failure
  return new Blob(parts, { type: 'application/zip' })
}
