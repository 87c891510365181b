// The one policy table: the weakest role for each action. Enforcement (http/operation.ts), the wire's
// `permissions` objects and the committed matrix docs/roles.txt are all read from here.
// Sources: the permission booleans of the public interface, described in docs/permissions.md.
import { keysOf } from '../base/objects.ts'

/** Roles that can be granted, weak to strong. */
export const MEMBER_ROLES = ['read', 'comment', 'edit', 'review', 'create', 'admin'] as const
export type MemberRole = (typeof MEMBER_ROLES)[number]

const POLICY = {
  /** A person's profile, for themselves and for people who share an organization with them. */
  user: {
    roles: ['colleague', 'self'],
    actions: { view: 'colleague', change: 'self' },
  },
  organization: {
    roles: ['guest', ...MEMBER_ROLES],
    actions: {
      view: 'guest',
      listMembers: 'read',
      listTeams: 'read',
      listIntegrations: 'read',
      viewOpenAPISpecs: 'read',
      viewTemplates: 'read',
      viewConversations: 'edit',
      createContent: 'create',
      createOpenAPISpec: 'create',
      ingestConversations: 'create',
      ownTeam: 'admin',
      listInstallations: 'admin',
      installIntegration: 'admin',
      viewBilling: 'admin',
      viewAudit: 'admin',
      manageMembers: 'admin',
      invite: 'admin',
      admin: 'admin',
    },
  },
  collection: {
    roles: MEMBER_ROLES,
    actions: {
      view: 'read',
      listPermissions: 'read',
      create: 'create',
      viewInviteLinks: 'admin',
      admin: 'admin',
    },
  },
  /** A member of an organization: `onlooker` may list members; admins manage them. */
  member: {
    roles: ['onlooker', 'self', 'admin'],
    actions: { view: 'onlooker', leave: 'self', manage: 'admin' },
  },
  /** `member` or `owner` of the team; `onlooker` may list teams; admins of the organization manage them. */
  team: {
    roles: ['onlooker', 'member', 'owner', 'admin'],
    actions: { view: 'onlooker', manageMembers: 'owner', admin: 'admin' },
  },
  /**
   * An invitation: `invited` has its id, or an email address in one of the organization's domains; `admin`
   * administers its target.
   */
  invitation: {
    roles: ['invited', 'admin'],
    actions: { view: 'invited', accept: 'invited', admin: 'admin' },
  },
  /** `visitor`: may read the published content without being a member. */
  space: {
    roles: ['visitor', ...MEMBER_ROLES],
    actions: {
      view: 'visitor',
      access: 'read',
      listPermissions: 'read',
      comment: 'comment',
      edit: 'edit',
      review: 'review',
      merge: 'review',
      duplicate: 'create',
      triggerGitSync: 'create',
      viewInviteLinks: 'admin',
      installIntegration: 'admin',
      admin: 'admin',
    },
  },
  /** A comment, or a reply to one. `author` wrote it, `moderator` administers its space. */
  comment: {
    roles: ['reader', 'commenter', 'reviewer', 'author', 'moderator'],
    actions: {
      view: 'reader',
      reply: 'commenter',
      react: 'commenter',
      resolve: 'reviewer',
      edit: 'author',
      delete: 'author',
    },
  },
  /** An integration: `self` is its own token, `owner` an admin of the organization that owns it. */
  integration: {
    roles: ['onlooker', 'self', 'owner'],
    actions: { view: 'onlooker', install: 'onlooker', listInstallations: 'self', admin: 'owner' },
  },
  /** Where an integration is installed: its own token, the integration's, or an admin of the organization there. */
  installation: {
    roles: ['self', 'integration', 'admin'],
    actions: { view: 'self', configure: 'self', issueToken: 'integration', manage: 'admin' },
  },
} as const

export type Subject = keyof typeof POLICY
export type Action<S extends Subject> = keyof (typeof POLICY)[S]['actions'] & string
export type RoleOn<S extends Subject> = (typeof POLICY)[S]['roles'][number]

export const SUBJECTS: readonly Subject[] = keysOf(POLICY)
export const rolesOn = <S extends Subject>(subject: S): readonly RoleOn<S>[] => POLICY[subject].roles
export const actionsOn = <S extends Subject>(subject: S): readonly Action<S>[] =>
  keysOf<(typeof POLICY)[S]['actions']>(POLICY[subject].actions)

/** Whether a role suffices. `null` is no role at all: a stranger, who may do nothing. */
export function allows<S extends Subject>(subject: S, action: Action<S>, role: RoleOn<S> | null): boolean {
  if (role === null) return false
  const { roles }: { roles: readonly string[] } = POLICY[subject]
  return roles.indexOf(role) >= roles.indexOf(weakestRole(subject, action))
}

/** The weakest role that suffices, for messages and documents. */
export const weakestRole = <S extends Subject>(subject: S, action: Action<S>): RoleOn<S> =>
  // The actions of a subject name roles on it, which TypeScript cannot infer for a generic subject.
  (POLICY[subject].actions as Record<string, RoleOn<S>>)[action] as RoleOn<S>

/** The wire's `permissions` object: one boolean for each named action. */
export function permissions<S extends Subject, A extends Action<S>>(
  subject: S,
  role: RoleOn<S> | null,
  actions: readonly A[],
): Record<A, boolean> {
  const entries = actions.map(action => [action, allows(subject, action, role)])
  // Object.fromEntries loses the names.
  return Object.fromEntries(entries) as Record<A, boolean>
}
