// The only reader of the environment: turns the variables into the program's config.
import { resolve } from 'node:path'
import { isAllowedHost, isHostOrNetwork } from './addresses.ts'
import { fileVariableOf, readSecretFile } from './secret-files.ts'
import { readTraceSettings, type TraceSettings } from './trace-settings.ts'
import type { ResponseMode } from './variable.ts'
import { type Read, VARIABLES, type Variable } from './variables.ts'

export interface S3Config {
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** The operator's mail server. */
export interface MailConfig {
  readonly host: string
  readonly port: number
  /** Encrypted from the first byte; otherwise once the server offers it. */
  readonly isSecure: boolean
  readonly credentials?: { readonly user: string; readonly password: string }
  readonly from: string
}

/** The OpenID Connect provider of the whole installation. */
export interface OidcConfig {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly label: string
  /** The claim that holds the email address. */
  readonly emailClaim: string
  /** Whether an address counts without `email_verified`. */
  readonly trustsEmails: boolean
  /** Separated by spaces (RFC 6749 §3.3). */
  readonly scopes: string
  readonly responseMode: ResponseMode
}

/** The language model that writes answers. */
export interface ModelConfig {
  readonly api: 'openai' | 'anthropic'
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly key?: string
  readonly model: string
  /** The name of an embedding model at the same address. */
  readonly embeddingModel?: string
  /** 0: no limit. */
  readonly tokensPerHour: number
  readonly secondsMax: number
  /** How long a search waits for embeddings at most; 0: it does not ask for them. */
  readonly searchMillisecondsMax: number
}

/** Everything an operator decides. Frozen; `home` is absolute and `publicUrl` has no trailing slash. */
export interface Config {
  readonly host: string
  readonly port: number
  readonly home: string
  readonly databaseUrl?: string
  /** Present: `databaseUrl` leads to a pooler, and this to the database itself. */
  readonly databaseDirectUrl?: string
  readonly databaseNamedStatements: boolean
  readonly databaseConnections: number
  readonly statementSecondsMax: number
  readonly publicUrl: string
  /** Otherwise `publicUrl` is where it listens. */
  readonly isPublicUrlSet: boolean
  readonly adminToken?: string
  readonly metricsToken?: string
  readonly adminEmail: string
  readonly allowPrivateHosts: readonly string[]
  readonly emailDomains: readonly string[]
  readonly dnsServers: readonly string[]
  readonly logLevel: string
  readonly trustProxy: boolean
  /** 0: no limit. */
  readonly requestsPerMinute: number
  /** Without a token or session; 0: no limit. */
  readonly addressRequestsPerMinute: number
  readonly drainSeconds: number
  /** Absent: for ever. */
  readonly auditDays?: number
  /** Absent: for ever. */
  readonly conversationDays?: number
  readonly cacheBytes: number
  readonly searchBytes: number
  readonly searchAwaitedPages: number
  readonly repositoryBytesMax: number
  readonly repositoryFilesMax: number
  readonly remotesBytesMax: number
  readonly fileBytesMax: number
  /** Absent: only packaged fonts. */
  readonly pdfFonts?: string
  readonly gitSecondsMax: number
  /** Absent: blobs are kept on the disk. */
  readonly s3?: S3Config
  /** Absent: no mail is sent. */
  readonly mail?: MailConfig
  /** Absent: nobody signs in with OpenID Connect. */
  readonly oidc?: OidcConfig
  /** Absent: answers are quotations. */
  readonly model?: ModelConfig
  /** Absent: no traces. */
  readonly traces?: TraceSettings
  /** The token for `octavo mcp`. */
  readonly token?: string
  /** What an operator should know: unknown names that look like ours. To be logged once there is a log. */
  readonly warnings: readonly string[]
}

// With what requests get afterwards it stays below the 10 seconds after which `docker stop` kills. Proxies look for
// `/readyz` every second or two.
const DRAIN_SECONDS = 3

export type Environment = Readonly<Record<string, string | undefined>>

/** What is wrong with the environment, one line per variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/**
 * Reads the config from an environment; an empty variable counts as absent.
 *
 * @throws {ConfigError} naming every invalid variable and what it may be.
 */
export function readConfig(env: Environment = process.env): Config {
  const problems: string[] = []
  const values: Record<string, unknown> = {}
  for (const [field, variable] of Object.entries<Variable>(VARIABLES)) {
    const text = textOf(variable, env, problems)
    if (text === undefined) continue
    const value = variable.parse(text)
    if (value === undefined) problems.push(complain(variable, text))
    else values[field] = value
  }
  // A variable of the wrong type has a problem, and then no config is returned.
  const read = values as Read
  const s3 = readS3(read, problems)
  const mail = readMail(read, problems)
  const oidc = readOidc(read, problems)
  const model = readModel(read, problems)
  problems.push(...unknownHosts(read))
  const traces = readTraceSettings(env)
  if (read.databaseDirectUrl !== undefined && read.databaseUrl === undefined)
    problems.push('DATABASE_URL is needed with OCTAVO_DATABASE_DIRECT_URL: the address of the pooler.')
  if (problems.length > 0) throw new ConfigError(problems.join('\n'))
  const {
    s3Endpoint: _e,
    s3Bucket: _b,
    s3Region: _r,
    s3AccessKeyId: _i,
    s3SecretAccessKey: _s,
    smtpUrl: _u,
    mailFrom: _f,
    oidcIssuer: _o,
    oidcClientId: _c,
    oidcClientSecret: _p,
    oidcLabel: _l,
    oidcEmailClaim: _oe,
    oidcTrustEmail: _ot,
    oidcScopes: _os,
    oidcResponseMode: _or,
    aiBaseUrl: _ab,
    aiKey: _ak,
    aiModel: _am,
    aiEmbeddingModel: _ae,
    aiApi: _aa,
    aiTokensPerHour: _at,
    aiSecondsMax: _as,
    aiSearchMillisecondsMax: _av,
    ...rest
  } = read
  return Object.freeze({
    // The remaining variables have the names and types of their config fields.
    ...(rest as Omit<Config, 'isPublicUrlSet' | 's3' | 'mail' | 'oidc' | 'model' | 'traces' | 'warnings'>),
    allowPrivateHosts: Object.freeze([...read.allowPrivateHosts]),
    home: resolve(read.home),
    databaseNamedStatements: read.databaseNamedStatements ?? read.databaseDirectUrl === undefined,
    drainSeconds: read.drainSeconds ?? (read.databaseUrl === undefined ? 0 : DRAIN_SECONDS),
    publicUrl: (read.publicUrl ?? localUrl(read.host, read.port)).replace(/(?<!\/)\/+$/, ''),
    isPublicUrlSet: read.publicUrl !== undefined,
    ...(s3 === undefined ? {} : { s3 }),
    ...(mail === undefined ? {} : { mail }),
    ...(oidc === undefined ? {} : { oidc }),
    ...(model === undefined ? {} : { model }),
    ...(traces.settings === undefined ? {} : { traces: traces.settings }),
    warnings: Object.freeze([...unknownNames(env), ...traces.warnings]),
  })
}

function textOf(variable: Variable, env: Environment, problems: string[]): string | undefined {
  const given = env[variable.name]?.trim() || undefined
  const path = variable.secret === true ? env[fileVariableOf(variable.name)]?.trim() : undefined
  if (path === undefined || path === '') return given ?? variable.fallback
  const { text, problem } = readSecretFile(variable.name, path, given !== undefined)
  if (problem !== undefined) problems.push(problem)
  return text?.trim()
}

const complain = (variable: Variable, text: string): string =>
  variable.secret
    ? `${variable.name} has to be ${variable.allowed}.`
    : `${variable.name} has to be ${variable.allowed}; it is ${JSON.stringify(text)}.`

// The guard knows hosts and not their ports, so an entry with a port would never match.
const unknownHosts = ({ allowPrivateHosts = [] }: Partial<Read>): string[] =>
  allowPrivateHosts
    .filter(entry => !isHostOrNetwork(entry))
    .map(
      entry =>
        `OCTAVO_ALLOW_PRIVATE_HOSTS has ${JSON.stringify(entry)}, which is no host, address or CIDR. Leave out scheme, port and path: a host is allowed with all of its ports.`,
    )

// S3 is enabled by its endpoint; an incomplete configuration would only fail at the first upload.
function readS3(read: Read, problems: string[]): S3Config | undefined {
  if (read.s3Endpoint === undefined) return undefined
  for (const field of ['s3Bucket', 's3AccessKeyId', 's3SecretAccessKey'] as const) {
    if (read[field] === undefined)
      problems.push(`${VARIABLES[field].name} is needed with OCTAVO_S3_ENDPOINT.`)
  }
  return Object.freeze({
    endpoint: read.s3Endpoint.replace(/(?<!\/)\/+$/, ''),
    bucket: read.s3Bucket ?? '',
    region: read.s3Region,
    accessKeyId: read.s3AccessKeyId ?? '',
    secretAccessKey: read.s3SecretAccessKey ?? '',
  })
}

// OpenID Connect is enabled by its issuer; an incomplete configuration would only fail when somebody signs in.
function readOidc(read: Read, problems: string[]): OidcConfig | undefined {
  if (read.oidcIssuer === undefined) return undefined
  for (const field of ['oidcClientId', 'oidcClientSecret'] as const) {
    if (read[field] === undefined)
      problems.push(`${VARIABLES[field].name} is needed with OCTAVO_OIDC_ISSUER.`)
  }
  const { protocol, hostname } = URL.parse(read.oidcIssuer) ?? { protocol: '', hostname: '' }
  if (protocol === '' || (protocol === 'http:' && !isAllowedHost(read.allowPrivateHosts, hostname)))
    problems.push(complain(VARIABLES.oidcIssuer, read.oidcIssuer))
  return Object.freeze({
    issuer: read.oidcIssuer,
    clientId: read.oidcClientId ?? '',
    clientSecret: read.oidcClientSecret ?? '',
    label: read.oidcLabel,
    emailClaim: read.oidcEmailClaim,
    trustsEmails: read.oidcTrustEmail,
    scopes: read.oidcScopes,
    responseMode: read.oidcResponseMode,
  })
}

// A model is enabled by its address; an incomplete configuration would only fail when somebody asks.
function readModel(read: Read, problems: string[]): ModelConfig | undefined {
  if (read.aiBaseUrl === undefined) return undefined
  const host = URL.parse(read.aiBaseUrl)?.hostname
  if (host === undefined) problems.push(complain(VARIABLES.aiBaseUrl, read.aiBaseUrl))
  if (read.aiModel === undefined) problems.push('OCTAVO_AI_MODEL is needed with OCTAVO_AI_BASE_URL.')
  const api = read.aiApi ?? (host === 'api.anthropic.com' ? 'anthropic' : 'openai')
  if (read.aiEmbeddingModel !== undefined && api === 'anthropic')
    problems.push(
      'OCTAVO_AI_EMBEDDING_MODEL needs an OpenAI-compatible interface; that of Anthropic has none.',
    )
  return Object.freeze({
    api,
    baseUrl: read.aiBaseUrl.replace(/(?<!\/)\/+$/, ''),
    ...(read.aiKey === undefined ? {} : { key: read.aiKey }),
    model: read.aiModel ?? '',
    ...(read.aiEmbeddingModel === undefined ? {} : { embeddingModel: read.aiEmbeddingModel }),
    tokensPerHour: read.aiTokensPerHour,
    secondsMax: read.aiSecondsMax,
    searchMillisecondsMax: read.aiSearchMillisecondsMax,
  })
}

const SMTP_PORT = 587
const SMTPS_PORT = 465

function readMail(read: Read, problems: string[]): MailConfig | undefined {
  if (read.smtpUrl === undefined) return undefined
  if (read.mailFrom === undefined) problems.push('OCTAVO_MAIL_FROM is needed with OCTAVO_SMTP_URL.')
  const url = URL.parse(read.smtpUrl)
  const user = url === null ? undefined : decoded(url.username)
  const password = url === null ? undefined : decoded(url.password)
  if (url === null || url.hostname === '' || user === undefined || password === undefined) {
    problems.push(complain(VARIABLES.smtpUrl, read.smtpUrl))
    return undefined
  }
  const isSecure = url.protocol === 'smtps:'
  return Object.freeze({
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port !== '' ? Number(url.port) : isSecure ? SMTPS_PORT : SMTP_PORT,
    isSecure,
    ...(user === '' ? {} : { credentials: Object.freeze({ user, password }) }),
    from: read.mailFrom ?? '',
  })
}

/** Undefined if the percent-encoding is broken. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** The address of this server for a browser on the same machine. */
export function localUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

const KNOWN: ReadonlySet<string> = new Set(
  Object.values<Variable>(VARIABLES).flatMap(({ name, secret }) =>
    secret === true ? [name, fileVariableOf(name)] : [name],
  ),
)

const unknownNames = (env: Environment): string[] =>
  Object.keys(env)
    .filter(name => name.startsWith('OCTAVO_') && !name.startsWith('OCTAVO_TEST_') && !KNOWN.has(name))
    .sort()
    .map(name => `${name} is not a variable of Octavo and is ignored.`)
