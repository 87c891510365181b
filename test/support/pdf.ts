// The words of a PDF, page by page: as much of the format (ISO 32000-1) as Chromium and Typst write.
import { inflateSync } from 'node:zlib'

type Objects = ReadonlyMap<string, { readonly head: string; readonly stream: Buffer | undefined }>

/** The text of each page in the order of the pages. */
export function readPdfPages(pdf: Buffer): string[] {
  const objects = readObjects(pdf)
  return pageIds(objects).map(id => readPage(objects, id))
}

function readObjects(pdf: Buffer): Objects {
  const objects = new Map<string, { head: string; stream: Buffer | undefined }>()
  const text = pdf.toString('latin1')
  for (const match of text.matchAll(/(\d+) 0 obj\s/g)) {
    const start = match.index + match[0].length
    const end = text.indexOf('endobj', start)
    const streamAt = text.indexOf('stream', start)
    const hasStream = streamAt !== -1 && streamAt < end
    const head = text.slice(start, hasStream ? streamAt : end)
    objects.set(match[1] as string, {
      head,
      stream: hasStream ? readStream(pdf, text, head, streamAt) : undefined,
    })
  }
  return objects
}

function readStream(pdf: Buffer, text: string, head: string, at: number): Buffer {
  const start = at + 'stream'.length + (text[at + 6] === '\r' ? 2 : 1)
  const bytes = pdf.subarray(start, start + Number(/\/Length (\d+)/.exec(head)?.[1] ?? 0))
  return head.includes('/FlateDecode') ? inflateSync(bytes) : bytes
}

/** Pages by the tree that the catalog names. */
function pageIds(objects: Objects): string[] {
  const catalog = [...objects.values()].find(({ head }) => /\/Type\s*\/Catalog/.test(head))
  const visit = (id: string): string[] => {
    const head = objects.get(id)?.head ?? ''
    if (!/\/Type\s*\/Pages/.test(head)) return [id]
    return references(/\/Kids\s*\[([^\]]*)\]/.exec(head)?.[1] ?? '').flatMap(visit)
  }
  return visit(/\/Pages (\d+) 0 R/.exec(catalog?.head ?? '')?.[1] ?? '')
}

const references = (text: string): string[] => [...text.matchAll(/(\d+) 0 R/g)].map(([, id]) => id as string)

function readPage(objects: Objects, id: string): string {
  const head = objects.get(id)?.head ?? ''
  const fonts = new Map<string, ReadonlyMap<string, string>>()
  for (const [, name, font] of (/\/Font\s*<<(.*?)>>/s.exec(head)?.[1] ?? '').matchAll(/\/(\S+) (\d+) 0 R/g))
    fonts.set(name as string, readUnicodes(objects, font as string))
  const contents = references(/\/Contents (\d+ 0 R|\[[^\]]*\])/.exec(head)?.[1] ?? '')
  return contents
    .map(content => readText(objects.get(content)?.stream?.toString('latin1') ?? '', fonts))
    .join(' ')
    .replace(/\s+/g, ' ')
}

/** Which characters the codes of a font mean (ISO 32000-1, 9.10.3). */
function readUnicodes(objects: Objects, font: string): Map<string, string> {
  const table = /\/ToUnicode (\d+) 0 R/.exec(objects.get(font)?.head ?? '')?.[1] ?? ''
  const text = objects.get(table)?.stream?.toString('latin1') ?? ''
  const unicodes = new Map<string, string>()
  const toText = (hex: string): string => Buffer.from(hex, 'hex').swap16().toString('utf16le')
  for (const [, block = ''] of text.matchAll(/beginbfchar(.*?)endbfchar/gs))
    for (const [, code, to] of block.matchAll(/<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>/g))
      unicodes.set((code as string).toUpperCase(), toText(to as string))
  for (const [, block = ''] of text.matchAll(/beginbfrange(.*?)endbfrange/gs))
    for (const [, from, last, to] of block.matchAll(
      /<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>/g,
    ))
      for (
        let code = Number.parseInt(from as string, 16), step = 0;
        code <= Number.parseInt(last as string, 16);
        code += 1, step += 1
      )
        unicodes.set(
          code
            .toString(16)
            .toUpperCase()
            .padStart((from as string).length, '0'),
          String.fromCodePoint(Number.parseInt(to as string, 16) + step),
        )
  return unicodes
}

/** Strings that are shown, each in the font that was chosen last; lines and gaps become spaces. */
function readText(content: string, fonts: ReadonlyMap<string, ReadonlyMap<string, string>>): string {
  let unicodes: ReadonlyMap<string, string> = new Map()
  let text = ''
  for (const [token, font, hexadecimal, literal] of content.matchAll(
    /\/(\S+) [\d.]+ Tf|<([0-9A-Fa-f]+)>|\(((?:\\[\s\S]|[^\\()])*)\)|\bT[dmD]\b|\bET\b/g,
  )) {
    const hex = literal === undefined ? hexadecimal : toHex(literal)
    if (font !== undefined) unicodes = fonts.get(font) ?? new Map()
    else if (hex === undefined) text += token === 'ET' || token.startsWith('T') ? ' ' : ''
    else for (const code of hex.toUpperCase().match(/.{4}/g) ?? []) text += unicodes.get(code) ?? ''
  }
  return text
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** A string in parentheses (ISO 32000-1, 7.3.4.2). */
const toHex = (literal: string): string =>
  Buffer.from(
    literal.replaceAll(/\\([0-7]{1,3}|[\s\S])/g, (_, sign: string) =>
      /^[0-7]/.test(sign) ? String.fromCharCode(Number.parseInt(sign, 8)) : (ESCAPES[sign] ?? sign),
    ),
    'latin1',
  ).toString('hex')
