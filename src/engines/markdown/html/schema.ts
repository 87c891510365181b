// The last gate: an allowlist of elements and attributes. The renderers make nothing else, and HTML in content is
// mapped element by element before; this list holds even if one of them errs.
import type { Schema } from 'hast-util-sanitize'
import { LINK_SCHEMES } from '../../../base/link-schemes.ts'
import { MATH_ATTRIBUTES, MATH_ELEMENTS } from './math.ts'

const PLAYER =
  /^https:\/\/(?:www\.youtube-nocookie\.com|player\.vimeo\.com|www\.loom\.com|www\.figma\.com|codepen\.io)\//

/** Nothing but our own drawings (diagrams.ts) is in the address itself: an image of this type runs and loads nothing. */
const IMAGE = /^(?!data:)|^data:image\/svg\+xml,/i

// Those of the API: http/list.ts.
const ID = /^[^\0-\x1f/]{1,128}$/

const ALIGN = ['left', 'right', 'center', 'start', 'end'] as const

const HTML_ELEMENTS: readonly string[] =
  `a abbr article aside b bdi blockquote br cite code dd del details dfn div dl dt em figcaption figure h2 h3 h4 h5 h6
    hr i img input ins kbd label li mark ol p pre q rp rt ruby s samp section small span strong sub summary sup table
    tbody td tfoot th thead time tr u ul var wbr`.split(/\s+/)

/**
 * No `style`, no `on…`, no `name` but that of our tabs, no elements that load, submit, frame or change the document.
 * Ids keep their spelling, since links lead to them; page/places.ts decides which ones content may choose.
 * Foreign content (svg) is left out whole, and so is every element whose text a browser reads by other rules
 * (title, textarea, noscript, template …): without them the markup means the same to every parser.
 */
export const SCHEMA: Schema = {
  strip: ['script', 'style', 'template', 'noscript', 'iframe', 'object', 'embed', 'svg', 'title', 'textarea'],
  allowComments: false,
  allowDoctypes: false,
  clobber: [],
  clobberPrefix: '',
  ancestors: {
    tbody: ['table'],
    thead: ['table'],
    tfoot: ['table'],
    tr: ['table'],
    td: ['table'],
    th: ['table'],
    summary: ['details'],
    figcaption: ['figure'],
    ...Object.fromEntries(MATH_ELEMENTS.filter(name => name !== 'math').map(name => [name, ['math']])),
  },
  protocols: { href: [...LINK_SCHEMES], src: ['http', 'https', 'data'] },
  required: {},
  tagNames: [...HTML_ELEMENTS, ...MATH_ELEMENTS],
  attributes: {
    '*': [
      ...'id className dir lang title role ariaHidden ariaLabel ariaLabelledBy'.split(' '),
      ['dataBlock', /^[0-9a-f]{24}(?:-[0-9]+)?$/],
    ],
    a: ['href', 'rel', ['dataPlayer', PLAYER], ['dataPage', ID], ['dataSpace', ID]],
    ...Object.fromEntries(['h2', 'h3', 'h4', 'h5', 'h6'].map(name => [name, ['ariaLevel']])),
    details: ['open'],
    div: [['tabIndex', 0]],
    img: [['src', IMAGE], 'alt', 'width', 'height', ['loading', 'lazy'], ['decoding', 'async']],
    input: [['type', 'checkbox', 'radio'], ['name', /^tabs:[0-9]+$/], 'checked', 'disabled'],
    label: [['htmlFor', /^tab:/]],
    ol: ['start'],
    pre: [['tabIndex', 0]],
    section: [['dataPart', /^[0-9]+$/]],
    span: [['dataUser', ID], 'dataFile'],
    td: ['colSpan', 'rowSpan', 'width', ['align', ...ALIGN]],
    th: ['colSpan', 'rowSpan', 'width', ['align', ...ALIGN], ['scope', 'col', 'row']],
    time: ['dateTime'],
    ...Object.fromEntries(MATH_ELEMENTS.map(name => [name, [...MATH_ATTRIBUTES]])),
  },
}
