// The services, made once by cli/compose.ts, and the context of an operation: the services and what is known about
// its request.

import type { EventEmitter } from 'node:events'
import type { Decisions } from '../access/decisions.ts'
import type { LinkUses } from '../access/link-uses.ts'
import type { Principal, Principals, UserPrincipal } from '../access/principal.ts'
import type { SpecSight } from '../access/spec-sight.ts'
import type { Requester } from '../access/visits.ts'
import type { Compute } from '../compute/compute.ts'
import type { PageSection } from '../compute/page-projection.ts'
import type { Content } from '../engines/content/content.ts'
import type { Hash, PageRecord } from '../engines/content/records.ts'
import type { NodeSource, ObjectStore, WrittenObjects } from '../engines/content/store.ts'
import type { SearchIndex } from '../engines/search/search-index.ts'
import type { Thesaurus } from '../engines/search/thesaurus.ts'
import type { Scale } from '../engines/vectors/scale.ts'
import type { AddressGuard } from '../platform/addresses.ts'
import type { CountedBlobs } from '../platform/blobs/counted.ts'
import type { Spool } from '../platform/blobs/spool.ts'
import type { BlobSweep } from '../platform/blobs/sweep.ts'
import type { ImmutableCache, InvalidatingCache } from '../platform/cache/cache.ts'
import type { Config } from '../platform/config.ts'
import type { Changes } from '../platform/db/changes.ts'
import type { Database, Db, Room } from '../platform/db/database.ts'
import type { EmailDomains } from '../platform/email-domains.ts'
import type { Events } from '../platform/events/append.ts'
import type { Outgoing } from '../platform/fetch.ts'
import type { JobCounts } from '../platform/jobs/job-counts.ts'
import type { Jobs } from '../platform/jobs/queue.ts'
import type { Tasks } from '../platform/jobs/tasks.ts'
import type { SigningKeys } from '../platform/keys/signing-keys.ts'
import type { Log } from '../platform/log.ts'
import type { Mail } from '../platform/mail.ts'
import type { Embedder } from '../platform/model/embedder.ts'
import type { LanguageModel } from '../platform/model/model.ts'
import type { CachedBodies } from './cached-body.ts'
import type { Preconditions } from './preconditions.ts'
import type { Rendering } from './rendering.ts'
import type { Tallies } from './tallies.ts'
import type { Urls } from './urls.ts'

/** The source of computed pages: `type`, `props` and `dependencies`. */
export type ComputedSource = NonNullable<PageRecord['computed']>

export interface Contents {
  get(root: Hash): Promise<Content>
  /** As somebody in this space sees it: with the pages of specifications where it names them. */
  shown(spaceId: string, root: Hash, sight: SpecSight): Promise<Content>
  /** Only the pages that this source computes in the space; their ids derive from `seed`. */
  computed(spaceId: string, source: ComputedSource, seed: string, sight: SpecSight): Promise<Content>
  /** Identifies the computed pages there: equal digests mean equal pages; '' if there are none. */
  digest(spaceId: string, root: Hash, sight: SpecSight): Promise<string>
}

/** A head of a space, as search indexes it. */
export type SearchedHead = { readonly id: string; readonly root: Hash; readonly language: string | null }

/** Search indexes, kept in the process under what they were made from. */
export interface SearchIndexes {
  /** The index of a head, if it is in memory. */
  peek(head: SearchedHead): SearchIndex | undefined
  /**
   * The index of a head, made if it is not in memory, and kept if there is room; undefined if it is too large for a
   * request or the server is too busy.
   */
  get(head: SearchedHead): Promise<SearchIndex | undefined>
  /** Whether the index of another head of the space is in memory, so that making this one is quick. */
  isNear(head: SearchedHead): boolean
  /** Makes the indexes that are not in memory, one by one, while there is room. */
  prepare(heads: Iterable<SearchedHead>): void
  counts(): {
    readonly bytes: number
    readonly indexes: number
    readonly hits: number
    readonly misses: number
    readonly builds: number
    readonly updates: number
  }
  end(): Promise<void>
}

/** A page as search results show it. */
export type FoundPlace = {
  readonly title: string
  readonly description: string
  readonly path: string
  /** Titles of the pages and groups above it, from the top. */
  readonly ancestors: readonly string[]
  readonly document: Hash | null
  /** Whether search finds the page at all. */
  readonly isFound: boolean
}

/** The computed pages of a head, with what search results show of them. */
export type ComputedIndex = {
  readonly index: SearchIndex
  readonly pages: ReadonlyMap<
    string,
    {
      readonly place: FoundPlace
      readonly sections: readonly PageSection[]
      /** The text of `place.document`, which is not stored. */
      readonly markdown: string
    }
  >
}

export interface ComputedIndexes {
  /** Undefined if the head has no such pages, or while their index is being made. */
  get(head: SearchedHead): Promise<ComputedIndex | undefined>
}

/** A section, identified by the document it is in. */
export type SectionAt = { readonly document: Hash; readonly ordinal: number }

/** Texts of sections, cached by the hash of their document. */
export interface SectionTexts {
  /** By `sectionKey`; missing sections are left out. At most one statement. */
  read(wanted: readonly SectionAt[]): Promise<ReadonlyMap<string, PageSection>>
}

/** The vectors of a space's sections: consecutive in `buffer`, with a signed byte for each dimension. */
export type SpaceVectors = {
  readonly buffer: SharedArrayBuffer
  readonly dimensions: number
  /** The section of each vector. Several pages may share a document. */
  readonly sections: readonly {
    readonly pageIds: readonly string[]
    readonly document: Hash
    readonly ordinal: number
  }[]
}

/** Embeddings of texts. */
export interface Embeddings {
  readonly embedder: Embedder
  /** How long a search waits for embeddings at most; 0: it asks for none. */
  readonly searchMillisecondsMax: number
  /**
   * Undefined if the model does not answer within `secondsMax`, or recently did not, or if the organization may not
   * ask it. `shareMax` is the share of its hourly tokens available for this.
   */
  ofQuery(request: {
    readonly organizationId: string
    readonly query: string
    readonly secondsMax: number
    readonly shareMax: number
    readonly signal: AbortSignal
  }): Promise<Int8Array | undefined>
  /**
   * How to interpret angles between the model's vectors; asked once. Undefined if it does not answer, or all are
   * alike.
   */
  scaleFor(organizationId: string): Promise<Scale | undefined>
  /** The vectors of each head; undefined if they are not loaded yet, or are too many. */
  ofSpaces(heads: readonly SearchedHead[]): Promise<readonly (SpaceVectors | undefined)[]>
  end(): Promise<void>
}

export interface Services {
  readonly config: Config
  readonly log: Log
  readonly tallies: Tallies
  readonly db: Db
  readonly transaction: Database['transaction']
  readonly changes: Changes
  /** Whether the database takes writes. */
  readonly databaseRoom: Room
  readonly databaseCounts: Database['counts']
  /** For an embedded database in a folder: copies it while it is in use. */
  readonly copyDatabase: Database['copyTo']
  /** The rows that places and access decisions are made of; keys are `<thing>:<id>`. */
  readonly rowCache: InvalidatingCache<object>
  /** Decisions about who may see what, by the organization's access version. */
  readonly decisions: Decisions
  readonly principals: Principals
  readonly linkUses: LinkUses
  readonly objects: ObjectStore & NodeSource & WrittenObjects
  /** Revisions read whole, cached by root hash. */
  readonly contents: Contents
  readonly searchIndexes: SearchIndexes
  readonly computedIndexes: ComputedIndexes
  readonly sectionTexts: SectionTexts
  /** Glossaries of organizations, cached by version. */
  readonly glossaries: ImmutableCache<Thesaurus>
  readonly blobs: CountedBlobs
  readonly blobSweep: BlobSweep
  /** Uploaded archives that are being imported. */
  readonly archives: Spool
  readonly bodies: CachedBodies
  readonly events: Events
  readonly jobs: Jobs
  readonly jobCounts: JobCounts
  /** Emits `due` when something may have to be sent to webhooks. */
  readonly deliveries: EventEmitter<{ due: [] }>
  readonly mail: Mail
  /** Undefined if the operator has not set one up. */
  readonly model: LanguageModel | undefined
  /** Undefined if the operator has not named an embedding model. */
  readonly embeddings: Embeddings | undefined
  readonly tasks: Tasks
  /** Work that would block the event loop. */
  readonly compute: Compute
  readonly rendering: Rendering
  readonly guard: AddressGuard
  /** Requests to receivers of webhooks. */
  readonly outgoing: Outgoing
  readonly emailDomains: EmailDomains
  readonly urls: Urls
  /**
   * 256 bits shared by every node of this installation, and those that were rotated and have not retired: they sign
   * addresses of files, visitors' secrets derive from them, and stored secrets are encrypted with them.
   */
  readonly signingKey: SigningKeys
}

/** The services and the acting person, as actions need them. A context has both. */
export interface ActionContext<Actor extends Principal = UserPrincipal> extends Services {
  readonly principal: Actor
}

/** What appending an event on somebody's behalf needs. */
export type EventContext<Actor extends Principal = UserPrincipal> = Pick<
  ActionContext<Actor>,
  'events' | 'principal'
>

/** The services of one request, its caller and their proofs, and its preconditions. */
export interface Context extends Services, Preconditions, Requester {
  readonly principal: Principal
  readonly requestId: string
}
