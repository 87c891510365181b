// The wire of conversations, their issues and clusters of those.
import { type Static, Type } from 'typebox'
import { dates, ListOf, model, OneOf, PageOf, ShownUrl, Timestamp, Url } from '../../http/list.ts'
import { RefTo } from '../../http/references.ts'

export const CONVERSATIONS_MAX = 1_000
export const PARTS_MAX = 500
export const BODY_CHARACTERS_MAX = 200_000
/** Of all bodies of a conversation. */
export const CONVERSATION_CHARACTERS_MAX = 1_000_000
export const INGEST_BYTES_MAX = 16 * 1024 * 1024
const ATTRIBUTES_MAX = 100

export const ConversationPart = model('ConversationPart', {
  type: OneOf(['message']),
  role: OneOf(['user', 'assistant', 'team-member']),
  body: Type.String({ maxLength: BODY_CHARACTERS_MAX, description: 'Markdown or HTML.' }),
})
export type ConversationPart = Static<typeof ConversationPart>

const ConversationMetadata = model('ConversationMetadata', {
  url: Type.Optional(ShownUrl),
  attributes: Type.Optional(
    Type.Record(Type.String({ maxLength: 128 }), Type.String({ maxLength: 2048 }), {
      maxProperties: ATTRIBUTES_MAX,
    }),
  ),
  createdAt: Type.Optional(Timestamp),
})
export type ConversationMetadata = Static<typeof ConversationMetadata>

const Subject = Type.String({ maxLength: 512 })

export const ConversationInput = model('ConversationInput', {
  id: Type.String({ minLength: 1, maxLength: 255, description: 'Its id in its source.' }),
  subject: Type.Optional(Subject),
  metadata: Type.Optional(ConversationMetadata),
  parts: Type.Array(ConversationPart, { maxItems: PARTS_MAX }),
})
export type ConversationInput = Static<typeof ConversationInput>

/** One, or a list. Unknown fields are not removed here: that would copy megabytes. */
export const IngestConversations = Type.Unsafe<ConversationInput | ConversationInput[]>({
  anyOf: [ConversationInput, Type.Array(ConversationInput, { maxItems: CONVERSATIONS_MAX })],
})
export type IngestConversations = Static<typeof IngestConversations>

export const Conversation = model('Conversation', {
  object: OneOf(['conversation']),
  id: Type.String(),
  subject: Type.Optional(Subject),
  createdAt: Timestamp,
  processedAt: Type.Optional(
    Type.String({ format: 'date-time', description: 'Absent until its issues are found.' }),
  ),
  source: Type.String({ description: '`email`, or `integration:<name>:<installation>`.' }),
  urls: Type.Object({ location: Url, source: Type.Optional(Url) }),
})
export type Conversation = Static<typeof Conversation>

export const Conversations = ListOf(Conversation)

export const ConversationDetails = Type.Object({
  conversation: Conversation,
  parts: Type.Array(ConversationPart),
  metadata: ConversationMetadata,
})
export type ConversationDetails = Static<typeof ConversationDetails>

export const ListConversations = PageOf({
  source: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
})
export type ListConversations = Static<typeof ListConversations>

export const ConversationIssue = model('ConversationIssue', {
  object: OneOf(['conversation-issue']),
  id: Type.String(),
  title: Type.String(),
  summary: Type.String(),
  createdAt: Type.String({ format: 'date-time', description: 'When the conversation began.' }),
  ingestedAt: Type.String({ format: 'date-time', description: 'When the issue was found.' }),
  conversation: Type.String(),
  cluster: Type.Optional(Type.String()),
  urls: Type.Object({ location: Url }),
})
export type ConversationIssue = Static<typeof ConversationIssue>

export const IssueOfConversation = Type.Object({ issue: ConversationIssue, conversation: Conversation })
export const IssuesOfConversations = ListOf(IssueOfConversation)

export const ListIssues = PageOf({
  cluster: Type.Optional(RefTo('issuesCluster')),
  conversation: Type.Optional(RefTo('conversation')),
})
export type ListIssues = Static<typeof ListIssues>

export const PULSE_WEEKS = 13
const Count = Type.Integer({ minimum: 0 })

export const IssuesCluster = model('ConversationsIssuesCluster', {
  object: OneOf(['issues-cluster']),
  id: Type.String(),
  label: Type.String(),
  ...dates,
  icon: Type.String({ maxLength: 50, description: 'The name of an icon.' }),
  summary: Type.String(),
  weeklyPulse: Type.Array(Count, {
    examples: [[0, 0, 1, 0, 2, 1, 0, 0, 3, 1, 0, 2, 4]],
    minItems: PULSE_WEEKS,
    maxItems: PULSE_WEEKS,
    description: 'Issues in each of the last 13 weeks, the current one last.',
  }),
  sources: Type.Record(Type.String(), Count, { description: 'Issues by source.' }),
  stats: Type.Object({
    issues: Count,
    conversations: Count,
    tasksTotal: Count,
    tasksBacklog: Count,
    tasksStarted: Count,
    tasksCompleted: Count,
    tasksCancelled: Count,
  }),
  urls: Type.Object({ location: Url, app: Url }),
})
export type IssuesCluster = Static<typeof IssuesCluster>

export const IssuesClusters = ListOf(IssuesCluster)

export const SORT_KEYS = [
  'updatedAt',
  'issues',
  'conversations',
  'tasksTotal',
  'tasksBacklog',
  'tasksStarted',
] as const
export type SortKey = (typeof SORT_KEYS)[number]

export const ListClusters = PageOf({
  order: Type.Optional(OneOf(['asc', 'desc'], '`desc` when absent.')),
  orderBy: Type.Optional(OneOf(SORT_KEYS, '`updatedAt` when absent.')),
  status: Type.Optional(
    OneOf(
      ['pending', 'analysing'],
      '`pending`: it waits for a description; `analysing`: it is being described. All when absent.',
    ),
  ),
})
export type ListClusters = Static<typeof ListClusters>
