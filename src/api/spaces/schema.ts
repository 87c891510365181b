// The wire of spaces.
import { type Static, Type } from 'typebox'
import { dates, ListOf, model, Nullable, OneOf, PageOf, ShownUrl, Timestamp, Url } from '../../http/list.ts'
import { RefTo } from '../../http/references.ts'
import { DefaultLevel } from '../collections/schema.ts'
import { SpaceMergeRules } from '../organizations/schema.ts'

export const LANGUAGES = [
  ...[
    'en',
    'fr',
    'de',
    'es',
    'it',
    'pt',
    'pt-br',
    'ru',
    'ja',
    'zh',
    'zh-tw',
    'yue',
    'ko',
    'ar',
    'hi',
    'nl',
    'pl',
    'tr',
  ],
  ...[
    'sv',
    'no',
    'da',
    'fi',
    'el',
    'cs',
    'hu',
    'ro',
    'th',
    'vi',
    'id',
    'ms',
    'he',
    'uk',
    'sk',
    'bg',
    'hr',
    'lt',
    'lv',
  ],
  ...['et', 'sl'],
] as const

export const VISIBILITIES = [
  'public',
  'unlisted',
  'share-link',
  'visitor-auth',
  'in-collection',
  'private',
] as const

const SEARCH_SCOPES = ['organization', 'space'] as const

export const SPACE_PERMISSIONS = [
  'view',
  'access',
  'admin',
  'viewInviteLinks',
  'edit',
  'triggerGitSync',
  'comment',
  'merge',
  'review',
  'installIntegration',
] as const

export const TITLE_CHARACTERS_MAX = 50
const Title = Type.String({ maxLength: TITLE_CHARACTERS_MAX })
const Emoji = Type.String({
  minLength: 1,
  maxLength: 50,
  description: 'A character, or its code points in hex: `1f4d8`.',
})
const EditMode = OneOf(['live', 'locked'])
const Language = OneOf(LANGUAGES)
const SearchScope = OneOf(
  SEARCH_SCOPES,
  'Octavo extension: `organization`, or `space` for one that searches and answers of its organization leave out.',
)

export const GitSyncState = model('GitSyncState', {
  repoName: Type.Optional(Type.String()),
  installationProvider: Type.Optional(OneOf(['github', 'gitlab', 'github-legacy'])),
  integration: Type.Optional(Type.String()),
  url: Type.Optional(Url),
  updatedAt: Type.Optional(Timestamp),
})
export type GitSyncState = Static<typeof GitSyncState>

export const Space = model('Space', {
  object: OneOf(['space']),
  id: Type.String(),
  title: Title,
  emoji: Emoji,
  visibility: OneOf(VISIBILITIES),
  ...dates,
  deletedAt: Type.Optional(Timestamp),
  editMode: EditMode,
  mergeRules: SpaceMergeRules,
  urls: Type.Object({
    location: Url,
    app: Url,
    published: Type.Optional(Url),
    public: Type.Optional(Url),
    icon: Type.Optional(Url),
  }),
  organization: Type.String(),
  parent: Type.Optional(Type.String()),
  language: Type.Optional(Language),
  searchScope: SearchScope,
  gitSync: Type.Optional(GitSyncState),
  visitorAuth: Type.Optional(Type.Object({ backend: OneOf(['custom']) })),
  revision: Type.String({ description: 'The head: the revision that readers see.' }),
  defaultLevel: DefaultLevel,
  comments: Type.Integer({ minimum: 0 }),
  changeRequests: Type.Integer({ minimum: 0 }),
  changeRequestsOpen: Type.Integer({ minimum: 0 }),
  changeRequestsDraft: Type.Integer({ minimum: 0 }),
  permissions: Type.Object(Object.fromEntries(SPACE_PERMISSIONS.map(name => [name, Type.Boolean()]))),
})
export type Space = Static<typeof Space>

export const Spaces = ListOf(Space)

export const GetSpace = Type.Object({
  shareKey: Type.Optional(
    Type.String({ maxLength: 512, description: 'Key of a share link, for the published addresses.' }),
  ),
})

export const ListSpaces = PageOf({})

export const ListSpacesOfOrganization = PageOf({ searchScope: Type.Optional(SearchScope) })

const settings = {
  title: Type.Optional(Title),
  language: Type.Optional(Language),
  searchScope: Type.Optional(SearchScope),
  editMode: Type.Optional(EditMode),
  visibility: Type.Optional(OneOf(VISIBILITIES, 'Octavo extension: who may read the space.')),
}

export const CreateSpace = Type.Object({
  ...settings,
  emoji: Type.Optional(Emoji),
  parent: Type.Optional(RefTo('collection', 'The collection to create it in.')),
  empty: Type.Optional(Type.Boolean()),
})
export type CreateSpace = Static<typeof CreateSpace>

export const ChangeSpace = Type.Object({
  ...settings,
  emoji: Type.Optional(Nullable(Emoji)),
  icon: Type.Optional(Nullable(ShownUrl)),
  defaultLevel: Type.Optional(DefaultLevel),
  mergeRules: Type.Optional(SpaceMergeRules),
})
export type ChangeSpace = Static<typeof ChangeSpace>
