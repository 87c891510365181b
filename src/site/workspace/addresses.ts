// Where the workspace shows what the reader links to.

const spaceHref = (spaceId: string): string => `/w/s/${spaceId}`

export const workspacePageHref = (spaceId: string, pageId: string): string =>
  `${spaceHref(spaceId)}/p/${pageId}`
export const workspaceChangesHref = (spaceId: string): string => `${spaceHref(spaceId)}/c`
export const workspaceHistoryHref = (spaceId: string): string => `${spaceHref(spaceId)}/history`
