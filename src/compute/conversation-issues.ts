// What conversations are about, for many at once.
import { type Issue, issuesOf, type Message } from '../engines/conversations/issues.ts'
import type { Task } from './task.ts'

type Conversations = {
  readonly conversations: readonly {
    readonly subject: string | null
    readonly messages: readonly Message[]
  }[]
}

/** The issues of each conversation, in order. */
export const conversationIssues: Task<Conversations, Issue[][]> = ({ conversations }) =>
  conversations.map(({ subject, messages }) => issuesOf(subject, messages))
