// Every reader of short texts that strangers send (headers, addresses, queries, names, answers of other servers) takes
// time in proportion to them, at lengths beyond what any bound lets in. `OCTAVO_PROPERTY_RUNS=1000` tries every shape.

import { createSecretKey } from 'node:crypto'
import { describe, test } from 'node:test'
import { readShareKey } from '../../src/access/visitor-secrets.ts'
import { isMailAddress } from '../../src/api/accounts/users-by-email.ts'
import { readAddress as readCommentAddress } from '../../src/api/comments/addresses.ts'
import { readAddress } from '../../src/api/content/resolve.ts'
import { readRange } from '../../src/api/content/serve-files.ts'
import { readDirectory } from '../../src/api/git-sync/request.ts'
import { APP_URL } from '../../src/api/links/app-urls.ts'
import { renderCode } from '../../src/api/rendering/openapi/code.ts'
import { renderProse } from '../../src/api/rendering/openapi/prose.ts'
import { excerptOf } from '../../src/api/search/excerpt.ts'
import { readEmoji } from '../../src/api/spaces/emoji.ts'
import { readCertificates } from '../../src/api/sso/certificates.ts'
import { readEmail, readName } from '../../src/api/sso/identity.ts'
import { decodeCursor } from '../../src/base/cursor.ts'
import { nestsDeeperThan } from '../../src/base/json-depth.ts'
import { resolvePath } from '../../src/base/paths.ts'
import { percentDecode } from '../../src/base/percent-decode.ts'
import { diffWords } from '../../src/engines/content/word-diff.ts'
import { fileOfAsset, linkBetween } from '../../src/engines/names/new-files.ts'
import { slugify } from '../../src/engines/names/slugs.ts'
import { titleOfName, toLine } from '../../src/engines/names/titles.ts'
import { toVector } from '../../src/engines/search/document-words.ts'
import { highlighter } from '../../src/engines/search/highlight.ts'
import { parseQuery } from '../../src/engines/search/query.ts'
import { matchesEtag } from '../../src/http/cached-body.ts'
import { readCookies } from '../../src/http/cookies.ts'
import { acceptsEncoding } from '../../src/http/encodings.ts'
import { parsePreconditions } from '../../src/http/preconditions.ts'
import { canonicalHost } from '../../src/platform/addresses.ts'
import { readFailure } from '../../src/platform/git/failures.ts'
import { progressReader } from '../../src/platform/git/progress.ts'
import { fullRef, parseRemote } from '../../src/platform/git/remote.ts'
import { describeFile } from '../../src/platform/images.ts'
import { onlyKey } from '../../src/platform/keys/signing-keys.ts'
import { networkOf } from '../../src/platform/networks.ts'
import { prefersMarkdown } from '../../src/site/markdown/accept.ts'
import { readNext } from '../../src/site/session.ts'
import { markMatches } from '../../src/site/views.ts'
import { assertLinear } from '../support/growth.ts'
import { type Language, shapesOf, some } from '../support/hostile-shapes.ts'

const LENGTH_MAX = 256 * 1024
const SHAPES = 8

const CODINGS: Language = { tokens: [' ', ',', ';', 'gzip', '*', ';q=', '0', '.', '\t'] }
const TAGS: Language = { tokens: [' ', ',', '"', 'W/', '*', 'a', '\t', '"a"'] }
const PREFERENCES: Language = { tokens: [' ', ',', ';', '=', '"', 'return', '=minimal', '\\'] }
const COOKIES: Language = { tokens: [' ', ';', '=', '%', '%41', 'a', '"', 'theme=dark'] }
const ADDRESSES: Language = {
  tokens: ['/', '.', '..', '%', '%2f', '?', '#', ':', 'https://', '@', 'a', ' ', '\\', '[', '&amp;', '\t'],
}
const MAIL: Language = { tokens: ['@', '.', 'a', '-', '<', '>', ' ', '"', 'ä', ','] }
const WORDS: Language = {
  tokens: [' ', 'a', '\n', 'é', '字', '-', '_', '.', '😀', "'", 'ー', '\u0301', '"', '\t'],
}
const XML: Language = {
  tokens: ['<', '>', '<svg', '<!--', '-->', '<?', '?>', '=', '"', "'", ' ', 'a', '<!DOCTYPE', '['],
}
const PEM: Language = {
  tokens: ['-----BEGIN CERTIFICATE-----', '-----END CERTIFICATE-----', '-', ' ', '\n', 'A', '='],
}
const JSON_TEXT: Language = {
  tokens: ['[', ']', '{', '}', '"', '\\', ':', ',', '1', ' ', 'null'],
  pairs: [['[', ']']],
}
const GIT: Language = {
  tokens: [
    'fatal: ',
    'remote error:',
    'repository ',
    'not found',
    '\n',
    '\r',
    ' ',
    'a',
    '%',
    'Receiving objects: ',
    '1',
    '/',
    '(',
  ],
}
const PROSE: Language = {
  tokens: [
    '```',
    '```\n',
    '`',
    '*',
    '**',
    '[a](',
    ')',
    '[',
    '# ',
    '- ',
    '\n\n',
    ' ',
    'a',
    '"',
    '\\',
    "'",
    '$A',
  ],
}

const READERS: Record<string, readonly [Language, (text: string) => unknown]> = {
  'Accept-Encoding': [CODINGS, text => acceptsEncoding(text, 'gzip')],
  Accept: [{ tokens: [' ', ',', ';', 'text/markdown', '*/*', ';q=', '0', '.'] }, prefersMarkdown],
  'If-None-Match': [TAGS, text => matchesEtag(text, '"b"')],
  'If-Match': [TAGS, text => parsePreconditions(['if-match'], { 'if-match': text })],
  Prefer: [PREFERENCES, text => parsePreconditions(['return=minimal'], { prefer: text })],
  Range: [{ tokens: ['bytes=', '0', '-', ',', ' '] }, readRange],
  Cookie: [COOKIES, readCookies],
  'where to go after signing in': [ADDRESSES, text => readNext(`/${text}`)],
  'a link in a page': [ADDRESSES, text => readAddress('a/b.md', text)],
  'a link in a comment': [ADDRESSES, readCommentAddress],
  'a link into the app': [ADDRESSES, text => new RegExp(APP_URL, 'i').test(text)],
  'a path': [ADDRESSES, text => [resolvePath('a/b', text), percentDecode(text), linkBetween('a', text)]],
  'a host': [ADDRESSES, canonicalHost],
  'a network': [{ tokens: [':', '::', 'f', '%', '.', '1', '::ffff:'] }, networkOf],
  'a repository': [ADDRESSES, parseRemote],
  'a folder of a repository': [ADDRESSES, readDirectory],
  'a ref': [ADDRESSES, fullRef],
  'an email address': [MAIL, text => [isMailAddress(text), readEmail(text)]],
  'the name of a person': [WORDS, readName],
  'an emoji': [WORDS, readEmoji],
  'a title': [WORDS, text => [toLine(text, 250), titleOfName(text), slugify(text), fileOfAsset(text)]],
  'a query': [
    WORDS,
    text => [parseQuery(text), markMatches(text, highlighter(parseQuery('a b'), undefined, 'en'))],
  ],
  'an excerpt': [
    WORDS,
    text =>
      excerptOf({ anchor: '', heading: '', body: text }, highlighter(parseQuery('a b'), undefined, 'en')),
  ],
  'text to be found': [WORDS, text => toVector([{ text, weight: 'D' }])],
  'a difference of words': [WORDS, text => diffWords(text, `x${text.slice(text.length / 2)}`)],
  'the head of a picture': [XML, text => describeFile(Buffer.from(text), 'a.svg')],
  certificates: [PEM, text => readCertificates('certificate', text)],
  'the depth of a body': [JSON_TEXT, text => nestsDeeperThan(text, 500)],
  'a cursor': [JSON_TEXT, text => decodeCursor('q', Buffer.from(text).toString('base64url'))],
  'a share key': [
    { tokens: ['a', '.', '-', '_', '=', '%'] },
    text => readShareKey(onlyKey(createSecretKey(Buffer.alloc(32))), text),
  ],
  'what git says that failed': [GIT, text => readFailure('https://git.test/a', text, undefined)],
  'how far git is': [GIT, text => progressReader(() => undefined)(text)],
  'a description in the reference': [PROSE, renderProse],
  'code in the reference': [PROSE, text => [renderCode('a', 'json', text), renderCode('a', 'shell', text)]],
}

describe('a text of any shape is read in proportion to its length', () => {
  for (const [name, [language, read]] of Object.entries(READERS))
    test(name, async () => {
      for (const [parts, shape] of some(shapesOf(language), SHAPES))
        await assertLinear(`${name}, ${parts}`, read, shape, LENGTH_MAX)
    })
})
