import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { ConfigError, localUrl, readConfig } from './config.ts'
import { VARIABLES, type Variable } from './variables.ts'

const problemsOf = (env: Record<string, string>): string[] => {
  try {
    readConfig(env)
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.message.split('\n')
  }
  return []
}

test('an empty environment is a good one', () => {
  const config = readConfig({})
  assert.equal(config.host, '127.0.0.1')
  assert.equal(config.port, 4000)
  assert.equal(config.home, resolve('.octavo'))
  assert.equal(config.publicUrl, 'http://127.0.0.1:4000')
  assert.equal(config.adminEmail, 'admin@localhost')
  assert.deepEqual(config.allowPrivateHosts, [])
  assert.equal(config.requestsPerMinute, 1200)
  assert.equal(config.addressRequestsPerMinute, 6000)
  for (const field of ['databaseUrl', 'adminToken', 's3'] as const) assert.ok(!(field in config), field)
  assert.deepEqual(config.warnings, [])
})

test('variables of a neighbour are in its group alone', () => {
  const fields = Object.keys(readConfig({}))
  assert.deepEqual(
    fields.filter(field => /^(?:s3|smtp|mail|oidc|ai)[A-Z]/.test(field)),
    [],
  )
})

test('an empty variable is an absent one', () => {
  assert.deepEqual(readConfig({ PORT: '', OCTAVO_HOME: '  ', DATABASE_URL: '' }), readConfig({}))
})

test('what is set is taken, converted and trimmed', () => {
  const config = readConfig({
    PORT: ' 0 ',
    OCTAVO_PUBLIC_URL: 'https://docs.example.org/',
    OCTAVO_ALLOW_PRIVATE_HOSTS: 'git.internal, 10.0.0.0/8,,[fd00::]/8',
    OCTAVO_TRUST_PROXY: 'true',
    DATABASE_URL: 'postgresql://u:p@h/d',
  })
  assert.equal(config.port, 0)
  assert.equal(config.publicUrl, 'https://docs.example.org')
  assert.deepEqual(config.allowPrivateHosts, ['git.internal', '10.0.0.0/8', '[fd00::]/8'])
  assert.equal(config.trustProxy, true)
  assert.equal(config.databaseUrl, 'postgresql://u:p@h/d')
})

test('a secret is read from the file that its _FILE variable names', t => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-config-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'secret')
  writeFileSync(path, ' sixteen-letters-x\n')
  const config = readConfig({ OCTAVO_METRICS_TOKEN_FILE: path })
  assert.equal(config.metricsToken, 'sixteen-letters-x')
  assert.deepEqual(config.warnings, [])
  assert.deepEqual(
    problemsOf({ OCTAVO_METRICS_TOKEN_FILE: path, OCTAVO_METRICS_TOKEN: 'sixteen-letters-y' }),
    ['Set OCTAVO_METRICS_TOKEN or OCTAVO_METRICS_TOKEN_FILE, and not both.'],
  )
  writeFileSync(path, '\n')
  assert.deepEqual(problemsOf({ OCTAVO_METRICS_TOKEN_FILE: path }), [
    'OCTAVO_METRICS_TOKEN_FILE names a file that is empty.',
  ])
  assert.deepEqual(problemsOf({ DATABASE_URL_FILE: join(folder, 'none') }), [
    `DATABASE_URL_FILE names a file that cannot be read (ENOENT): ${join(folder, 'none')}.`,
  ])
  writeFileSync(path, 'mysql://somewhere')
  assert.deepEqual(problemsOf({ DATABASE_URL_FILE: path }), [
    'DATABASE_URL has to be a postgres:// or postgresql:// address.',
  ])
})

test('of a variable that is no secret there is no file', () => {
  const { port, warnings } = readConfig({ OCTAVO_LOG_LEVEL_FILE: '/etc/hostname' })
  assert.equal(port, 4000)
  assert.deepEqual(warnings, ['OCTAVO_LOG_LEVEL_FILE is not a variable of Octavo and is ignored.'])
})

test('every variable that is wrong is named, with what it may be and what it is', () => {
  const problems = problemsOf({ PORT: '70000', OCTAVO_LOG_LEVEL: 'loud', OCTAVO_TRUST_PROXY: 'yes' })
  assert.deepEqual(problems, [
    'PORT has to be a number from 0 to 65535; it is "70000".',
    'OCTAVO_LOG_LEVEL has to be one of fatal, error, warn, info, debug, trace, silent; it is "loud".',
    'OCTAVO_TRUST_PROXY has to be true or false; it is "yes".',
  ])
})

test('a private host with a port, a scheme or a path is refused, in words that say what to leave out', () => {
  for (const entry of [
    'git.internal:8080',
    '10.0.0.5:443',
    '[fd00::1]:443',
    'http://git.internal',
    '10.0.0.0/40',
  ])
    assert.deepEqual(
      problemsOf({ OCTAVO_ALLOW_PRIVATE_HOSTS: `git.internal,${entry}` }),
      [
        `OCTAVO_ALLOW_PRIVATE_HOSTS has ${JSON.stringify(entry)}, which is no host, address or CIDR. Leave out scheme, port and path: a host is allowed with all of its ports.`,
      ],
      entry,
    )
  for (const entry of ['localhost', '[::1]', '::1', 'fd00::/8', '192.168.1.7', 'git-1.internal.'])
    assert.deepEqual(problemsOf({ OCTAVO_ALLOW_PRIVATE_HOSTS: entry }), [], entry)
})

test('numbers are whole, plain and in their bounds', () => {
  for (const text of ['-1', '1e3', '0x10', '4000.5', 'abc', '65536', '99999999999999999999']) {
    assert.equal(problemsOf({ PORT: text }).length, 1, text)
  }
  assert.equal(problemsOf({ OCTAVO_FILE_BYTES_MAX: '0' }).length, 1)
})

test('addresses of the wrong kind are refused', () => {
  assert.equal(problemsOf({ DATABASE_URL: 'mysql://h/d' }).length, 1)
  assert.equal(problemsOf({ OCTAVO_PUBLIC_URL: 'docs.example.org' }).length, 1)
  assert.equal(problemsOf({ OCTAVO_PUBLIC_URL: 'https://x/?a=b' }).length, 1)
  assert.equal(problemsOf({ OCTAVO_PUBLIC_URL: 'https://x/docs' }).length, 1)
})

test('a secret is never repeated in a message', () => {
  for (const variable of Object.values<Variable>(VARIABLES).filter(one => one.secret)) {
    const problems = problemsOf({ [variable.name]: 'hush now' }).join('\n')
    assert.ok(!problems.includes('hush'), variable.name)
  }
})

test('half an S3 store is refused, a whole one is taken', () => {
  assert.deepEqual(problemsOf({ OCTAVO_S3_ENDPOINT: 'http://s3' }), [
    'OCTAVO_S3_BUCKET is needed with OCTAVO_S3_ENDPOINT.',
    'OCTAVO_S3_ACCESS_KEY_ID is needed with OCTAVO_S3_ENDPOINT.',
    'OCTAVO_S3_SECRET_ACCESS_KEY is needed with OCTAVO_S3_ENDPOINT.',
  ])
  const { s3 } = readConfig({
    OCTAVO_S3_ENDPOINT: 'http://s3/',
    OCTAVO_S3_BUCKET: 'b',
    OCTAVO_S3_ACCESS_KEY_ID: 'i',
    OCTAVO_S3_SECRET_ACCESS_KEY: 's',
  })
  assert.deepEqual(s3, {
    endpoint: 'http://s3',
    bucket: 'b',
    region: 'us-east-1',
    accessKeyId: 'i',
    secretAccessKey: 's',
  })
})

test('a mail server is taken with who its mail is from, and half of that is refused', () => {
  const from = { OCTAVO_MAIL_FROM: 'Octavo <octavo@docs.test>' }
  const { mail } = readConfig({ ...from, OCTAVO_SMTP_URL: 'smtp://ada%40docs.test:p%3Aw@mail.test' })
  assert.deepEqual(mail, {
    ...{ host: 'mail.test', port: 587, isSecure: false, from: from.OCTAVO_MAIL_FROM },
    credentials: { user: 'ada@docs.test', password: 'p:w' },
  })
  const local = readConfig({ ...from, OCTAVO_SMTP_URL: 'smtps://[::1]/' }).mail
  assert.deepEqual(
    [local?.host, local?.port, local?.isSecure, local?.credentials],
    ['::1', 465, true, undefined],
  )
  assert.equal(readConfig(from).mail, undefined)
  assert.deepEqual(problemsOf({ OCTAVO_SMTP_URL: 'smtp://mail.test' }), [
    'OCTAVO_MAIL_FROM is needed with OCTAVO_SMTP_URL.',
  ])
  for (const url of [
    'http://mail.test',
    'smtp://%zz:p@mail.test',
    'smtp://',
    'smtp://m/path',
    'smtp://m:70000',
  ])
    assert.equal(problemsOf({ ...from, OCTAVO_SMTP_URL: url }).length, 1, url)
  for (const text of ['Ada', 'a@b\r\nBcc: c@d', 'A <a@b>, B <c@d>', 'a@b,c@d', '"x" <a@b>'])
    assert.equal(problemsOf({ OCTAVO_MAIL_FROM: text }).length, 1, text)
})

test('a name that looks like ours and is not is warned about, one of the tests is not', () => {
  assert.deepEqual(readConfig({ OCTAVO_PUBLIC_ULR: 'x', OCTAVO_TEST_DATABASE: 'x', OTHER: 'x' }).warnings, [
    'OCTAVO_PUBLIC_ULR is not a variable of Octavo and is ignored.',
  ])
})

test('the config cannot be changed', () => {
  const config = readConfig({})
  assert.ok(Object.isFrozen(config) && Object.isFrozen(config.allowPrivateHosts))
})

test('a server on every interface is local under the name localhost, and IPv6 is in brackets', () => {
  assert.equal(localUrl('0.0.0.0', 1), 'http://localhost:1')
  assert.equal(localUrl('::', 1), 'http://localhost:1')
  assert.equal(localUrl('::1', 1), 'http://[::1]:1')
})

test('every variable says what it is for, and its fallback is allowed', () => {
  for (const variable of Object.values<Variable>(VARIABLES)) {
    assert.ok(variable.meaning.length > 5 && variable.allowed.length > 5, variable.name)
    assert.match(variable.name, /^(HOST|PORT|DATABASE_URL|OCTAVO_[A-Z0-9_]+)$/)
  }
  assert.equal(new Set(Object.values(VARIABLES).map(one => one.name)).size, Object.keys(VARIABLES).length)
})

test('a number without an upper bound may be as large as one likes, and a token has at least 16 characters', () => {
  assert.equal(readConfig({ OCTAVO_RATE_LIMIT: '9007199254740993' }).requestsPerMinute, 9007199254740992)
  assert.throws(() => readConfig({ OCTAVO_ADMIN_TOKEN: '💡'.repeat(8) }), ConfigError)
})

test('embeddings need an interface that has them', () => {
  const named = { OCTAVO_AI_MODEL: 'writer', OCTAVO_AI_EMBEDDING_MODEL: 'embedder' }
  const { model } = readConfig({ OCTAVO_AI_BASE_URL: 'http://127.0.0.1:11434/v1', ...named })
  assert.equal(model?.embeddingModel, 'embedder')
  assert.throws(
    () => readConfig({ OCTAVO_AI_BASE_URL: 'https://api.anthropic.com/v1', ...named }),
    /OCTAVO_AI_EMBEDDING_MODEL needs an OpenAI-compatible interface/,
  )
})
