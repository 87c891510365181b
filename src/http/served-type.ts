// The type with which bytes of strangers are served. The only module that decides it: nothing that somebody uploaded,
// imported or sent may be a script, a style or a document of this server's origin. With `nosniff`, which every answer
// has, a browser takes a script, a worker or a style by its type alone.

// WHATWG MIME Sniffing §4.6, "JavaScript MIME type", besides text/javascript1.0 to 1.5.
const SCRIPTS = new Set([
  'application/ecmascript',
  'application/javascript',
  'application/x-ecmascript',
  'application/x-javascript',
  'text/ecmascript',
  'text/javascript',
  'text/jscript',
  'text/livescript',
  'text/x-ecmascript',
  'text/x-javascript',
  // Of a runtime, not of a browser.
  'application/node',
])
const NUMBERED_SCRIPT = /^text\/javascript1\.\d$/
/** Styles, documents, and XML, which a browser transforms by any stylesheet that it names. */
const DOCUMENTS = new Set([
  'text/css',
  'text/html',
  'text/xml',
  'text/xsl',
  'text/x-component',
  'text/cache-manifest',
  'application/xml',
  'application/xml-dtd',
  'application/hta',
  'message/rfc822',
  'multipart/related',
  'multipart/x-mixed-replace',
])
const UNKNOWN = 'application/octet-stream'
const PLAIN = 'text/plain; charset=utf-8'

// RFC 9110 §8.3.1. Nothing quoted: a comma in it would begin another type for a browser.
const MEDIA_TYPE =
  /^([\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+)(?: *; *[\w!#$%&'*+.^`|~-]+=[\w!#$%&'*+.^`|~-]+)*$/
const CHARACTERS_MAX = 255

/** `type` as it was sent, or detected. What runs or is drawn as a document is plain text; no media type, unknown bytes. */
export function toServedType(type: string): string {
  const essence = MEDIA_TYPE.exec(type.slice(0, CHARACTERS_MAX + 1))?.[1]?.toLowerCase()
  if (essence === undefined || type.length > CHARACTERS_MAX) return UNKNOWN
  // Read as bytes by whoever saves it: as text it would not be what it was.
  if (essence === 'application/wasm') return UNKNOWN
  return isActive(essence) ? PLAIN : type
}

// SVG stays: pages show it as a picture, which runs nothing, and opened by itself it is in a sandbox.
const isActive = (essence: string): boolean =>
  SCRIPTS.has(essence) ||
  NUMBERED_SCRIPT.test(essence) ||
  DOCUMENTS.has(essence) ||
  (essence.endsWith('+xml') && essence !== 'image/svg+xml')
