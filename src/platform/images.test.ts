import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { assertLinear, type Shape } from '../../test/support/growth.ts'
import { describeFile, HEAD_BYTES } from './images.ts'

// Headers written by hand from the formats' documentation.
const latin = (text: string): Buffer => Buffer.from(text, 'latin1')
const be32 = (...numbers: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * numbers.length)
  numbers.forEach((number, at) => void bytes.writeUInt32BE(number, 4 * at))
  return bytes
}
const be16 = (...numbers: number[]): Buffer =>
  Buffer.from(numbers.flatMap(number => [number >> 8, number & 255]))
const le16 = (...numbers: number[]): Buffer =>
  Buffer.from(numbers.flatMap(number => [number & 255, number >> 8]))
const box = (name: string, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  return Buffer.concat([be32(body.length + 8), latin(name), body])
}

const png = (width: number, height: number): Buffer =>
  Buffer.concat([
    latin('\x89PNG\r\n\x1a\n'),
    be32(13),
    latin('IHDR'),
    be32(width, height),
    latin('\x08\x06\0\0\0'),
  ])
const gif = (width: number, height: number): Buffer =>
  Buffer.concat([latin('GIF89a'), le16(width, height), latin('\0\0\0')])
const segment = (marker: number, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0xff, marker]), be16(body.length + 2), body])
const jpeg = (width: number, height: number, ...before: Buffer[]): Buffer =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, latin('JFIF\0\x01\x01\0\0\x01\0\x01\0\0')),
    ...before,
    segment(0xc0, Buffer.concat([latin('\x08'), be16(height, width), latin('\x01\x01\x11\0')])),
    Buffer.alloc(20),
  ])
const turned = (orientation: number): Buffer =>
  segment(
    0xe1,
    Buffer.concat([
      latin('Exif\0\0MM\0*'),
      be32(8),
      be16(1),
      be16(0x112, 3),
      be32(1),
      be16(orientation, 0),
      be32(0),
    ]),
  )
const webp = (kind: string, body: Buffer): Buffer =>
  Buffer.concat([
    latin('RIFF'),
    Buffer.alloc(4),
    latin('WEBP'),
    latin(kind),
    Buffer.alloc(4),
    body,
    Buffer.alloc(20),
  ])
const avif = (width: number, height: number, brands = 'avif\0\0\0\0avifmif1'): Buffer =>
  Buffer.concat([
    box('ftyp', latin(brands)),
    box(
      'meta',
      be32(0),
      box('hdlr', Buffer.alloc(25)),
      box('iprp', box('ipco', box('ispe', be32(0, width, height)), box('pixi', be32(0)))),
    ),
  ])

const IMAGES: [string, Buffer, string, number, number][] = [
  ['a.png', png(640, 480), 'image/png', 640, 480],
  ['a.gif', gif(30, 20), 'image/gif', 30, 20],
  ['a.jpg', jpeg(300, 200), 'image/jpeg', 300, 200],
  [
    'after-a-preview.jpeg',
    jpeg(300, 200, segment(0xe2, Buffer.alloc(60_000)), segment(0xe2, Buffer.alloc(60_000))),
    'image/jpeg',
    300,
    200,
  ],
  ['upright.jpg', jpeg(300, 200, turned(1)), 'image/jpeg', 300, 200],
  ['on-its-side.jpg', jpeg(300, 200, turned(6)), 'image/jpeg', 200, 300],
  [
    'lossy.webp',
    webp('VP8 ', Buffer.concat([latin('\0\0\0\x9d\x01\x2a'), le16(300, 200)])),
    'image/webp',
    300,
    200,
  ],
  ['alpha.webp', webp('VP8X', Buffer.from([0x10, 0, 0, 0, 0x2b, 1, 0, 0xc7, 0, 0])), 'image/webp', 300, 200],
  ['lossless.webp', webp('VP8L', Buffer.from([0x2f, 0x2b, 0xc1, 0x31, 0])), 'image/webp', 300, 200],
  ['a.avif', avif(300, 200), 'image/avif', 300, 200],
  ['mif1.avif', avif(300, 200, 'mif1\0\0\0\0mif1avifmiaf'), 'image/avif', 300, 200],
  ['named-wrongly.txt', png(1, 2), 'image/png', 1, 2],
  ['without-an-ending', gif(1, 2), 'image/gif', 1, 2],
]

const SVGS: [string, string, number | undefined, number | undefined][] = [
  ['width and height', '<svg width="30" height="20">', 30, 20],
  ['units', "<svg width='1in' height='2.54cm' viewBox='0 0 1 1'>", 96, 96],
  [
    'only a view box',
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24.4 12,6"/>',
    undefined,
    undefined,
  ],
  ['a view box with commas', '<svg viewBox="-5,-5, 24.4 12"/>', 24, 12],
  ['percentages, so the view box', '<svg width="100%" height="100%" viewBox="0 0 40 10">', 40, 10],
  ['one side, and the ratio', '<svg width="80" viewBox="0 0 40 10">', 80, 20],
  ['the other side, and the ratio', '<svg height="5" viewBox="0 0 40 10">', 20, 5],
  ['a stroke-width that is no width', '<svg stroke-width="3" data-height="9" viewBox="0 0 40 10">', 40, 10],
  ['a > inside of an attribute', '<svg data-x="a>b" width="3" height="4">', 3, 4],
  ['nothing', '<svg>', undefined, undefined],
  ['nonsense', '<svg width="NaN" height="-1" viewBox="a b c d">', undefined, undefined],
  ['far too much', '<svg width="999999999" height="2">', undefined, undefined],
  [
    'a declaration, comments and a document type',
    '\ufeff<?xml version="1.0"?>\n<!-- <svg width="9"> -->\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x">\n<svg width="3" height="4">',
    3,
    4,
  ],
  [
    'a document type with entities, which are left alone',
    '<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg width="3" height="&a;" viewBox="0 0 6 8">',
    3,
    4,
  ],
]

describe('a file', () => {
  for (const [name, bytes, contentType, width, height] of IMAGES) {
    it(`${name} is ${contentType} of ${width} × ${height}`, () => {
      assert.deepEqual(describeFile(bytes, name), { contentType, dimensions: { width, height } })
    })
  }

  for (const [what, text, width, height] of SVGS) {
    it(`that is an SVG with ${what} has ${width === undefined ? 'no size' : `${width} × ${height}`}`, () => {
      const dimensions = width === undefined ? {} : { dimensions: { width, height } }
      assert.deepEqual(describeFile(Buffer.from(text), 'a.svg'), {
        contentType: 'image/svg+xml',
        ...dimensions,
      })
    })
  }

  for (const [name, bytes, contentType] of [
    ['guide.md', 'text', 'text/markdown'],
    ['openapi.yaml', 'a: b', 'application/yaml'],
    ['spec.json', '{}', 'application/json'],
    ['code.ts', 'const a = 1', 'text/plain'],
    ['page.html', '<svg><script>', 'text/html'],
    ['table.csv', 'a,b', 'text/csv'],
    ['LICENSE', 'words', 'text/plain'],
    ['.gitignore', 'words', 'text/plain'],
    ['folder.md/data', 'a\0b', 'application/octet-stream'],
    ['empty', '', 'application/octet-stream'],
    ['report.pdf', '%PDF-1.7', 'application/pdf'],
    ['words.docx', 'PK\x03\x04', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['archive.zip', 'PK\x03\x04', 'application/zip'],
    ['archive.tar.gz', '\x1f\x8b\x08', 'application/gzip'],
    ['old.doc', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'application/msword'],
    ['clip.mp4', '\0\0\0\x18ftypisom\0\0\0\0', 'video/mp4'],
    ['clip.mov', '\0\0\0\x14ftypqt  \0\0\0\0', 'video/quicktime'],
    ['clip.webm', '\x1aE\xdf\xa3', 'video/webm'],
    ['song.mp3', 'ID3\x03', 'audio/mpeg'],
    ['song.mp3', '\xff\xfb\x90', 'audio/mpeg'],
    ['photo.heic', '\0\0\0\x18ftypheic\0\0\0\0', 'image/heic'],
    ['icon.ico', '\0\0\x01\0\x01', 'image/vnd.microsoft.icon'],
    // A name alone makes no image, and SVG is known by its first tag wherever it hides.
    ['not-an-image.png', 'text', 'application/octet-stream'],
    ['not-an-image.jpg', '<html>', 'application/octet-stream'],
    ['hidden.png', '<?xml version="1.0"?><svg onload="x">', 'image/svg+xml'],
    ['hidden', ' <svg onload="x">', 'image/svg+xml'],
    ['Bmw.txt', 'BMW and BZhang and ID3', 'text/plain'],
  ] as const) {
    it(`${name} that begins with ${JSON.stringify(bytes.slice(0, 12))} is ${contentType}`, () => {
      assert.equal(describeFile(latin(bytes), name).contentType, contentType)
    })
  }

  it('with a forged header has no dimensions', () => {
    for (const bytes of [
      png(0xffffffff, 0xffffffff),
      png(0, 10),
      gif(0, 0),
      avif(0xffffffff, 1),
      png(100_001, 1),
    ]) {
      assert.equal(describeFile(bytes, 'a').dimensions, undefined)
    }
  })

  it('that is cut anywhere is described all the same', () => {
    for (const [name, bytes] of IMAGES.map(([name, bytes]) => [name, bytes.subarray(0, 400)] as const)) {
      for (let length = 0; length < bytes.length; length++) describeFile(bytes.subarray(0, length), name)
    }
  })

  it('of any bytes and any name is described', () => {
    const beginnings = [
      ...IMAGES.map(([, bytes]) => bytes.subarray(0, 60)),
      latin('<svg '),
      latin('<!--'),
      latin(''),
    ]
    fc.assert(
      fc.property(
        fc.constantFrom(...beginnings),
        fc.uint8Array({ maxLength: 200 }),
        fc.string(),
        (start, rest, name) => {
          const { contentType, dimensions } = describeFile(Buffer.concat([start, rest]), name)
          assert.match(contentType, /^[a-z]+\/[\w.+-]+$/)
          if (dimensions !== undefined) assert.ok(dimensions.width <= 100_000 && dimensions.height <= 100_000)
        },
      ),
      { numRuns: 2000 },
    )
  })

  describe('made to be slow is described in proportion to its length', () => {
    const fill =
      (start: Buffer, piece: Buffer): Shape =>
      length =>
        Buffer.concat([start, Buffer.alloc(length, piece)]).toString('latin1', 0, length)
    const ftyp = box('ftyp', latin('avif\0\0\0\0avifmif1'))
    const properties: Shape = length => {
      const ispe = box('ispe', be32(0, 1, 1))
      const all = Array(Math.ceil(length / ispe.length)).fill(ispe)
      return Buffer.concat([ftyp, box('meta', be32(0), box('iprp', box('ipco', ...all)))]).toString('latin1')
    }
    const hostile: Record<string, Shape> = {
      'a.svg of elements': fill(latin(''), latin('<svg ')),
      'a.svg of attributes': fill(latin('<svg '), latin('a="')),
      'a.svg of attributes without quotes': fill(latin('<svg '), latin('a= ')),
      'a.svg of names': fill(latin('<svg '), latin('width')),
      'a.svg of comments': fill(latin(''), latin('<!--')),
      'a.svg of comments that end': fill(latin(''), latin('<!---->')),
      'a.svg of types': fill(latin(''), latin('<!DOCTYPE a[>')),
      'a.svg of a long width': fill(latin('<svg width="'), latin('1')),
      'a.svg of many numbers': fill(latin('<svg viewBox="'), latin('1 ')),
      'a.jpg of marks': fill(latin('\xff\xd8\xff\xe0\0\x02'), latin('\xff')),
      'a.jpg of zeros': fill(latin('\xff\xd8\xff\xe0\0\x02'), latin('\0')),
      'a.avif of sizes': fill(
        Buffer.concat([ftyp, be32(200_000), latin('meta')]),
        box('ispe', be32(0, 1, 1)),
      ),
      'a.avif of empty boxes': fill(ftyp, be32(0)),
      'a.avif of properties': properties,
    }
    // The parser copies what follows each of them: 30 ms for as many as are looked at.
    it('a.jpg of segments, as many as HEAD_BYTES hold', () => {
      const segments = fill(latin('\xff\xd8\xff\xe0\0\x02'), latin('\xff\xe1\0\0'))
      assert.equal(describeFile(latin(segments(HEAD_BYTES)), 'a.jpg').dimensions, undefined)
    })
    for (const [name, shape] of Object.entries(hostile))
      it(name, () =>
        assertLinear(name, text => describeFile(latin(text), name.slice(0, 6).trim()), shape, HEAD_BYTES),
      )
  })
})
