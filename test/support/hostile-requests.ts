// Requests of a customer who means harm, or of a broken program: made from the schema of an operation, so that many of
// them get past its door, with something odd in them. The same seed makes the same requests.

/** Draws numbers of 0 to 1; the same ones for the same seed (mulberry32). */
export class Dice {
  #state: number
  constructor(seed: number) {
    this.#state = seed
  }
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  below(count: number): number {
    return Math.floor(this.next() * count)
  }
  isIn(chance: number): boolean {
    return this.next() < chance
  }
  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T
  }
}

const nested = (levels: number): unknown => {
  let value: unknown = 'deep'
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

export const ODD_TEXTS: readonly string[] = [
  ...[
    '',
    ' ',
    '\0',
    'a\0b',
    '\t\r\n',
    '\u202eabc\u202c',
    '👩‍👩‍👧‍👦',
    '\ufeff',
    '\uffff',
    '\u{10ffff}',
    'ｎｕｌｌ',
    'İı',
  ],
  ...[
    '%',
    '%00',
    '%zz',
    '../../etc/passwd',
    '/',
    '//',
    '\\',
    'a/b',
    '?',
    '#',
    '*',
    "'",
    '"',
    '`',
    '$1',
    '$&',
  ],
  ...[
    "'; drop table users; --",
    '%_%',
    '{{a}}',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: hostile text that looks like a template
    '${a}',
    '<script>',
    '&amp;',
    'e\u0301'.repeat(40),
    '\u0301'.repeat(200),
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'null',
    'undefined',
    'NaN',
    'true',
    '-0',
    '1e308',
    '0x10',
  ],
  ...[
    '9999-12-31T23:59:59Z',
    '-000001-01-01T00:00:00Z',
    '+275760-09-13T00:00:00.001Z',
    '2026-02-30',
    '0000-00-00',
  ],
  ...[
    'http://[::1',
    'http://a:99999',
    'javascript:alert(1)',
    'data:,a',
    'file:///etc/passwd',
    'https://a@b:c@d',
    'a@b@c',
  ],
  ...[
    'http://\u0000',
    'https://xn--',
    'https://%00.test',
    'eyJhIjoxfQ',
    'eyJhIjoxfQ.eyJhIjoxfQ.a',
    '[]',
    '{}',
    '(',
    '[',
    '\\u',
  ],
  ...[
    'a'.repeat(127),
    'a'.repeat(128),
    'a'.repeat(129),
    'é'.repeat(250),
    '😀'.repeat(256),
    'a '.repeat(5000),
  ],
]

const ODD_VALUES: readonly unknown[] = [
  ...[null, true, false, 0, -0, -1, 1.5, 1e308, -1e308, 5e-324, 2 ** 31, 2 ** 53, 2 ** 63, -(2 ** 63), 1e21],
  ...[[], {}, [[]], [null], { length: -1 }, { '': '' }, { a: { b: 1 } }, nested(450), nested(499)],
  ...[Array.from({ length: 1000 }, () => null), Array.from({ length: 300 }, (_, at) => ({ id: at }))],
  ...[JSON.parse('{"__proto__":{"a":1},"constructor":{"prototype":1}}'), { toJSON: 'a', toString: null }],
]

type Schema = {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly patternProperties?: Readonly<Record<string, Schema>>
}

/** What there is, by a part of the name of a field: `spaceId`, `page`. */
export type Known = (name: string, dice: Dice) => string | undefined

/** A value of the schema, as far as it is easily made, with something odd in places. */
export function valueFor(schema: Schema, dice: Dice, known: Known, name = ''): unknown {
  if (dice.isIn(0.03)) return dice.pick(ODD_VALUES)
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return dice.pick(schema.enum)
  if (schema.anyOf !== undefined) return valueFor(dice.pick(schema.anyOf), dice, known, name)
  if (schema.type === 'object') return objectOf(schema, dice, known)
  if (schema.type === 'array') {
    const least = schema.minItems ?? 0
    const count = least + dice.below(Math.min(4, (schema.maxItems ?? 4) - least + 1))
    return Array.from({ length: count }, () => valueFor(schema.items ?? {}, dice, known, name))
  }
  if (schema.type === 'integer' || schema.type === 'number') {
    const [least, most] = [schema.minimum ?? -(2 ** 53), schema.maximum ?? 2 ** 53 - 1]
    return dice.pick([least, most, Math.floor(least + dice.next() * (most - least)), 1])
  }
  if (schema.type === 'boolean') return dice.isIn(0.5)
  if (schema.type === 'null') return null
  if (schema.type === 'string') return textOf(schema, dice, known, name)
  return dice.pick<unknown>([...ODD_VALUES, ...ODD_TEXTS])
}

function objectOf({ properties = {}, required = [] }: Schema, dice: Dice, known: Known): unknown {
  const fields = Object.entries(properties).filter(([name]) =>
    required.includes(name) ? !dice.isIn(0.02) : dice.isIn(0.5),
  )
  const made = fields.map(([name, schema]) => [name, valueFor(schema, dice, known, name)] as const)
  const odd = dice.isIn(0.05) ? [[dice.pick(ODD_TEXTS), dice.pick(ODD_VALUES)] as const] : []
  return Object.fromEntries([...made, ...odd])
}

function textOf({ minLength = 0, maxLength = 5000 }: Schema, dice: Dice, known: Known, name: string): string {
  const real = known(name, dice)
  if (real !== undefined && dice.isIn(0.7)) return real
  if (dice.isIn(0.1)) return 'x'.repeat(dice.pick([minLength, maxLength, maxLength + 1]))
  const odd = dice.pick(ODD_TEXTS).padEnd(minLength, 'a')
  return dice.isIn(0.1) ? odd : [...odd].slice(0, maxLength).join('')
}

const HEADERS: Readonly<Record<string, readonly string[]>> = {
  'if-match': ['*', '"a"', 'W/"a", "b"', ',', '"', '"\xff"', 'a'.repeat(8000)],
  'if-none-match': ['*', '"a"', 'W/"a"', '"'.repeat(8000)],
  prefer: ['return=minimal', 'return="minimal"; a', '=', ','.repeat(8000), 'respond-async'],
  range: ['bytes=0-', 'bytes=-1', 'bytes=9-1', 'bytes=0-0,1-1', 'bytes=99999999999999999999-', 'lines=1'],
  accept: ['text/html', 'application/json;q=0', '*/*;q=a', ',;=', 'text/markdown', ';q=0.'.repeat(2000)],
  'accept-language': ['de', '*', 'a'.repeat(8000), 'de;q=2, -', ','.repeat(8000)],
  'accept-encoding': ['gzip', '*;q=0', ','.repeat(8000)],
  'idempotency-key': ['a', '"a"', '', 'é', ' '.repeat(300), 'k'.repeat(8000)],
  'x-request-id': ['a', '', '\xff', 'a'.repeat(8000), '../..', '{}'],
  forwarded: ['for=1.2.3.4;host="a', 'for="[::1]"', ';'.repeat(8000)],
  'x-forwarded-for': ['1.2.3.4', '::1, , a', ','.repeat(8000), '%'],
  'x-forwarded-host': ['evil.test', 'a b', ':'],
  'x-forwarded-proto': ['https', 'javascript', ''],
  'x-http-method-override': ['DELETE'],
  host: ['', 'evil.test', 'a:b:c', '[::1', '\xff'],
  cookie: ['octavo_session=a', 'octavo_session=%', '=;=', 'a='.repeat(4000), 'octavo_visitor=a.b.c'],
  authorization: [
    'Bearer',
    'Bearer  a',
    'Basic YTpi',
    'Basic %',
    'Bearer a.b.c',
    'bearer ',
    'Bearer \xff',
    ' '.repeat(8000),
  ],
  'content-type': [
    ...[
      'text/plain',
      'application/json; charset=utf-16',
      'application/json;',
      'multipart/form-data',
      'a',
      '',
    ],
    ...[
      'application/x-www-form-urlencoded',
      'application/json; charset="',
      'application/merge-patch+json',
      ';'.repeat(8000),
    ],
  ],
  'content-encoding': ['gzip', 'br'],
  origin: ['null', 'http://octavo.test', 'http://[', 'file://'],
  referer: ['http://octavo.test/', '%', 'http://['],
  'sec-fetch-site': ['same-origin', 'cross-site', 'a'],
}

/** A few odd headers. */
export function headersOf(dice: Dice): Record<string, string> {
  const headers: Record<string, string> = {}
  while (dice.isIn(0.4)) {
    const name = dice.pick(Object.keys(HEADERS))
    headers[name] = dice.pick(HEADERS[name] ?? [])
  }
  return headers
}

/** Percent-encoded as clients do it, or not as they should. */
export const segmentOf = (text: string, dice: Dice): string =>
  dice.isIn(0.05)
    ? dice.pick(['%', '%ff', '%c0%80', '%00', '%ed%a0%80', '%2f', ''])
    : encodeURIComponent(text)

export function queryOf(schema: Schema, dice: Dice, known: Known): string {
  const asked = Object.entries(schema.properties ?? {}).filter(() => dice.isIn(0.4))
  const pairs = asked.map(([name, property]) => {
    const value = dice.isIn(0.2) ? dice.pick(ODD_TEXTS) : valueFor(property, dice, known, name)
    const texts = Array.isArray(value) ? value.slice(0, 5) : [value]
    return texts.map(text => `${name}=${segmentOf(String(toShown(text)).toWellFormed(), dice)}`).join('&')
  })
  if (dice.isIn(0.1))
    pairs.push(dice.pick(['a', '&&&', '=', '__proto__=1', 'a[]=1&a[b]=2', 'limit=1&limit=2', '%', '%ff=%ff']))
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

const toShown = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : value)

/** The bytes of a body: the value, or what is no longer JSON, or JSON that says something twice. */
export function bodyOf(value: unknown, dice: Dice): Buffer {
  const text = JSON.stringify(value) ?? ''
  if (!dice.isIn(0.08)) return Buffer.from(text)
  const middle = Math.floor(text.length / 2)
  return dice.pick<() => Buffer>([
    () => Buffer.from(text.slice(0, middle)),
    () => Buffer.from(text.replace('{', '{"__proto__":null,')),
    () => Buffer.from(text.replace('{', '{"title":"\\ud800",')),
    () => Buffer.from(text.replace('{', '{"title":1,"title":2,"body":3,')),
    () => Buffer.from(text.replace(/\d+/, '1e999')),
    () =>
      Buffer.concat([
        Buffer.from(text.slice(0, middle)),
        Buffer.from([0xff, 0xc0, 0x80]),
        Buffer.from(text.slice(middle)),
      ]),
    () => Buffer.from(`\ufeff${text}`),
    () => Buffer.from('['.repeat(10_000)),
    () => Buffer.from(`[${'0,'.repeat(100_000)}0]`),
    () => Buffer.from(`{"a":[${'{},'.repeat(100_000)}{}]}`),
    () => Buffer.from('null'),
    () => Buffer.alloc(0),
  ])()
}
