// Filters of RFC 7644 §3.4.2.2.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  FILTER_CHARACTERS_MAX,
  FILTER_COMPARISONS_MAX,
  FILTER_LEVELS_MAX,
  type Filter,
  parseFilter,
  parsePath,
} from './filter.ts'

/** A filter with every group in parentheses. */
function written(filter: Filter): string {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return `(${filter.filters.map(written).join(` ${filter.kind} `)})`
    case 'not':
      return `not ${written(filter.filter)}`
    case 'present':
      return `${name(filter)} pr`
    case 'compare':
      return `${name(filter)} ${filter.operator} ${JSON.stringify(filter.value)}`
    case 'element':
      return `${name(filter)}[${written(filter.filter)}]`
  }
}
const name = ({ path }: Extract<Filter, { path: unknown }>) =>
  [path.uri === null ? '' : `<${path.uri}>`, path.name, path.sub === null ? '' : `.${path.sub}`].join('')

const read = (text: string): string => {
  const parsed = parseFilter(text)
  return 'problem' in parsed ? `refused: ${parsed.problem}` : written(parsed.value)
}

test('a filter is read as RFC 7644 writes it', () => {
  for (const [text, meant] of [
    // The examples of §3.4.2.2, figure 2.
    ['userName Eq "john"', 'userName eq "john"'],
    ['name.familyName co "O\'Malley"', 'name.familyName co "O\'Malley"'],
    ['userName sw "J"', 'userName sw "J"'],
    [
      'urn:ietf:params:scim:schemas:core:2.0:User:userName sw "J"',
      '<urn:ietf:params:scim:schemas:core:2.0:User>userName sw "J"',
    ],
    ['title pr', 'title pr'],
    ['meta.lastModified gt "2011-05-13T04:42:34Z"', 'meta.lastModified gt "2011-05-13T04:42:34Z"'],
    ['title pr and userType eq "Employee"', '(title pr and userType eq "Employee")'],
    [
      'userType eq "Employee" and (emails co "example.com" or emails.value co "example.org")',
      '(userType eq "Employee" and (emails co "example.com" or emails.value co "example.org"))',
    ],
    [
      'userType ne "Employee" and not (emails co "example.com")',
      '(userType ne "Employee" and not emails co "example.com")',
    ],
    [
      'emails[type eq "work" and value co "@example.com"] or ims[type eq "xmpp" and value co "@foo.com"]',
      '(emails[(type eq "work" and value co "@example.com")] or ims[(type eq "xmpp" and value co "@foo.com")])',
    ],
    // `and` binds more than `or`, and `not` more than both.
    ['a pr or b pr and c pr or d pr', '(a pr or (b pr and c pr) or d pr)'],
    ['not (a pr) and b pr', '(not a pr and b pr)'],
    ['not(a pr) OR b PR', '(not a pr or b pr)'],
    ['((a pr))', 'a pr'],
    // Values are those of JSON.
    ['a eq "\\"\\\\\\/\\b\\n\\u00e9"', 'a eq "\\"\\\\/\\b\\né"'],
    ['a eq "C:\\\\x"', 'a eq "C:\\\\x"'],
    ['a eq -1.5e3 and b eq 0', '(a eq -1500 and b eq 0)'],
    ['a eq true and b ne null', '(a eq true and b ne null)'],
    ['a eq True', 'a eq true'],
    ['a eq "(b pr)"', 'a eq "(b pr)"'],
    // Attributes may be called like words of the grammar.
    ['and eq "or" and not eq "and"', '(and eq "or" and not eq "and")'],
    ['members.$ref pr', 'members.$ref pr'],
  ] as const)
    assert.equal(read(text), meant)
})

test('what is no filter is refused, with the place', () => {
  for (const text of [
    ...['', ' ', 'a', 'a eq', 'eq "x"', 'a eq "x', 'a eq x', "a eq 'x'", 'a xx "y"', 'a pr b pr'],
    ...[
      'a pr and',
      'and a pr',
      'a pr and or b pr',
      '(a pr',
      'a pr)',
      '()',
      'not a pr',
      'not (',
      'a eq (b pr)',
    ],
    ...['a[b pr', 'a[]', 'a]b pr', '[a pr]', 'a[b pr].c', 'a.b.c pr', '.a pr', 'a. pr', '1a pr', 'a eq 01'],
    ...['a eq "\\x"', 'a eq "\\ud800"', 'a eq "\\u0000"', 'a eq "\n"', 'a = "x"', 'a eq {}', 'a eq [1]'],
    ...['a eq "x" ; drop table users', 'urn: pr', ':a pr', 'ä eq "x"', 'a eq "x"\u0000'],
  ])
    assert.match(read(text), /^refused: .*(?:character \d|JSON|belongs)/, JSON.stringify(text))
})

test('a filter is bounded in length, depth and comparisons', () => {
  const nested = (levels: number) => `${'('.repeat(levels)}a pr${')'.repeat(levels)}`
  assert.equal(read(nested(FILTER_LEVELS_MAX)), 'a pr')
  assert.match(read(nested(FILTER_LEVELS_MAX + 1)), /nested more than/)
  assert.match(read('('.repeat(FILTER_CHARACTERS_MAX)), /nested more than/)
  assert.match(read('not('.repeat(1000)), /nested more than/)
  assert.match(read('a['.repeat(1000)), /nested more than/)
  const many = (count: number) => Array.from({ length: count }, () => 'a pr').join(' or ')
  assert.doesNotMatch(read(many(FILTER_COMPARISONS_MAX)), /refused/)
  assert.match(read(many(FILTER_COMPARISONS_MAX + 1)), /more than \d+ comparisons/)
  assert.match(read(`a eq "${'x'.repeat(FILTER_CHARACTERS_MAX)}"`), /more than \d+ characters/)
})

test('the path of a change has a filter and a part', () => {
  const path = (text: string) => {
    const parsed = parsePath(text)
    if ('problem' in parsed) return `refused: ${parsed.problem}`
    const { attribute, filter, sub } = parsed.value
    return [attribute.uri, attribute.name, attribute.sub, filter && written(filter), sub]
  }
  assert.deepEqual(path('members'), [null, 'members', null, null, null])
  assert.deepEqual(path('name.familyName'), [null, 'name', 'familyName', null, null])
  assert.deepEqual(path('emails[type eq "work"].value'), [null, 'emails', null, 'type eq "work"', 'value'])
  assert.deepEqual(path('members[value eq "1"]'), [null, 'members', null, 'value eq "1"', null])
  const department = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department'
  assert.deepEqual(path(department), [department.slice(0, -11), 'department', null, null, null])
  for (const text of ['', 'a b', 'a[b pr', 'a[b pr]c', 'a[b pr].', 'a.b.c', 'a eq "x"', '[a pr]', '"a"'])
    assert.match(String(path(text)), /^refused: /, text)
})
