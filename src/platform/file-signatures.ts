// Types of files by their first bytes.

type Signature = {
  /** Latin-1 text. */
  readonly bytes: string
  readonly at?: number
  readonly type: string
  /** Containers of many kinds: a name with one of these endings decides the type. */
  readonly endings?: readonly string[]
}

// A signature of fewer than four bytes matches too many other files; the ending has to match as well.
const WEAK_BYTES = 4

const OFFICE = [
  'docx',
  'xlsx',
  'pptx',
  'odt',
  'ods',
  'odp',
  'epub',
  'jar',
  'apk',
  'key',
  'numbers',
  'pages',
  'sketch',
]

const SIGNATURES: readonly Signature[] = [
  { bytes: '\x89PNG\r\n\x1a\n', type: 'image/png' },
  { bytes: '\xff\xd8\xff', type: 'image/jpeg' },
  { bytes: 'GIF87a', type: 'image/gif' },
  { bytes: 'GIF89a', type: 'image/gif' },
  { bytes: 'WEBP', at: 8, type: 'image/webp' },
  { bytes: 'WAVE', at: 8, type: 'audio/wav' },
  { bytes: 'AVI ', at: 8, type: 'video/x-msvideo' },
  { bytes: 'II*\0', type: 'image/tiff' },
  { bytes: 'MM\0*', type: 'image/tiff' },
  { bytes: '\0\0\0\x0cJXL ', type: 'image/jxl' },
  { bytes: '\xff\x0a', type: 'image/jxl' },
  { bytes: 'BM', type: 'image/bmp' },
  { bytes: '\0\0\x01\0', type: 'image/vnd.microsoft.icon', endings: ['ico'] },
  { bytes: '%PDF-', type: 'application/pdf' },
  { bytes: 'PK\x03\x04', type: 'application/zip', endings: OFFICE },
  { bytes: 'PK\x05\x06', type: 'application/zip', endings: OFFICE },
  { bytes: '\x1f\x8b\x08', type: 'application/gzip' },
  { bytes: 'BZh', type: 'application/x-bzip2' },
  { bytes: '\xfd7zXZ\0', type: 'application/x-xz' },
  { bytes: '7z\xbc\xaf\x27\x1c', type: 'application/x-7z-compressed' },
  { bytes: 'Rar!\x1a\x07', type: 'application/vnd.rar' },
  { bytes: 'ustar', at: 257, type: 'application/x-tar' },
  {
    bytes: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1',
    type: 'application/x-ole-storage',
    endings: ['doc', 'xls', 'ppt', 'msg'],
  },
  { bytes: '\x1aE\xdf\xa3', type: 'video/x-matroska', endings: ['webm', 'weba', 'mkv', 'mka'] },
  { bytes: 'OggS', type: 'audio/ogg', endings: ['ogv', 'opus'] },
  { bytes: 'fLaC', type: 'audio/flac' },
  { bytes: 'ID3', type: 'audio/mpeg' },
]

const ENDINGS_OF_WEAK = new Map([
  ['image/bmp', ['bmp', 'dib']],
  ['image/jxl', ['jxl']],
  ['application/gzip', ['gz', 'tgz', 'svgz', '']],
  ['application/x-bzip2', ['bz2', 'tbz2']],
  ['audio/mpeg', ['mp3', '']],
])

// ISO media files name their brand after `ftyp`.
const BRANDS = new Map([
  ['avif', 'image/avif'],
  ['avis', 'image/avif'],
  ['heic', 'image/heic'],
  ['heix', 'image/heic'],
  ['hevc', 'image/heic'],
  ['mif1', 'image/heif'],
  ['msf1', 'image/heif'],
  ['qt  ', 'video/quicktime'],
  ['M4A ', 'audio/mp4'],
  ['M4B ', 'audio/mp4'],
  ['M4V ', 'video/x-m4v'],
])
const BRANDS_BYTES_MAX = 128

/** The type shown by the first bytes; `named` is the type by the ending, which decides within a container's kinds. */
export function typeBySignature(
  head: Uint8Array,
  ending: string,
  named: string | undefined,
): string | undefined {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 512)).toString('latin1')
  if (text.startsWith('ftyp', 4)) return brandType(text)
  const signature = SIGNATURES.find(({ bytes, at = 0, type }) => {
    if (!text.startsWith(bytes, at)) return false
    // JPEG's signature has only three bytes, but no text begins with them.
    return bytes.length >= WEAK_BYTES || type === 'image/jpeg' || ENDINGS_OF_WEAK.get(type)?.includes(ending)
  })
  if (signature === undefined) return undefined
  return named !== undefined && signature.endings?.includes(ending) ? named : signature.type
}

function brandType(text: string): string {
  const major = BRANDS.get(text.slice(8, 12))
  if (major !== 'image/heif') return major ?? 'video/mp4'
  // `mif1` only says that it is an image; the compatible brands that follow say which kind.
  const compatible = text.slice(16, BRANDS_BYTES_MAX)
  return compatible.includes('avif') ? 'image/avif' : major
}
