// The environment variables, each listed once: the typed config and `--help` are made from this table, and a test
// compares docs/configuration.md with it.

import { anything, integer, list, matching, RESPONSE_MODES, trueOrFalse, type Variable } from './variable.ts'

export type { Variable }

const MIB = 1024 * 1024

export const VARIABLES = {
  host: {
    name: 'HOST',
    fallback: '127.0.0.1',
    meaning: 'the address to listen on; 0.0.0.0 or :: for all interfaces',
    allowed: 'an address or a host name',
    parse: anything,
  },
  port: {
    name: 'PORT',
    fallback: '4000',
    meaning: 'the port to listen on; 0 picks a free one',
    allowed: 'a number from 0 to 65535',
    parse: integer(0, 65535),
  },
  home: {
    name: 'OCTAVO_HOME',
    fallback: './.octavo',
    meaning: 'the data folder: embedded database, blobs, repository cache',
    allowed: 'a path',
    parse: anything,
  },
  databaseUrl: {
    name: 'DATABASE_URL',
    meaning:
      'a PostgreSQL database (postgres://user:password@host:port/name); without it, the embedded one is used',
    allowed: 'a postgres:// or postgresql:// address',
    parse: matching(/^postgres(ql)?:\/\//),
    secret: true,
  },
  databaseDirectUrl: {
    name: 'OCTAVO_DATABASE_DIRECT_URL',
    meaning:
      'the same database without a pooler, where DATABASE_URL leads to one such as PgBouncer in transaction mode; for migrations, notifications and upkeep',
    allowed: 'a postgres:// or postgresql:// address',
    parse: matching(/^postgres(ql)?:\/\//),
    secret: true,
  },
  databaseNamedStatements: {
    name: 'OCTAVO_DATABASE_NAMED_STATEMENTS',
    meaning:
      'whether statements are prepared by name, which a pooler has to support (PgBouncer from 1.21 on, with max_prepared_statements); by default true, and false with OCTAVO_DATABASE_DIRECT_URL',
    allowed: 'true or false',
    parse: trueOrFalse,
  },
  databaseConnections: {
    name: 'OCTAVO_DATABASE_CONNECTIONS',
    fallback: '10',
    meaning: 'most connections to PostgreSQL per process; the embedded database has one',
    allowed: 'a number from 2 to 500',
    parse: integer(2, 500),
  },
  statementSecondsMax: {
    name: 'OCTAVO_STATEMENT_SECONDS_MAX',
    fallback: '30',
    meaning:
      'longest a database statement may run; after that it is stopped, and the request gets 503, as it does 5 seconds later from a server that does not answer',
    allowed: 'a number of seconds from 1 to 3600',
    parse: integer(1, 3600),
  },
  publicUrl: {
    name: 'OCTAVO_PUBLIC_URL',
    meaning:
      'the base of every URL it hands out, by default http://HOST:PORT; if set, requests for another host get 421',
    allowed: 'an http:// or https:// address without path and query',
    parse: matching(/^https?:\/\/[^\s?#/]+\/?$/),
  },
  adminToken: {
    name: 'OCTAVO_ADMIN_TOKEN',
    meaning:
      "the first administrator's token, used when the database is empty; by default random and printed once",
    allowed: 'at least 16 characters without spaces',
    parse: matching(/^\S{16,200}$/u),
    secret: true,
  },
  adminEmail: {
    name: 'OCTAVO_ADMIN_EMAIL',
    fallback: 'admin@localhost',
    meaning: 'email address of the first administrator',
    allowed: 'an email address',
    parse: matching(/^[^\s@]+@[^\s@]+$/, 254),
  },
  allowPrivateHosts: {
    name: 'OCTAVO_ALLOW_PRIVATE_HOSTS',
    fallback: '',
    meaning:
      'hosts, addresses or CIDR ranges on private networks that outgoing requests may reach, separated by commas; each without a port, it is allowed with all of them',
    allowed: 'a list of hosts, addresses or CIDRs separated by commas',
    parse: list(/^[A-Za-z0-9._:/[\]-]+$/),
  },
  emailDomains: {
    name: 'OCTAVO_EMAIL_DOMAINS',
    fallback: '',
    meaning:
      'email domains that organizations may claim without a DNS record, separated by commas; * for all',
    allowed: 'a list of domains separated by commas, or *',
    parse: list(/^(?:\*|[a-z0-9.-]+)$/),
  },
  dnsServers: {
    name: 'OCTAVO_DNS_SERVERS',
    fallback: '',
    meaning:
      'name servers for checking the DNS records of email domains, separated by commas; by default those of the system',
    allowed: 'a list of addresses, each with a port if you like, separated by commas',
    parse: list(/^[0-9A-Fa-f.:[\]]+$/),
  },
  logLevel: {
    name: 'OCTAVO_LOG_LEVEL',
    fallback: 'info',
    meaning: 'the log level',
    allowed: 'one of fatal, error, warn, info, debug, trace, silent',
    parse: matching(/^(?:fatal|error|warn|info|debug|trace|silent)$/),
  },
  trustProxy: {
    name: 'OCTAVO_TRUST_PROXY',
    fallback: 'false',
    meaning:
      'true behind a reverse proxy: the address of a client is read from X-Forwarded-For, and the host from X-Forwarded-Host',
    allowed: 'true or false',
    parse: trueOrFalse,
  },
  requestsPerMinute: {
    name: 'OCTAVO_RATE_LIMIT',
    fallback: '1200',
    meaning:
      'requests per minute for each token and each session, reading and writing apart, and for each address whose tokens have proved nothing yet; 0 means no limit',
    allowed: 'a number from 0',
    parse: integer(0),
  },
  addressRequestsPerMinute: {
    name: 'OCTAVO_RATE_LIMIT_ADDRESS',
    fallback: '6000',
    meaning: 'requests per minute without a token or a session for each address; 0 means no limit',
    allowed: 'a number from 0',
    parse: integer(0),
  },
  drainSeconds: {
    name: 'OCTAVO_DRAIN_SECONDS',
    meaning:
      'how long a server that gets SIGTERM goes on answering, while /readyz refuses, before it closes; by default 3 with DATABASE_URL, and 0 without, where no other process could take over',
    allowed: 'a number of seconds from 0 to 600',
    parse: integer(0, 600),
  },
  auditDays: {
    name: 'OCTAVO_AUDIT_DAYS',
    meaning:
      'after how many days events leave the audit, in every organization; an organization can set fewer. Without it, never',
    allowed: 'a number of days from 7 to 36500',
    parse: integer(7, 36_500),
  },
  conversationDays: {
    name: 'OCTAVO_CONVERSATION_DAYS',
    meaning:
      'after how many days conversations are deleted, in every organization; an organization can set fewer. Without it, never',
    allowed: 'a number of days from 7 to 36500',
    parse: integer(7, 36_500),
  },
  cacheBytes: {
    name: 'OCTAVO_CACHE_BYTES',
    fallback: String(128 * MIB),
    meaning: 'memory for cached content, in bytes',
    allowed: 'a number of bytes, 1048576 or more',
    parse: integer(MIB),
  },
  searchBytes: {
    name: 'OCTAVO_SEARCH_MEMORY',
    fallback: String(256 * MIB),
    meaning: 'memory for search indexes, in bytes; with 0 each search makes those that it needs',
    allowed: 'a number of bytes',
    parse: integer(0),
  },
  searchAwaitedPages: {
    name: 'OCTAVO_SEARCH_AWAITED_PAGES',
    fallback: '2000',
    meaning:
      'most pages that a search waits for while they are indexed; of larger spaces without an index in memory, the database finds likely pages',
    allowed: 'a number of pages',
    parse: integer(0),
  },
  repositoryBytesMax: {
    name: 'OCTAVO_REPOSITORY_BYTES_MAX',
    fallback: String(2048 * MIB),
    meaning:
      'largest repository that is cloned, in bytes; also the memory that git may use for it (512 MiB to 1 GiB)',
    allowed: 'a number of bytes',
    parse: integer(1),
  },
  repositoryFilesMax: {
    name: 'OCTAVO_REPOSITORY_FILES_MAX',
    fallback: '50000',
    meaning: 'most files in an imported repository',
    allowed: 'a number of files',
    parse: integer(1),
  },
  remotesBytesMax: {
    name: 'OCTAVO_REMOTES_BYTES_MAX',
    fallback: String(10 * 1024 * MIB),
    meaning:
      'disk space for the Git remotes of spaces, and the same again for the fetched histories of repositories, in bytes; beyond it the least recently used are removed, and rebuilt or fetched again when needed',
    allowed: 'a number of bytes',
    parse: integer(0),
  },
  fileBytesMax: {
    name: 'OCTAVO_FILE_BYTES_MAX',
    fallback: String(100 * MIB),
    meaning:
      'largest file, in bytes; a larger upload is refused, and a larger file of a repository is left out and reported in the operation',
    allowed: 'a number of bytes',
    parse: integer(1),
  },
  pdfFonts: {
    name: 'OCTAVO_PDF_FONTS',
    meaning:
      'a folder of fonts (.ttf, .otf, .ttc) for PDF files in scripts that Octavo includes no font for, such as Thai',
    allowed: 'a path',
    parse: anything,
  },
  gitSecondsMax: {
    name: 'OCTAVO_GIT_SECONDS_MAX',
    fallback: '600',
    meaning: 'longest a clone, fetch or push may take',
    allowed: 'a number of seconds',
    parse: integer(1),
  },
  metricsToken: {
    name: 'OCTAVO_METRICS_TOKEN',
    meaning: 'the token that /metrics requires; without it there is no such endpoint',
    allowed: '16 to 256 characters of ASCII without spaces',
    parse: matching(/^[\x21-\x7e]{16,256}$/),
    secret: true,
  },
  smtpUrl: {
    name: 'OCTAVO_SMTP_URL',
    meaning:
      'the server that sends email: smtp://user:password@host:587 (STARTTLS) or smtps://user:password@host:465; without it no email is sent',
    allowed: 'an smtp:// or smtps:// address without path and query',
    parse: matching(/^smtps?:\/\/[^\s?#/]+\/?$/),
    secret: true,
  },
  mailFrom: {
    name: 'OCTAVO_MAIL_FROM',
    meaning:
      'the sender of its email: an address, or a name and an address, such as Octavo <octavo@example.com>',
    allowed: 'an email address, or a name and an address in angle brackets',
    parse: matching(
      /^([^\x00-\x1f\x7f<>",;:@]{0,100}<[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/,
      254,
    ),
  },
  oidcIssuer: {
    name: 'OCTAVO_OIDC_ISSUER',
    meaning:
      'the issuer of an OpenID Connect provider that everyone may sign in with; http only for a host of OCTAVO_ALLOW_PRIVATE_HOSTS',
    allowed: 'an https:// address without query',
    parse: matching(/^https?:\/\/[^\s?#@]+$/),
  },
  oidcClientId: {
    name: 'OCTAVO_OIDC_CLIENT_ID',
    meaning: 'the client id of this server at the provider',
    allowed: 'a client id',
    parse: anything,
  },
  oidcClientSecret: {
    name: 'OCTAVO_OIDC_CLIENT_SECRET',
    meaning: 'the secret of the client id',
    allowed: 'a client secret',
    parse: anything,
    secret: true,
  },
  oidcLabel: {
    name: 'OCTAVO_OIDC_LABEL',
    fallback: 'OpenID Connect',
    meaning: 'the label of its button on the sign-in page',
    allowed: 'at most 30 characters',
    parse: matching(/^.{1,30}$/u),
  },
  oidcEmailClaim: {
    name: 'OCTAVO_OIDC_EMAIL_CLAIM',
    fallback: 'email',
    meaning: 'the claim that holds the email address; preferred_username or upn for some directories',
    allowed: 'the name of a claim',
    parse: matching(/^[\x21-\x7e]{1,200}$/),
  },
  oidcTrustEmail: {
    name: 'OCTAVO_OIDC_TRUST_EMAIL',
    fallback: 'false',
    meaning:
      'true: the provider is trusted for every address that it sends, except with email_verified false',
    allowed: 'true or false',
    parse: trueOrFalse,
  },
  oidcScopes: {
    name: 'OCTAVO_OIDC_SCOPES',
    fallback: 'openid email profile',
    meaning: 'what the provider is asked for',
    allowed: 'names of scopes with spaces between them, with openid',
    parse: matching(
      /^(?=(?:.* )?openid(?: |$))[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/,
      500,
    ),
  },
  oidcResponseMode: {
    name: 'OCTAVO_OIDC_RESPONSE_MODE',
    fallback: 'query',
    meaning: 'how the provider answers: form_post where it can only send a form, as Apple does',
    allowed: 'query or form_post',
    parse: text => RESPONSE_MODES.find(mode => mode === text),
  },
  aiBaseUrl: {
    name: 'OCTAVO_AI_BASE_URL',
    meaning:
      'the base URL of a language model that writes answers from the documentation: an OpenAI-compatible API, such as https://api.openai.com/v1, or Anthropic, https://api.anthropic.com/v1; without it answers are quotations',
    allowed: 'an http:// or https:// address without query',
    parse: matching(/^https?:\/\/[^\s?#@]+$/),
  },
  aiKey: {
    name: 'OCTAVO_AI_KEY',
    meaning: 'the API key, if the API requires one',
    allowed: 'printable ASCII without spaces',
    parse: matching(/^[\x21-\x7e]{1,1000}$/),
    secret: true,
  },
  aiModel: {
    name: 'OCTAVO_AI_MODEL',
    meaning: 'the name of the model',
    allowed: 'a name of at most 200 characters',
    parse: matching(/^.{1,200}$/u),
  },
  aiEmbeddingModel: {
    name: 'OCTAVO_AI_EMBEDDING_MODEL',
    meaning:
      'the name of an embedding model at the same OpenAI-compatible API: search and answers then also find pages that say the same in other words',
    allowed: 'a name of at most 200 characters',
    parse: matching(/^.{1,200}$/u),
  },
  aiApi: {
    name: 'OCTAVO_AI_API',
    meaning: 'the kind of API: openai or anthropic; by default, what its host is known for',
    allowed: 'openai or anthropic',
    parse: text => (text === 'openai' || text === 'anthropic' ? text : undefined),
  },
  aiTokensPerHour: {
    name: 'OCTAVO_AI_TOKENS_PER_HOUR',
    fallback: '500000',
    meaning:
      'tokens that each organization may use in an hour, input and output; beyond it answers are quotations until the next hour; 0 means no limit',
    allowed: 'a number from 0',
    parse: integer(0),
  },
  aiSearchMillisecondsMax: {
    name: 'OCTAVO_AI_SEARCH_MILLISECONDS_MAX',
    fallback: '500',
    meaning:
      'longest a search waits for the embedding model; after that it searches by words alone; 0 turns embeddings off for search',
    allowed: 'a number of milliseconds from 0 to 60000',
    parse: integer(0, 60_000),
  },
  aiSecondsMax: {
    name: 'OCTAVO_AI_SECONDS_MAX',
    fallback: '45',
    meaning: 'longest a single answer of the model may take',
    allowed: 'a number of seconds from 1 to 600',
    parse: integer(1, 600),
  },
  token: {
    name: 'OCTAVO_TOKEN',
    meaning:
      'the token that octavo mcp and the examples in the documentation send; the server does not read it',
    allowed: 'printable ASCII without spaces',
    parse: matching(/^[\x21-\x7e]{1,3072}$/),
    secret: true,
  },
  s3Endpoint: {
    name: 'OCTAVO_S3_ENDPOINT',
    meaning: 'an S3 service for blobs; without it they are stored in OCTAVO_HOME/blobs',
    allowed: 'an http:// or https:// address',
    parse: matching(/^https?:\/\/[^\s?#]+$/),
  },
  s3Bucket: {
    name: 'OCTAVO_S3_BUCKET',
    meaning: 'its bucket',
    allowed: 'the name of a bucket',
    parse: anything,
  },
  s3Region: {
    name: 'OCTAVO_S3_REGION',
    fallback: 'us-east-1',
    meaning: 'its region',
    allowed: 'the name of a region',
    parse: anything,
  },
  s3AccessKeyId: {
    name: 'OCTAVO_S3_ACCESS_KEY_ID',
    meaning: 'its access key',
    allowed: 'an access key id',
    parse: anything,
  },
  s3SecretAccessKey: {
    name: 'OCTAVO_S3_SECRET_ACCESS_KEY',
    meaning: 'the secret of the access key',
    allowed: 'a secret access key',
    parse: anything,
    secret: true,
  },
} as const satisfies Record<string, Variable>

type Field = keyof typeof VARIABLES
type ValueOf<F extends Field> = Exclude<ReturnType<(typeof VARIABLES)[F]['parse']>, undefined>
/** The parsed values of all variables. */
export type Read = {
  readonly [F in Field]: (typeof VARIABLES)[F] extends { fallback: string }
    ? ValueOf<F>
    : ValueOf<F> | undefined
}
